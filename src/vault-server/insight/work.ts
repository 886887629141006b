import type { Entities } from '../entities/catalog';
import { type Entity, isOpen, isWork } from '../entities/model';

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
  const open = new Map(
    work.filter((entity) => isWork(entity) && isOpen(entity)).map((entity) => [entity.id, entity]),
  );
  const best = new Map<string, { length: number; before: string | null }>();
  // In an order in which what is waited for comes first; circles made by hand are left where they are entered.
  for (const start of open.keys()) {
    const stack: { id: string; next: number }[] = [{ id: start, next: 0 }];
    const entered = new Set<string>([start]);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const needed = (open.get(top.id)?.dependsOn ?? []).filter((id) => open.has(id));
      const id = needed[top.next++];
      if (id !== undefined) {
        if (best.has(id) || entered.has(id)) continue;
        entered.add(id);
        stack.push({ id, next: 0 });
        continue;
      }
      stack.pop();
      let length = 0;
      let before: string | null = null;
      for (const each of needed) {
        const known = best.get(each)?.length ?? 0;
        if (known > length) [length, before] = [known, each];
      }
      best.set(top.id, { length: length + weightOf(open.get(top.id)), before });
    }
  }
  let last: string | null = null;
  let longest = 0;
  for (const [id, { length }] of best) if (length > longest) [last, longest] = [id, length];
  const path: Entity[] = [];
  for (let id = last; id !== null; id = best.get(id)?.before ?? null) {
    const entity = open.get(id);
    if (entity) path.unshift(entity);
  }
  return path.length > 1 ? path : [];
}

function weightOf(entity: Entity | undefined): number {
  const hours = entity?.values.estimate_hours;
  return typeof hours === 'number' && hours > 0 ? hours : 1;
}

/** What an entity waits for: dependencies that are not done, and open decisions that are said to enable it. */
export function waitsFor(
  entity: Entity,
  entities: Entities,
  enabling: ReadonlyMap<string, readonly Entity[]>,
): Entity[] {
  const needed = entity.dependsOn.map((id) => entities.get(id)).filter((each) => each !== undefined);
  return [...needed.filter(isOpen), ...(enabling.get(entity.id) ?? [])];
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
