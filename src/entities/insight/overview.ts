import { type Entity, type EntityType, entityTypes, isOpen, kinds } from '../entity/model/model';
import { rank } from './analysis';
import { type Health, healthOf } from './work';

type Counts = Record<string, number>;

export interface WorkstreamOverview {
  readonly name: string;
  readonly health: Health;
  /** The open ones; all of them where completed ones were asked for. */
  readonly milestones: readonly Entity[];
  /** By status; null: none. */
  readonly stories: Counts | null;
  readonly tasks: Counts | null;
  /** Stories and tasks that are blocked or being worked on, the most urgent first. */
  readonly active: readonly Entity[];
}

export const noWorkstream = '(none)';

export function countsByType(members: readonly Entity[]): Record<string, Counts> {
  return Object.fromEntries(
    entityTypes.flatMap((type) => {
      const ofType = members.filter((entity) => entity.type === type);
      if (ofType.length === 0) return [];
      return [[kinds[type].plural, { total: ofType.length, ...countsByStatus(ofType, type) }]];
    }),
  );
}

function countsOf(members: readonly Entity[], type: EntityType): Counts | null {
  const ofType = members.filter((entity) => entity.type === type);
  return ofType.length === 0 ? null : countsByStatus(ofType, type);
}

const activeOrder = ['blocked', 'in_progress'];

function activeIn(members: readonly Entity[]): readonly Entity[] {
  const placeOf = ({ status }: Entity) => activeOrder.indexOf(status);
  return members
    .filter((entity) => (entity.type === 'story' || entity.type === 'task') && isOpen(entity))
    .filter((entity) => placeOf(entity) >= 0)
    .sort((a, b) => placeOf(a) - placeOf(b) || rank(b) - rank(a));
}

function countsByStatus(members: readonly Entity[], type: EntityType): Counts {
  const counts: Counts = Object.fromEntries(kinds[type].statuses.map((status) => [status, 0]));
  for (const { status } of members) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
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
      stories: countsOf(inside, 'story'),
      tasks: countsOf(inside, 'task'),
      active: activeIn(inside),
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
