import { type Entity, type EntityType, entityTypes, isOpen, kinds } from '../entities/model';
import { rank } from './analysis';
import { type Health, healthOf } from './work';

type Counts = Record<string, number>;

export interface WorkstreamOverview {
  readonly name: string;
  readonly health: Health;
  /** The open ones; all of them where completed ones were asked for. */
  readonly milestones: readonly Entity[];
  readonly stories: Counts;
  readonly tasks: Counts;
}

export const noWorkstream = '(none)';

export function countsByType(members: readonly Entity[]): Record<string, Counts> {
  return Object.fromEntries(
    entityTypes.map((type) => {
      const ofType = members.filter((entity) => entity.type === type);
      return [kinds[type].plural, { total: ofType.length, ...countsByStatus(ofType, type) }];
    }),
  );
}

function countsByStatus(members: readonly Entity[], type: EntityType): Counts {
  const counts: Counts = Object.fromEntries(kinds[type].statuses.map((status) => [status, 0]));
  for (const { status } of members) counts[status] = (counts[status] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

export function workstreamsOf(
  members: readonly Entity[],
  includeCompleted: boolean,
  now: Date,
): readonly WorkstreamOverview[] {
  const byName = Map.groupBy(members, (entity) => entity.workstream ?? noWorkstream);
  return [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inside]) => ({
      name,
      health: healthOf(inside, now),
      milestones: inside.filter(
        (entity) => entity.type === 'milestone' && (includeCompleted || isOpen(entity)),
      ),
      stories: countsByStatus(
        inside.filter((entity) => entity.type === 'story'),
        'story',
      ),
      tasks: countsByStatus(
        inside.filter((entity) => entity.type === 'task'),
        'task',
      ),
    }));
}

/** Members in groups, groups in the order of work: the statuses', the types', urgent priorities first. */
export function groupedBy(
  members: readonly Entity[],
  by: 'status' | 'type' | 'priority',
): readonly (readonly [string, readonly Entity[]])[] {
  const order: readonly string[] =
    by === 'type'
      ? entityTypes
      : by === 'status'
        ? [
            'blocked',
            'in_progress',
            'not_started',
            'pending',
            'draft',
            'review',
            'completed',
            'decided',
            'approved',
            'superseded',
          ]
        : ['critical', 'high', 'medium', 'low'];
  const placeOf = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
  return [
    ...Map.groupBy(members, (entity) => (by === 'priority' ? (entity.priority ?? 'medium') : entity[by])),
  ]
    .map(([key, group]) => [key, group.toSorted((a, b) => rank(b) - rank(a))] as const)
    .sort(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
}
