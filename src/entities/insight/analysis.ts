import type { Entities } from '../entity/index/entities';
import { type Entity, entityTypes, idsIn, isOpen, isWork, referenceFields } from '../entity/model/model';
import { criticalPath, daysSince, enablingDecisions, isOverdue, isStale, waitsFor } from './work';

const mostOfAKind = 2;
const all: { before: ReadonlySet<string>; most: number } = {
  before: new Set(),
  most: Number.POSITIVE_INFINITY,
};

/**
 * What stands in the way of a project and what could be done next; the same vault on the same day gives the same answer.
 * Of each list what was not shown `before`, by its key; all of it where nothing is said. Longer than most: a table of
 * lists, each with what belongs in it and how it is shown.
 */
export function analyze(members: readonly Entity[], entities: Entities, now: Date, { before, most } = all) {
  const open = members.filter(isOpen);
  const work = open.filter(isWork);
  const enabling = enablingDecisions(entities.all());
  const waiting = (entity: Entity): readonly Entity[] => waitsFor(entity, entities, enabling);
  const critical = criticalPath(members);
  const onPath = new Set(critical.map((entity) => entity.id));

  const blockers = work
    .filter((entity) => entity.status === 'blocked')
    .map((entity) => ({ entity, holdsUp: heldUpBy(entity, entities) }))
    .sort((a, b) => b.holdsUp.length - a.holdsUp.length);
  const ready = work
    .filter((entity) => entity.type !== 'milestone' && entity.status === 'not_started')
    .filter((entity) => waiting(entity).length === 0 && !hasOpenParts(entity, entities))
    .sort((a, b) => Number(onPath.has(b.id)) - Number(onPath.has(a.id)) || rank(b) - rank(a));
  const decisions = open
    .filter((entity) => entity.type === 'decision')
    .map((entity) => ({ entity, blocks: blockedByDecision(entity, entities) }))
    .filter(({ blocks }) => blocks.length > 0)
    .sort((a, b) => b.blocks.length - a.blocks.length);
  const stale = work.filter((entity) => isStale(entity, now));
  const overdue = work.filter((entity) => entity.type === 'milestone' && isOverdue(entity, now));
  const circles = findCircles(members, entities);
  const broken = members.flatMap((entity) => brokenReferences(entity, entities));
  const orphans = work.filter(
    (entity) => entity.type !== 'milestone' && (entity.parent === null || !entities.get(entity.parent)),
  );
  const duplicates = [...entities.duplicates()].map(([id, paths]) => ({ id, paths }));

  const steps = [
    few(circles).map((circle) => ({ do: 'break the circle', id: circle[0] ?? '', why: circle.join(' → ') })),
    few(broken).map(({ id, field, missing }) => ({
      do: 'repair the reference',
      id,
      why: `${field} names ${missing}`,
    })),
    few(decisions).map(({ entity, blocks }) => ({
      do: 'decide',
      id: entity.id,
      why: `blocks ${blocks.join(', ')}`,
    })),
    few(blockers.filter(({ entity, holdsUp }) => onPath.has(entity.id) || holdsUp.length > 0)).map(
      ({ entity, holdsUp }) => ({
        do: 'unblock',
        id: entity.id,
        why: onPath.has(entity.id) ? 'on the critical path' : `holds up ${holdsUp.length}`,
      }),
    ),
    few(ready).map((entity) => ({
      do: 'start',
      id: entity.id,
      why: onPath.has(entity.id)
        ? 'ready, on the critical path'
        : `ready, ${entity.priority ?? 'medium'} priority`,
    })),
    few(overdue).map((entity) => ({
      do: 'replan',
      id: entity.id,
      why: `due ${String(entity.values.target_date)}`,
    })),
    few(stale).map((entity) => ({
      do: 'look after',
      id: entity.id,
      why: `untouched for ${daysSince(entity.updated, now)} days`,
    })),
  ].flat();

  const counts: Record<string, number> = {};
  let truncated = false;
  /** The page of a list; with thousands of entities most are never shown. */
  const keysShown: string[] = [];
  function page<T, S>(
    name: string,
    list: readonly T[],
    show: (item: T) => S,
    keyOf: (item: T) => string,
  ): S[] {
    counts[name] = list.length;
    const rest = list.filter((item) => !before.has(`${name} ${keyOf(item)}`));
    if (rest.length > most) truncated = true;
    const here = rest.slice(0, most);
    keysShown.push(...here.map((item) => `${name} ${keyOf(item)}`));
    return here.map(show);
  }
  const asIs = <T>(item: T): T => item;
  const words = (item: unknown) => JSON.stringify(item);
  const idOf = (item: Entity) => item.id;
  const idWithin = ({ entity }: { entity: Entity }) => entity.id;
  const lists = {
    blockers: page(
      'blockers',
      blockers,
      ({ entity, holdsUp }) => ({
        ...brief(entity),
        waits_for: waiting(entity).map((each) => each.id),
        holds_up: holdsUp.slice(0, 10),
        holds_up_count: holdsUp.length,
      }),
      idWithin,
    ),
    ready: page('ready', ready, brief, idOf),
    critical_path: page('critical_path', critical, brief, idOf),
    cycles: page('cycles', circles, asIs, words),
    broken_references: page('broken_references', broken, asIs, words),
    duplicate_ids: page('duplicate_ids', duplicates, asIs, words),
    unreadable_notes: page('unreadable_notes', entities.unreadable(), asIs, words),
    orphans: page('orphans', orphans, brief, idOf),
    stale: page(
      'stale',
      stale,
      (entity) => ({ ...brief(entity), days: daysSince(entity.updated, now) }),
      idOf,
    ),
    overdue: page(
      'overdue',
      overdue,
      (entity) => ({
        ...brief(entity),
        target_date: String(entity.values.target_date),
      }),
      idOf,
    ),
    pending_decisions: page(
      'pending_decisions',
      decisions,
      ({ entity, blocks }) => ({
        ...brief(entity),
        blocks,
      }),
      idWithin,
    ),
    next_steps: page('next_steps', steps, asIs, words),
  };
  return { counts, lists, truncated, shown: keysShown };
}

