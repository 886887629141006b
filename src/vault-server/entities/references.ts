import { ToolFailure } from '../failures';
import { compareIds, type Entity, type EntityType, idsIn, kinds, parseId, referenceFields } from './model';

/** What is checked against: the vault as it would be after the changes made so far. */
export interface Lookup {
  get(id: string): Entity | undefined;
  all(): Iterable<Entity>;
}

/** Every id that is being set must be that of an entity, and parents and dependencies stay free of circles. */
export function checkReferences(
  id: string | null,
  type: EntityType,
  values: Readonly<Record<string, unknown>>,
  lookup: Lookup,
): void {
  for (const field of referenceFields(type)) {
    for (const target of idsIn(values[field])) {
      if (!lookup.get(target)) {
        throw new ToolFailure('unresolved_reference', `${field}: there is no ${target}.`, {
          field,
          hint: nearestHint(target, lookup),
        });
      }
    }
  }
  const [parent] = idsIn(values.parent);
  if (parent !== undefined) checkParent(id, type, parent, lookup);
  if (id !== null) {
    for (const target of idsIn(values.depends_on)) {
      const circle = wayTo(target, id, lookup);
      if (circle) {
        throw new ToolFailure('cycle', `That would close a circle: ${[id, ...circle].join(' → ')}`, {
          field: 'depends_on',
        });
      }
    }
  }
}

function checkParent(id: string | null, type: EntityType, parent: string, lookup: Lookup): void {
  const allowed = kinds[type].parents;
  const parentType = lookup.get(parent)?.type;
  if (!parentType || !allowed.includes(parentType)) {
    throw new ToolFailure('validation', `The parent of a ${type} can’t be a ${parentType}.`, {
      field: 'parent',
      hint: allowed.length === 0 ? `A ${type} has no parent.` : `It is a ${allowed.join(' or a ')}.`,
    });
  }
  const seen = new Set<string>();
  for (let at: string | null = parent; at !== null && !seen.has(at); at = lookup.get(at)?.parent ?? null) {
    seen.add(at);
    if (at === id) {
      throw new ToolFailure('cycle', `${id} would be above itself: ${[...seen].reverse().join(' → ')}`, {
        field: 'parent',
      });
    }
  }
}

/** The way along dependencies from one to the other, both included; null where there is none. */
function wayTo(from: string, to: string, lookup: Lookup): string[] | null {
  const cameFrom = new Map<string, string | null>([[from, null]]);
  const queue = [from];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    if (id === to) {
      const way: string[] = [];
      for (let at: string | null = id; at !== null; at = cameFrom.get(at) ?? null) way.unshift(at);
      return way;
    }
    for (const next of lookup.get(id)?.dependsOn ?? []) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, id);
      queue.push(next);
    }
  }
  return null;
}

export function notFound(id: string, lookup: Lookup, field = 'id'): ToolFailure {
  return new ToolFailure('not_found', `There is no ${id.slice(0, 80)}.`, {
    field,
    hint: nearestHint(id, lookup),
  });
}

function nearestHint(id: string, lookup: Lookup): string {
  const near = nearestIds(id, lookup);
  return near.length > 0 ? `Nearest: ${near.join(', ')}` : 'There are no ids like that yet.';
}

/** Those of the same type with the nearest numbers; for what is no id at all, those that share its digits. */
function nearestIds(id: string, lookup: Lookup): string[] {
  const wanted = parseId(id);
  const number = wanted?.number ?? Number(/\d+/.exec(id)?.[0] ?? Number.NaN);
  if (Number.isNaN(number)) return [];
  const distance = (other: string): number => Math.abs((parseId(other)?.number ?? 0) - number);
  return [...lookup.all()]
    .filter((entity) => !wanted || entity.type === wanted.type)
    .map((entity) => entity.id)
    .sort((a, b) => distance(a) - distance(b) || compareIds(a, b))
    .slice(0, 3);
}
