import type { Entities } from '../entity/index/entities';
import type { EntityIndex } from '../entity/index/entity-index';
import { type Entity, parseId } from '../entity/model/model';
import { entityNamed } from '../entity/references/find';
import { rank } from './analysis';

export interface Filters {
  readonly type?: readonly string[] | undefined;
  readonly status?: readonly string[] | undefined;
  readonly workstream?: readonly string[] | undefined;
  readonly priority?: readonly string[] | undefined;
  /** Left out: only what is not archived. */
  readonly archived?: boolean | undefined;
}

export type Sort = 'relevance' | 'id' | 'title' | 'priority' | 'updated' | 'created';
export type Direction = 'up' | 'down' | 'siblings' | 'dependencies' | 'dependents';

export function passes(entity: Entity, filters: Filters): boolean {
  const has = (allowed: readonly string[] | undefined, value: string | null): boolean =>
    allowed === undefined || (value !== null && allowed.includes(value));
  return (
    has(filters.type, entity.type) &&
    has(filters.status, entity.status) &&
    has(filters.workstream, entity.workstream) &&
    has(filters.priority, entity.priority ?? 'medium') &&
    entity.archived === (filters.archived ?? false)
  );
}

/** The best of those that pass, best first, and how many pass; an id that is asked for comes first. */
export function byText(
  query: string,
  { entities, search, filters, most }: Searched,
): { readonly matches: readonly Entity[]; readonly total: number } {
  const entityOf = (id: string): Entity | undefined => {
    const entity = entities.get(id);
    return entity && passes(entity, filters) ? entity : undefined;
  };
  const exactMatch = parseId(query) ? entityOf(query.trim().toUpperCase()) : undefined;
  const accepts = (id: string): boolean => id !== exactMatch?.id && entityOf(id) !== undefined;
  const { keys, total } = search(query, { accepts, most });
  const best = keys.map((id) => entities.get(id)).filter((entity) => entity !== undefined);
  return exactMatch ? { matches: [exactMatch, ...best], total: total + 1 } : { matches: best, total };
}

interface Searched {
  readonly entities: Entities;
  readonly search: EntityIndex['search'];
  readonly filters: Filters;
  readonly most: number;
}

/** The entities that lie in one direction, nearest first, and where they lie in words. */
export function byWay(
  fromId: string,
  direction: Direction,
  depth: number,
  entities: Entities,
): { readonly matches: readonly Entity[]; readonly description: string } {
  const from = entityNamed(fromId, entities, 'from_id');
  const name = `${from.id} ${from.title}`;
  const entitiesOf = (ids: readonly (string | null)[]): Entity[] =>
    ids.map((id) => (id === null ? undefined : entities.get(id))).filter((entity) => entity !== undefined);
  if (direction === 'siblings') {
    const related =
      from.parent === null ? [] : entities.children(from.parent).filter((each) => each.id !== from.id);
    return {
      matches: related,
      description: `Beside ${name}${from.parent === null ? ', which has no parent' : `, in ${from.parent}`}`,
    };
  }
  const next: Record<Exclude<Direction, 'siblings'>, (entity: Entity) => readonly Entity[]> = {
    up: (entity) => entitiesOf([entity.parent]),
    down: (entity) => entities.children(entity.id),
    dependencies: (entity) => entitiesOf(entity.dependsOn),
    dependents: (entity) => entities.dependents(entity.id),
  };
  const descendants: Entity[] = [];
  const visited = new Set([from.id]);
  let level: readonly Entity[] = [from];
  let reached = 0;
  for (let step = 1; step <= depth && level.length > 0; step++) {
    const further: Entity[] = [];
    for (const entity of level.flatMap(next[direction])) {
      if (visited.has(entity.id)) continue;
      visited.add(entity.id);
      further.push(entity);
    }
    descendants.push(...further);
    if (further.length > 0) reached = step;
    level = further;
  }
  if (direction === 'up') {
    return {
      matches: descendants,
      description: [...descendants]
        .reverse()
        .concat(from)
        .map((each) => each.id)
        .join(' → '),
    };
  }
  const words = { down: 'below', dependencies: 'needed by', dependents: 'waiting for' }[direction];
  return {
    matches: descendants,
    description: `${descendants.length} ${words} ${name}, ${reached} ${reached === 1 ? 'level' : 'levels'}`,
  };
}

export function sorted(entities: readonly Entity[], by: Sort): readonly Entity[] {
  if (by === 'relevance') return entities;
  const compare: Record<Exclude<Sort, 'relevance'>, (a: Entity, b: Entity) => number> = {
    id: (a, b) => a.order - b.order,
    title: (a, b) => (a.title.toLowerCase() < b.title.toLowerCase() ? -1 : 1),
    priority: (a, b) => rank(b) - rank(a),
    updated: (a, b) => (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : 0),
    created: (a, b) =>
      (a.created ?? '') < (b.created ?? '') ? 1 : (a.created ?? '') > (b.created ?? '') ? -1 : 0,
  };
  return entities.toSorted(compare[by]);
}
