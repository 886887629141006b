import type { NextStep, ProjectOverview, Workstream } from '../../contract/projects';
import {
  analyze,
  type Entities,
  type Entity,
  entityTypes,
  examine,
  isOverdue,
  isWork,
  kinds,
} from '../../entities/project';
import { briefOf } from './brief';

const most = { list: 12, because: 5, stepsOfOne: 3, problems: 50 };

/** In a project of 10,000 each part takes tens of milliseconds; notes are typed in meanwhile. */
const breathe = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Where a project stands. `scope` may hold archived entities; they count as such only. */
export async function overviewOf(
  scope: readonly Entity[],
  entities: Entities,
  now: Date,
): Promise<ProjectOverview> {
  const members = scope.filter((entity) => !entity.archived);
  const { lists } = analyze(members, entities, now);
  const onPath = new Set(lists.critical_path.map(({ id }) => id));
  const problems: ProjectOverview['problems'] = [
    ...lists.cycles.map((ids) => ({ kind: 'circle' as const, ids })),
    ...lists.broken_references.map((broken) => ({ kind: 'broken' as const, ...broken })),
    ...lists.duplicate_ids.map(({ id, paths }) => ({ kind: 'duplicate' as const, id, paths: [...paths] })),
    ...lists.unreadable_notes.map((path) => ({ kind: 'unreadable' as const, path })),
  ];
  const workstreams = await workstreamsOf(members, entities, now);
  return {
    counts: countsOf(members),
    archived: scope.length - members.length,
    workstreams,
    milestones: members
      .filter((entity) => entity.type === 'milestone')
      .map((entity) => ({ ...briefOf(entity, entities, now), ...progressOf(entity, entities) })),
    steps: stepsOf(lists, onPath, entities),
    blockers: lists.blockers.slice(0, most.list).map(({ id, title, status, waits_for, holds_up_count }) => ({
      ...{ id, title, status },
      waitsFor: waits_for,
      holdsUp: holds_up_count,
    })),
    ready: lists.ready.slice(0, most.list),
    criticalPath: lists.critical_path.slice(0, most.list),
    stale: lists.stale.slice(0, most.list),
    problems: problems.slice(0, most.problems),
    totals: {
      blockers: lists.blockers.length,
      ready: lists.ready.length,
      criticalPath: lists.critical_path.length,
      stale: lists.stale.length,
      problems: problems.length,
    },
  };
}

async function workstreamsOf(
  members: readonly Entity[],
  entities: Entities,
  now: Date,
): Promise<Workstream[]> {
  const byName = [...Map.groupBy(members, (entity) => entity.workstream)].sort(([a], [b]) =>
    a === null ? 1 : b === null ? -1 : a < b ? -1 : 1,
  );
  const workstreams: Workstream[] = [];
  for (const [name, inside] of byName) {
    await breathe();
    const { health, trouble, because } = examine(inside, now);
    const { lists } = analyze(inside, entities, now);
    const onPath = new Set(lists.critical_path.map(({ id }) => id));
    workstreams.push({
      ...{ name, health, trouble },
      because: because.slice(0, most.because).map(({ id, title }) => ({ id, title })),
      becauseCount: because.length,
      counts: countsOf(inside),
      overdue: inside.filter((entity) => isOverdue(entity, now)).length,
      steps: stepsOf(lists, onPath, entities).slice(0, most.stepsOfOne),
    });
  }
  return workstreams;
}

function countsOf(members: readonly Entity[]): ProjectOverview['counts'] {
  const counts: ProjectOverview['counts'] = {};
  for (const type of entityTypes) {
    const ofType = members.filter((entity) => entity.type === type);
    if (ofType.length === 0) continue;
    const byStatus: Record<string, number> = {};
    for (const status of kinds[type].statuses) byStatus[status] = 0;
    for (const { status } of ofType) byStatus[status] = (byStatus[status] ?? 0) + 1;
    counts[type] = Object.fromEntries(Object.entries(byStatus).filter(([, count]) => count > 0));
  }
  return counts;
}

/** Stories and tasks below a milestone; a story that has tasks is counted by them. */
function progressOf(milestone: Entity, entities: Entities): { done: number; total: number } {
  let [done, total] = [0, 0];
  const ids = new Set([milestone.id]);
  const queue = [milestone.id];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    for (const child of entities.children(id)) {
      if (ids.has(child.id) || child.archived || !isWork(child)) continue;
      ids.add(child.id);
      queue.push(child.id);
      const parts = entities.children(child.id).filter((part) => isWork(part) && !part.archived);
      if (parts.length > 0) continue;
      total++;
      if (kinds[child.type].done.includes(child.status)) done++;
    }
  }
  return { done, total };
}

type Lists = ReturnType<typeof analyze>['lists'];

/** The steps that the analysis suggests, each with its reason as a value. */
function stepsOf(lists: Lists, onPath: ReadonlySet<string>, entities: Entities): NextStep[] {
  const counts = new Map<string, number>();
  const whyOf = (step: Lists['next_steps'][number]): NextStep['why'] | null => {
    const { id } = step;
    /** An entity may have several of them, each with a step of its own, in the same order. */
    const take = <T>(what: string, list: readonly T[], idOf: (each: T) => string | undefined) => {
      const count = counts.get(`${what} ${id}`) ?? 0;
      counts.set(`${what} ${id}`, count + 1);
      return list.filter((each) => idOf(each) === id)[count];
    };
    const own = <T extends { readonly id: string }>(list: readonly T[]) =>
      list.find((each) => each.id === id);
    switch (step.do) {
      case 'break the circle':
        return { kind: 'break-circle', circle: take('circle', lists.cycles, ([first]) => first) ?? [id] };
      case 'repair the reference': {
        const broken = take('broken', lists.broken_references, (each) => each.id);
        return broken ? { kind: 'repair', field: broken.field, missing: broken.missing } : null;
      }
      case 'decide':
        return { kind: 'decide', blocks: own(lists.pending_decisions)?.blocks ?? [] };
      case 'unblock':
        return {
          kind: 'unblock',
          critical: onPath.has(id),
          holdsUp: own(lists.blockers)?.holds_up_count ?? 0,
        };
      case 'start':
        return {
          kind: 'start',
          critical: onPath.has(id),
          priority: entities.get(id)?.priority ?? 'medium',
        };
      case 'replan':
        return { kind: 'replan', due: own(lists.overdue)?.target_date ?? '' };
      case 'look after':
        return { kind: 'look-after', days: own(lists.stale)?.days ?? 0 };
      default:
        return null;
    }
  };
  return lists.next_steps.flatMap((step) => {
    const why = whyOf(step);
    return why ? [{ id: step.id, title: entities.get(step.id)?.title ?? step.id, why }] : [];
  });
}
