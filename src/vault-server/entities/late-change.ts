import { ToolFailure } from '../failures';
import { plainEnds } from '../line-ends';
import { unifiedDiff } from '../unified-diff';
import { isOfForm } from './field-form';
import { mergeTexts } from './merge-text';
import type { Entity } from './model';
import type { ChangeRequest } from './validate';
import type { Version } from './versions';

const longestValue = 500;
const longestDiff = 1_500;

/** What a change is made to, as far as its caller knows it. */
export interface Bases {
  /** Null: nobody here knows that the caller has seen this field. */
  of(field: string): Version | null;
  /** Fields in which the caller may be told what is another by now. */
  readonly known: Iterable<string>;
  /** The caller names no revision: then what loses nothing that stands there may be written unseen. */
  readonly isUntold: boolean;
}

export interface Settled {
  readonly body: string | undefined;
  /** All of the body is the caller's, nothing merged into it. */
  readonly ownBody: boolean;
  /** What stood there and the caller had not seen: kept, or small and replaced. */
  readonly told: readonly string[];
  /** Fields of which the caller is told all. */
  readonly toldFields: readonly string[];
}

/** Of a few words each, which a caller may choose without having seen the last choice; the answer tells it. */
const chosen: ReadonlySet<string> = new Set(['status', 'priority', 'archived']);

/**
 * A change, and what it is made to: what both sides changed in different places is kept of both. Where they meet, and
 * where something would be lost that the caller cannot have seen, it is refused with the difference and the present
 * revision.
 */
export function settle(parts: {
  readonly entity: Entity;
  readonly bases: Bases;
  readonly body: string;
  readonly request: ChangeRequest;
  /** What stands in a field, as it is written. */
  readonly written: (field: string) => string;
}): Settled {
  const { entity, bases, body, request, written } = parts;
  const present = (key: string) => (isOfForm(entity, key) ? shown(valueIn(entity, key)) : written(key));
  const wantedValues: Record<string, unknown> = { ...request.values };
  if (request.archived !== undefined) wantedValues.archived = request.archived;
  /** By field. */
  const differences = new Map<string, string>();
  const told: string[] = [];
  let isLate = false;
  for (const [key, wanted] of Object.entries(wantedValues)) {
    const base = bases.of(key);
    const now = valueIn(entity, key);
    if (isSame(now, wanted) || (base && isSame(valueIn(base, key), now))) continue;
    if (bases.isUntold && keepsAll(now, wanted)) continue;
    if (bases.isUntold && !base && chosen.has(key) && isOfForm(entity, key)) {
      told.push(`${key}: ${whole(now)} (replaced)`);
      continue;
    }
    if (base) isLate = true;
    const since = base ? `${shown(valueIn(base, key))} → ${present(key)}` : `${present(key)} now`;
    differences.set(key, `${key}: ${since} (yours: ${shown(wanted)})`);
  }
  const base = bases.of('body');
  const merged = mergedBody(base, body, request.body, bases.isUntold);
  if (merged === null) {
    if (base?.body != null) isLate = true;
    differences.set('body', bodyDifference(entity.id, base?.body ?? null, body, request.body));
  }
  if (differences.size > 0) throw refused(entity, bases.isUntold, isLate, differences);
  const elsewhere = changedElsewhere(entity, body, bases, new Set(Object.keys(wantedValues)));
  return {
    body: merged ?? undefined,
    ownBody: request.body !== undefined && merged === request.body,
    told: [...told, ...elsewhere.lines],
    toldFields: elsewhere.fields,
  };
}

/** What the caller knows otherwise and leaves alone. */
function changedElsewhere(entity: Entity, body: string, bases: Bases, asked: ReadonlySet<string>) {
  const lines: string[] = [];
  const fields: string[] = [];
  for (const key of bases.known) {
    const base = bases.of(key);
    if (!base || asked.has(key) || unheeded.has(key)) continue;
    if (key === 'body') {
      if (base.body !== null && base.body !== body)
        lines.push(bodyDifference(entity.id, base.body, body, ''));
      continue;
    }
    const [read, now] = [valueIn(base, key), valueIn(entity, key)];
    if (isSame(read, now)) continue;
    lines.push(`${key}: ${shown(read)} → ${shown(now)} (kept)`);
    if (shown(now).length <= longestValue) fields.push(key);
  }
  return { lines, fields };
}

const unheeded: ReadonlySet<string> = new Set([
  'updated',
  'created',
  'archived_from',
  'archived_with',
  'id',
  'type',
]);

export function valueIn({ values, archived }: Pick<Entity, 'values' | 'archived'>, key: string): unknown {
  if (key !== 'archived') return values[key];
  const written = values.archived;
  return written === undefined || written === null || typeof written === 'boolean' ? archived : written;
}

/** Nothing stands there, or all of the list that does is in the new one. */
function keepsAll(now: unknown, wanted: unknown): boolean {
  if (now === undefined || now === null || now === '') return true;
  if (!Array.isArray(now)) return false;
  const after = new Set(Array.isArray(wanted) ? wanted.map((item) => JSON.stringify(item)) : []);
  return now.every((item) => after.has(JSON.stringify(item)));
}

function refused(
  { id, revision }: Entity,
  isUntold: boolean,
  isLate: boolean,
  differences: ReadonlyMap<string, string>,
) {
  const difference = [...differences.values()].join('\n');
  const repeat = `repeat the same with "revision": "${revision}" for ${id}`;
  if (isUntold && !isLate) {
    return new ToolFailure('revision_needed', `${id} has what this would replace and you have not read.`, {
      field: 'revision',
      hint: `Nothing was written. If yours is to replace it, ${repeat}.`,
      revision,
      difference,
    });
  }
  const unknown = 'What it was when it was read is not known here any more, so this is what differs now. ';
  // Whoever asks for others is not handed what is refused here.
  const again = `Read it again with fields ${JSON.stringify([...differences.keys()])}${isUntold ? '' : ' and pass the revision that comes with them'}`;
  return new ToolFailure('conflict', `${id} was changed since it was read.`, {
    field: 'revision',
    hint: `Nothing was written. ${isLate ? '' : unknown}${again}; or, if yours is to hold against this difference, ${repeat}.`,
    revision,
    difference,
  });
}

function bodyDifference(id: string, read: string | null, now: string, wanted: string | undefined): string {
  const [heading, diff] =
    read === null
      ? ['body, from what is there now (-) to yours (+)', unifiedDiff(id, now, plainBody(wanted))]
      : ['body, from what was read (-) to what is there now (+)', unifiedDiff(id, read, now)];
  return `${heading}:\n${cut(diff, longestDiff)}`;
}

/** Null where both meet, or where nobody knows that the caller has seen what is there. */
function mergedBody(base: Version | null, now: string, wanted: string | undefined, isUntold: boolean) {
  if (wanted === undefined) return undefined;
  const read = base?.body ?? null;
  if (plainBody(wanted) === now || read === now || (isUntold && now === '' && read === null)) return wanted;
  return read === null ? null : mergeTexts(read, now, plainBody(wanted));
}

function plainBody(body = ''): string {
  return plainEnds(body).replace(/^\n+/, '').trimEnd();
}

export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

function shown(value: unknown): string {
  return cut(whole(value), longestValue);
}

function whole(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
