import type { Entities } from '../entity/index/entities';
import { type Entity, isOpen, isWork } from '../entity/model/model';

const staleAfterDays = 14;
const day = 86_400_000;

/** Begun, and not touched for a fortnight. Stories and milestones move through their tasks. */
export function isStale(entity: Entity, now: Date): boolean {
  return (
    entity.type === 'task' &&
    entity.status === 'in_progress' &&
    isOpen(entity) &&
    daysSince(entity.updated, now) > staleAfterDays
  );
}

export function isOverdue(entity: Entity, now: Date): boolean {
  const target = entity.values.target_date;
  return isOpen(entity) && typeof target === 'string' && target.slice(0, 10) < now.toISOString().slice(0, 10);
}

export function daysSince(time: string, now: Date): number {
  return Math.floor((now.getTime() - Date.parse(time)) / day);
}

/** The longest chain of open work in which each waits for the one before, by hours where they are estimated. */
export function criticalPath(work: readonly Entity[]): readonly Entity[] {
  const open = new Map<string, Entity>();
  for (const entity of work) if (isWork(entity) && isOpen(entity)) open.set(entity.id, entity);
  const lengths = new Map<string, number>();
  const befores = new Map<string, string>();
  const entered = new Set<string>();
  /** Who waits for nothing is not entered; 0 for what is entered just now: a circle. */
  const lengthTo = (id: string): number => lengths.get(id) ?? (entered.has(id) ? 0 : weightOf(open.get(id)));
  const stack: { entity: Entity; needed: readonly string[]; next: number }[] = [];
  const enter = (entity: Entity): void => {
    const needed = entity.dependsOn.filter((id) => open.has(id));
    if (needed.length === 0) return;
    entered.add(entity.id);
    stack.push({ entity, needed, next: 0 });
  };
  // In an order in which what is waited for comes first; circles made by hand are left where they are entered.
  for (const start of open.values()) {
    if (lengths.has(start.id)) continue;
    enter(start);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const { entity, needed } = top;
      const further = open.get(needed[top.next++] ?? '');
      if (further) {
        if (!lengths.has(further.id) && !entered.has(further.id)) enter(further);
        continue;
      }
      stack.pop();
      let longest = 0;
      for (const each of needed) {
        const ofNext = lengthTo(each);
        if (ofNext <= longest) continue;
        longest = ofNext;
        befores.set(entity.id, each);
      }
      lengths.set(entity.id, longest + weightOf(entity));
    }
  }
  let last: string | null = null;
  let longest = 0;
  for (const id of open.keys()) {
    const length = lengthTo(id);
    if (length <= longest) continue;
    last = id;
    longest = length;
  }
  const path: Entity[] = [];
  for (let id = last; id !== null; id = befores.get(id) ?? null) {
    const entity = open.get(id);
    if (entity) path.unshift(entity);
  }
  return path.length > 1 ? path : [];
}

function weightOf(entity: Entity | undefined): number {
  const hours = entity?.values.estimate_hours;
  return typeof hours === 'number' && hours > 0 ? hours : 1;
}

const nothing: readonly Entity[] = [];

/** What an entity waits for: dependencies that are not done, and open decisions that are said to enable it. */
export function waitsFor(
  entity: Entity,
  entities: Entities,
  enabling: ReadonlyMap<string, readonly Entity[]>,
): readonly Entity[] {
  const decisions = enabling.get(entity.id) ?? nothing;
  if (entity.dependsOn.length === 0) return decisions;
  const needed = entity.dependsOn.map((id) => entities.get(id)).filter((each) => each !== undefined);
  return [...needed.filter(isOpen), ...decisions];
}

/** Open decisions by what they are said to enable. */
export function enablingDecisions(all: readonly Entity[]): ReadonlyMap<string, readonly Entity[]> {
  const enabling = new Map<string, Entity[]>();
  for (const decision of all) {
    if (decision.type !== 'decision' || !isOpen(decision)) continue;
    const { enables } = decision.values;
    for (const id of Array.isArray(enables) ? enables : []) {
      if (typeof id === 'string') enabling.set(id, [...(enabling.get(id) ?? []), decision]);
    }
  }
  return enabling;
}

export type Health = 'healthy' | 'at_risk' | 'blocked';

/** Why a workstream is not healthy, and what makes it so. */
export type Trouble = 'critical_path' | 'overdue' | 'many_stuck';

export function healthOf(members: readonly Entity[], now: Date): Health {
  return examine(members, now).health;
}

export function examine(
  members: readonly Entity[],
  now: Date,
): { readonly health: Health; readonly trouble: Trouble | null; readonly because: readonly Entity[] } {
  const open = members.filter((entity) => isWork(entity) && isOpen(entity));
  const stuck = criticalPath(members).filter((entity) => entity.status === 'blocked');
  if (stuck.length > 0) return { health: 'blocked', trouble: 'critical_path', because: stuck };
  const overdue = open.filter((entity) => isOverdue(entity, now));
  if (overdue.length > 0) return { health: 'at_risk', trouble: 'overdue', because: overdue };
  const troubled = open.filter((entity) => entity.status === 'blocked' || isStale(entity, now));
  if (troubled.length > open.length * 0.3) {
    return { health: 'at_risk', trouble: 'many_stuck', because: troubled };
  }
  return { health: 'healthy', trouble: null, because: [] };
}
