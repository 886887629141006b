import { ToolFailure } from '../../base/failures';
import { type Entity, idsIn } from '../model/model';
import { type Related, wayAlong } from './references';

/** What has to be done before an entity is: what it depends on, its parts, and the decisions that enable it. */
export function needsOf(lookup: Related): (entity: Entity) => readonly string[] {
  const enabling = new Map<string, string[]>();
  for (const { id, type, values } of lookup.all()) {
    if (type !== 'decision') continue;
    for (const target of idsIn(values.enables)) enabling.set(target, [...(enabling.get(target) ?? []), id]);
  }
  return ({ id, dependsOn }) => [
    ...dependsOn,
    ...lookup.children(id).map((child) => child.id),
    ...(enabling.get(id) ?? []).filter((decision) => decision !== id),
  ];
}

/** Refuses what would make an entity wait for itself, by whatever leads from one to the next. */
export function checkWaiting(change: {
  /** Null: a new one. */
  readonly id: string | null;
  readonly values: Readonly<Record<string, unknown>>;
  readonly lookup: Related;
}): void {
  const { id, values, lookup } = change;
  const before = id === null ? undefined : lookup.get(id);
  const sets = (field: string): boolean => field in values;
  if (!['parent', 'depends_on', 'enables'].some(sets)) return;
  const self = id ?? 'it';
  const needed = sets('depends_on') ? idsIn(values.depends_on) : (before?.dependsOn ?? []);
  const parent = sets('parent') ? idsIn(values.parent) : before?.parent ? [before.parent] : [];
  const enabled = idsIn(sets('enables') ? values.enables : before?.values.enables);
  const waitFor = new Set([...parent, ...enabled]);
  const others = needsOf(lookup);
  const next = (at: string): readonly string[] => {
    const entity = lookup.get(at);
    const needs = entity ? others(entity) : [];
    if (at === self) return [...needed, ...needs.filter((each) => !before?.dependsOn.includes(each))];
    const rest = needs.filter((each) => each !== self || entity?.dependsOn.includes(self));
    return waitFor.has(at) ? [...rest, self] : rest;
  };
  const refuse = (field: string, way: readonly string[]): never => {
    throw new ToolFailure('cycle', `In a circle each would wait for the next: ${way.join(' → ')}`, {
      field,
      hint: 'Each waits for what it depends on, for its parts, and for decisions that enable it.',
    });
  };
  // A circle that somebody made by hand does not keep its members where they are: only what is being set may close one.
  if (sets('depends_on')) {
    for (const target of needed) {
      const way = wayAlong(target, new Set([self]), next);
      if (way) refuse('depends_on', [self, ...way]);
    }
  }
  for (const [field, targets] of [
    ['parent', parent],
    ['enables', enabled],
  ] as const) {
    const way = sets(field) ? wayAlong(self, new Set(targets.filter((each) => each !== self)), next) : null;
    if (way) refuse(field, [...way, self]);
  }
}