function few<T>(list: readonly T[]): readonly T[] {
  return list.slice(0, mostOfAKind);
}

function brief(entity: Entity) {
  return { id: entity.id, title: entity.title, status: entity.status, revision: entity.revision };
}

const ranks: Readonly<Record<string, number>> = { critical: 3, high: 2, medium: 1, low: 0 };

export function rank(entity: Entity): number {
  return ranks[entity.priority ?? 'medium'] ?? 1;
}

/** A story whose tasks are open is worked on through them. */
function hasOpenParts(entity: Entity, entities: Entities): boolean {
  return entities.children(entity.id).some((child) => isWork(child) && isOpen(child));
}

/** Open work that waits for this one, directly or not. */
function heldUpBy(entity: Entity, entities: Entities): string[] {
  if (entities.dependents(entity.id).length === 0) return [];
  const dependents = new Set<string>();
  const queue = [entity.id];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    for (const next of entities.dependents(id)) {
      if (!isOpen(next) || next.id === entity.id || dependents.has(next.id)) continue;
      dependents.add(next.id);
      queue.push(next.id);
    }
  }
  return [...dependents];
}

function blockedByDecision(decision: Entity, entities: Entities): string[] {
  const waiting = [
    ...idsIn(decision.values.enables),
    ...entities.dependents(decision.id).map((entity) => entity.id),
  ];
  return [...new Set(waiting)].filter((id) => {
    const entity = entities.get(id);
    return entity !== undefined && isOpen(entity);
  });
}

export function brokenReferences(
  entity: Entity,
  entities: Pick<Entities, 'get'>,
): { id: string; field: string; missing: string }[] {
  const broken: { id: string; field: string; missing: string }[] = [];
  const look = (field: string, target: string): void => {
    if (!entities.get(target)) broken.push({ id: entity.id, field, missing: target });
  };
  if (entity.parent !== null) look('parent', entity.parent);
  for (const target of entity.dependsOn) look('depends_on', target);
  for (const field of referenceFields(entity.type)) {
    if (field === 'parent' || field === 'depends_on' || entity.values[field] === undefined) continue;
    for (const target of idsIn(entity.values[field])) look(field, target);
  }
  return broken;
}

const none: readonly string[] = [];

/** Circles of parents and of dependencies; a person's editor knows nothing of either. */
function findCircles(members: readonly Entity[], entities: Entities): string[][] {
  return [
    ...circlesOf(members, (entity) => entity.dependsOn, entities),
    ...circlesOfParents(members, entities),
  ];
}

export function circlesOfParents(members: readonly Entity[], entities: Entities): string[][] {
  return circlesOf(
    members.filter((entity) => isDeep(entity, entities)),
    (entity) => (entity.parent === null ? none : [entity.parent]),
    entities,
  );
}

/** Has more above it than the types allow; whoever is in a circle of parents has. */
function isDeep(entity: Entity, entities: Entities): boolean {
  let at: Entity | undefined = entity;
  for (let level = 0; at && level < entityTypes.length; level++) {
    at = at.parent === null ? undefined : entities.get(at.parent);
  }
  return at !== undefined;
}

export function circlesOf(
  members: readonly Entity[],
  next: (entity: Entity) => readonly string[],
  entities: Entities,
): string[][] {
  const circles: string[][] = [];
  const finished = new Set<string>();
  const way = new Set<string>();
  const stack: { id: string; targets: readonly string[]; at: number }[] = [];
  const enter = (id: string): void => {
    const entity = entities.get(id);
    const targets = entity ? next(entity) : none;
    if (targets.length === 0) return;
    way.add(id);
    stack.push({ id, targets, at: 0 });
  };
  for (const { id: start } of members) {
    if (finished.has(start)) continue;
    enter(start);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const id = top.targets[top.at++];
      if (id === undefined) {
        stack.pop();
        way.delete(top.id);
        finished.add(top.id);
      } else if (way.has(id)) {
        const ids = [...way];
        circles.push([...ids.slice(ids.indexOf(id)), id]);
      } else if (!finished.has(id)) enter(id);
    }
  }
  return circles;
}
