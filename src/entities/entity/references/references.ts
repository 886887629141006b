import { ToolFailure } from '../../base/failures';
import {
  compareIds,
  type Entity,
  type EntityType,
  idsIn,
  kinds,
  parseId,
  referenceFields,
} from '../model/model';
import type { Trouble } from '../note/trouble';

/** What is checked against: the vault as it would be after the changes made so far. */
export interface Lookup {
  get(id: string): Entity | undefined;
  all(): Iterable<Entity>;
  /** Notes that may be entities and are none, by path. */
  troubled?(): ReadonlyMap<string, Trouble>;
}

/** With the parts of each. */
export interface Related extends Lookup {
  children(id: string): readonly Entity[];
}

/**
 * Every id that is being set must be that of an entity; parents and what replaces what stay free of circles.
 */
export function checkReferences(
  id: string | null,
  type: EntityType,
  values: Readonly<Record<string, unknown>>,
  lookup: Lookup,
): void {
  for (const field of referenceFields(type)) {
    for (const target of idsIn(values[field])) {
      if (target === id && !ofCircles.has(field)) {
        throw new ToolFailure('cycle', `${field}: ${id} can’t name itself.`, { field });
      }
      if (!lookup.get(target)) {
        const broken = brokenNote(target, lookup);
        throw new ToolFailure(
          'unresolved_reference',
          `${field}: ${broken?.message ?? `there is no ${target}.`}`,
          {
            field,
            hint: broken?.hint ?? nearestHint(target, lookup),
          },
        );
      }
    }
  }
  const [parent] = idsIn(values.parent);
  if (parent !== undefined) checkParent(id, type, parent, lookup);
  if (id !== null) checkSuperseding(id, values, lookup);
}

/** A circle of one is told as one. */
const ofCircles: ReadonlySet<string> = new Set(['parent', 'depends_on', 'supersedes', 'superseded_by']);

/** Nearest first. */
export function ancestorsOf(id: string, { get }: Pick<Lookup, 'get'>): string[] {
  const ancestors: string[] = [];
  for (
    let at = get(id)?.parent ?? null;
    at !== null && at !== id && !ancestors.includes(at);
    at = get(at)?.parent ?? null
  ) {
    ancestors.push(at);
  }
  return ancestors;
}

/** What an entity replaced, as either of the two says it. */
export function replacedBy(entities: Iterable<Entity>): ReadonlyMap<string, readonly string[]> {
  const replaced = new Map<string, string[]>();
  const add = (newer: string, older: string): void => {
    const earlier = replaced.get(newer) ?? [];
    if (!earlier.includes(older)) replaced.set(newer, [...earlier, older]);
  };
  for (const { id, values } of entities) {
    for (const older of idsIn(values.supersedes)) add(id, older);
    for (const newer of idsIn(values.superseded_by)) add(newer, id);
  }
  return replaced;
}

function checkSuperseding(id: string, values: Readonly<Record<string, unknown>>, lookup: Lookup): void {
  for (const field of ['supersedes', 'superseded_by']) {
    for (const other of idsIn(values[field])) {
      const replaced = replacedBy(lookup.all());
      const [newer, older] = field === 'supersedes' ? [id, other] : [other, id];
      const way = wayAlong(older, new Set([newer]), (at) => replaced.get(at) ?? []);
      if (!way) continue;
      throw new ToolFailure('cycle', `They would replace each other: ${[newer, ...way].join(' → ')}`, {
        field,
        hint: `Leave ${other} out of ${field}, or take out the step of this way that is not so.`,
      });
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
  const visited = new Set<string>();
  for (let at: string | null = parent; at !== null && !visited.has(at); at = lookup.get(at)?.parent ?? null) {
    visited.add(at);
    if (at === id) {
      throw new ToolFailure('cycle', `${id} would be above itself: ${[...visited].reverse().join(' → ')}`, {
        field: 'parent',
      });
    }
  }
}

/** The way from one to any of the others, both included; null where there is none. */
export function wayAlong(
  from: string,
  goals: ReadonlySet<string>,
  nextOf: (id: string) => readonly string[],
): string[] | null {
  const cameFrom = new Map<string, string | null>([[from, null]]);
  const queue = [from];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    if (goals.has(id)) {
      const way: string[] = [];
      for (let at: string | null = id; at !== null; at = cameFrom.get(at) ?? null) way.unshift(at);
      return way;
    }
    for (const next of nextOf(id)) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, id);
      queue.push(next);
    }
  }
  return null;
}

export function notFound(id: string, lookup: Lookup, field = 'id'): ToolFailure {
  const broken = brokenNote(id, lookup);
  return new ToolFailure('not_found', broken?.message ?? `There is no ${id.slice(0, 80)}.`, {
    field,
    hint: broken?.hint ?? nearestHint(id, lookup),
  });
}

/** Of an id whose note is there, and no entity as it is. */
export function brokenNote(id: string, { troubled }: Lookup): { message: string; hint: string } | null {
  const parsed = parseId(id);
  for (const [path, trouble] of (parsed && troubled?.()) ?? []) {
    const its = parseId(trouble.id ?? '');
    if (its?.type !== parsed?.type || its?.number !== parsed?.number) continue;
    return {
      message: `The note of ${id.trim().slice(0, 80)}, “${path}”, can’t be read as one: ${whatIsWrong(trouble)}`,
      hint: 'check_project tells how to put it right.',
    };
  }
  return null;
}

function whatIsWrong(trouble: Trouble): string {
  switch (trouble.kind) {
    case 'unreadable':
      return trouble.problem;
    case 'unclosed':
      return 'its front matter has no end (---).';
    case 'too-large':
      return 'it is too large.';
    case 'no-id':
      return 'it has no id that can be taken.';
  }
}

function nearestHint(id: string, lookup: Lookup): string {
  const near = nearestIds(id, lookup);
  return near.length > 0 ? `Nearest: ${near.join(', ')}` : 'There are no ids like that yet.';
}

/** Those of the same type with the nearest numbers; for what is no id at all, those that share its digits. */
function nearestIds(id: string, lookup: Lookup): string[] {
  const parsed = parseId(id);
  const number = parsed?.number ?? Number(/\d+/.exec(id)?.[0] ?? Number.NaN);
  if (Number.isNaN(number)) return [];
  const distance = (other: string): number => Math.abs((parseId(other)?.number ?? 0) - number);
  return [...lookup.all()]
    .filter((entity) => !parsed || entity.type === parsed.type)
    .map((entity) => entity.id)
    .sort((a, b) => distance(a) - distance(b) || compareIds(a, b))
    .slice(0, 3);
}
