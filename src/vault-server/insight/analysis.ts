import type { Entities } from '../entities/catalog';
import { type Entity, idsIn, isOpen, isWork, writableFields } from '../entities/model';
import { criticalPath, daysSince, enablingDecisions, isOverdue, isStale, waitsFor } from './work';

const most = 10;
const mostOfAKind = 2;

/** What stands in the way of a project and what could be done next; the same vault on the same day gives the same answer. */
export function analyze(members: readonly Entity[], entities: Entities, now: Date) {
  const open = members.filter(isOpen);
  const work = open.filter(isWork);
  const enabling = enablingDecisions(entities.all());
  const waiting = new Map(work.map((entity) => [entity.id, waitsFor(entity, entities, enabling)]));
  const critical = criticalPath(members);
  const onPath = new Set(critical.map((entity) => entity.id));

  const blockers = work
    .filter((entity) => entity.status === 'blocked')
    .map((entity) => ({ entity, holdsUp: heldUpBy(entity, entities) }))
    .sort((a, b) => b.holdsUp.length - a.holdsUp.length)
    .map(({ entity, holdsUp }) => ({
      ...brief(entity),
      waits_for: (waiting.get(entity.id) ?? []).map((each) => each.id),
      holds_up: holdsUp.slice(0, 10),
      holds_up_count: holdsUp.length,
    }));
  const ready = work
    .filter((entity) => entity.type !== 'milestone' && entity.status === 'not_started')
    .filter((entity) => waiting.get(entity.id)?.length === 0 && !hasOpenParts(entity, entities))
    .sort((a, b) => Number(onPath.has(b.id)) - Number(onPath.has(a.id)) || rank(b) - rank(a));
  const decisions = open
    .filter((entity) => entity.type === 'decision')
    .map((entity) => ({ entity, blocks: blockedByDecision(entity, entities) }))
    .filter(({ blocks }) => blocks.length > 0)
    .sort((a, b) => b.blocks.length - a.blocks.length)
    .map(({ entity, blocks }) => ({ ...brief(entity), blocks }));
  const stale = work.filter((entity) => isStale(entity, now));
  const overdue = work.filter((entity) => entity.type === 'milestone' && isOverdue(entity, now));
  const circles = findCircles(members, entities);
  const broken = members.flatMap((entity) => brokenReferences(entity, entities));
  const orphans = work.filter(
    (entity) => entity.type !== 'milestone' && (entity.parent === null || !entities.get(entity.parent)),
  );
  const duplicates = [...entities.duplicates()].map(([id, paths]) => ({ id, paths }));

  const steps = [
    circles.map((circle) => ({ do: 'break the circle', id: circle[0] ?? '', why: circle.join(' → ') })),
    broken.map(({ id, field, missing }) => ({
      do: 'repair the reference',
      id,
      why: `${field} names ${missing}`,
    })),
    decisions.map(({ id, blocks }) => ({ do: 'decide', id, why: `blocks ${blocks.join(', ')}` })),
    blockers
      .filter((blocker) => onPath.has(blocker.id) || blocker.holds_up_count > 0)
      .map(({ id, holds_up_count }) => ({
        do: 'unblock',
        id,
        why: onPath.has(id) ? 'on the critical path' : `holds up ${holds_up_count}`,
      })),
    ready.map((entity) => ({
      do: 'start',
      id: entity.id,
      why: onPath.has(entity.id)
        ? 'ready, on the critical path'
        : `ready, ${entity.priority ?? 'medium'} priority`,
    })),
    overdue.map((entity) => ({
      do: 'replan',
      id: entity.id,
      why: `due ${String(entity.values.target_date)}`,
    })),
    stale.map((entity) => ({
      do: 'look after',
      id: entity.id,
      why: `untouched for ${daysSince(entity.updated, now)} days`,
    })),
  ].flatMap((kind) => kind.slice(0, mostOfAKind));

  const lists = {
    blockers,
    ready: ready.map(brief),
    critical_path: critical.map(brief),
    cycles: circles,
    broken_references: broken,
    duplicate_ids: duplicates,
    unreadable_notes: entities.unreadable(),
    orphans: orphans.map(brief),
    stale: stale.map((entity) => ({ ...brief(entity), days: daysSince(entity.updated, now) })),
    overdue: overdue.map((entity) => ({ ...brief(entity), target_date: String(entity.values.target_date) })),
    pending_decisions: decisions,
    next_steps: steps,
  };
  return {
    counts: Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.length])),
    lists,
    limit: most,
  };
}

function brief(entity: Entity) {
  return { id: entity.id, title: entity.title, status: entity.status };
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
  const held = new Set<string>();
  const queue = [entity.id];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    for (const next of entities.dependents(id)) {
      if (!isOpen(next) || next.id === entity.id || held.has(next.id)) continue;
      held.add(next.id);
      queue.push(next.id);
    }
  }
  return [...held];
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

function brokenReferences(
  entity: Entity,
  entities: Entities,
): { id: string; field: string; missing: string }[] {
  const broken: { id: string; field: string; missing: string }[] = [];
  for (const [field, kind] of writableFields(entity.type)) {
    if (kind !== 'id' && kind !== 'ids') continue;
    for (const target of idsIn(entity.values[field])) {
      if (!entities.get(target)) broken.push({ id: entity.id, field, missing: target });
    }
  }
  return broken;
}

/** Circles of parents and of dependencies; a person's editor knows nothing of either. */
function findCircles(members: readonly Entity[], entities: Entities): string[][] {
  return [
    ...circlesOf(members, (entity) => entity.dependsOn, entities),
    ...circlesOf(members, (entity) => (entity.parent === null ? [] : [entity.parent]), entities),
  ];
}

function circlesOf(
  members: readonly Entity[],
  next: (entity: Entity) => readonly string[],
  entities: Entities,
): string[][] {
  const circles: string[][] = [];
  const finished = new Set<string>();
  for (const { id: start } of members) {
    if (finished.has(start)) continue;
    const stack = [{ id: start, at: 0 }];
    const way = new Set([start]);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const entity = entities.get(top.id);
      const id = entity && next(entity)[top.at++];
      if (id === undefined) {
        stack.pop();
        way.delete(top.id);
        finished.add(top.id);
      } else if (way.has(id)) {
        const ids = [...way];
        circles.push([...ids.slice(ids.indexOf(id)), id]);
      } else if (!finished.has(id)) {
        way.add(id);
        stack.push({ id, at: 0 });
      }
    }
  }
  return circles;
}
