import { ToolFailure } from '../failures';
import { plainEnds } from '../line-ends';
import { unifiedDiff } from '../unified-diff';
import { isOfForm } from './field-form';
import { mergeTexts } from './merge-text';
import type { Entity } from './model';
import { printReading } from './reading';
import type { ChangeRequest } from './validate';
import type { Version } from './versions';

const longestValue = 500;
const longestDiff = 1_500;

/** What a change is made to, as far as its caller knows it. */
export interface Bases {
  /** Null: nobody here knows what the caller means to change. */
  of(field: string): Version | null;
  /** The caller was handed what stood in a field then. */
  isRead(field: string): boolean;
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
  /** What the caller knows as it is now, or is told by a refusal; and what it is told only in part. */
  const known = new Set<string>();
  const cutShort = new Set<string>();
  let why: Why = 'unread';
  const differs = (key: string, line: string, isAsRead: boolean): void => {
    differences.set(key, line);
    const then = bases.of(key);
    // The text of a version is forgotten before its fields.
    const isForgotten = then === null || (key === 'body' && bases.isRead(key) && then.body === null);
    if (isForgotten && !bases.isUntold && why === 'unread') why = 'forgotten';
    if (then !== null && !isAsRead) why = 'late';
  };
  for (const [key, wanted] of Object.entries(wantedValues)) {
    const base = bases.of(key);
    const now = valueIn(entity, key);
    const isAsRead = base !== null && isSame(valueIn(base, key), now);
    if (isSame(now, wanted) || (isAsRead && bases.isRead(key))) {
      known.add(key);
      continue;
    }
    const mayBeUnread = bases.isUntold || isAsRead;
    if (mayBeUnread && keepsAll(now, wanted)) continue;
    if (mayBeUnread && !bases.isRead(key) && chosen.has(key) && isOfForm(entity, key)) {
      if (bases.isUntold || now !== false) told.push(`${key}: ${whole(now)} (replaced)`);
      continue;
    }
    const stands = present(key);
    const since = base && !isAsRead ? `${shown(valueIn(base, key))} → ${stands}` : `${stands} now`;
    differs(key, `${key}: ${since} (yours: ${shown(wanted)})`, isAsRead);
    if (isOfForm(entity, key) && stands !== whole(now)) cutShort.add(key);
  }
  const base = bases.of('body');
  const read = bases.isRead('body') ? (base?.body ?? null) : null;
  const mayBeEmpty = bases.isUntold || base?.body === '';
  const merged = mergedBody(read, body, request.body, mayBeEmpty);
  if (read === body) known.add('body');
  if (merged === null) {
    const { line, isWhole } = bodyDifference(entity.id, read, body, request.body);
    differs('body', line, (base?.body ?? body) === body);
    if (!isWhole) cutShort.add('body');
  }
  if (differences.size > 0)
    throw refused({ entity, isUntold: bases.isUntold, why, differences, known, cutShort, body });
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
        lines.push(bodyDifference(entity.id, base.body, body, '').line);
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

/** Never handed to the caller; changed since; or what was read is known to nobody any more. */
type Why = 'unread' | 'late' | 'forgotten';

function refused(parts: {
  readonly entity: Entity;
  readonly isUntold: boolean;
  readonly why: Why;
  readonly differences: ReadonlyMap<string, string>;
  readonly known: ReadonlySet<string>;
  readonly cutShort: ReadonlySet<string>;
  readonly body: string;
}): ToolFailure {
  const { entity, isUntold, why, differences, known, cutShort, body } = parts;
  const { id } = entity;
  const knows = (field: string) => known.has(field) || differences.has(field);
  const more = {
    field: 'revision',
    // Whoever just takes the present one and asks again has not read what is told in part only.
    revision: printReading(entity, (field) => knows(field) && !cutShort.has(field)),
    difference: [...differences.values()].join('\n'),
  };
  const repeat = `repeat the same with "revision": "${printReading(entity, knows)}" for ${id}`;
  if (why === 'unread') {
    return new ToolFailure('revision_needed', `${id} has what this would replace and you have not read.`, {
      ...more,
      hint: `Nothing was written. ${cutShort.size === 0 ? 'If yours is to replace it' : unreadWays(id, [...cutShort], body)}, ${repeat}.`,
    });
  }
  const unknown = 'What it was when it was read is not known here any more, so this is what differs now. ';
  // Whoever asks for others is not handed what is refused here.
  const again = `Read it again with fields ${JSON.stringify([...differences.keys()])}${isUntold ? '' : ' and pass the revision that comes with them'}`;
  return new ToolFailure('conflict', `${id} was changed since it was read.`, {
    ...more,
    hint: `Nothing was written. ${why === 'late' ? '' : unknown}${again}; or, if yours is to hold against this difference, ${repeat}.`,
  });
}

/** Where more would be lost than the difference tells. */
function unreadWays(id: string, fields: readonly string[], body: string): string {
  const asked = JSON.stringify({ id, fields });
  const other = fields.includes('body')
    ? ` (body: ${body.length} characters, with its cursor to the end)`
    : '';
  const add = fields.includes('body')
    ? '; or add to the body or change passages of it with update_doc (append, edits)'
    : '';
  return `Read it whole, get_entity ${asked}${other}, and pass the revision that comes last${add}; or, to replace unread what the difference does not show`;
}

function bodyDifference(id: string, read: string | null, now: string, wanted: string | undefined) {
  const [heading, diff] =
    read === null
      ? ['body, from what is there now (-) to yours (+)', unifiedDiff(id, now, plainBody(wanted))]
      : ['body, from what was read (-) to what is there now (+)', unifiedDiff(id, read, now)];
  return { line: `${heading}:\n${cut(diff, longestDiff)}`, isWhole: diff.length <= longestDiff };
}

/** Null where both meet, or where nobody knows that the caller has seen what is there. */
function mergedBody(read: string | null, now: string, wanted: string | undefined, mayBeEmpty: boolean) {
  if (wanted === undefined) return undefined;
  if (plainBody(wanted) === now || read === now || (mayBeEmpty && now === '' && read === null)) return wanted;
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
