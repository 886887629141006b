import { type FieldDifference, ToolFailure } from '../base/failures';
import { plainEnds } from '../base/line-ends';
import { mergeTexts } from '../base/merge-text';
import { diffSinceRead, diffToYours, type Shown, shownText, waysOn } from '../base/refusal-words';
import { printReading } from '../entity/handed-out/reading';
import type { Version } from '../entity/handed-out/versions';
import { isOfForm } from '../entity/model/field-form';
import type { Entity } from '../entity/model/model';
import type { ChangeRequest } from './validate';

const longestValue = 500;

/** What a change is made to, as far as its caller knows it. */
export interface Bases {
  /** Null: nobody here knows what the caller means to change. */
  of(field: string): Version | null;
  /** The caller was handed what stood in a field then. */
  isRead(field: string): boolean;
  /** Fields in which the caller may be told what is another by now. */
  readonly knownFields: Iterable<string>;
  /** The caller names no revision: then what loses nothing that stands there may be written unseen. */
  readonly isUntold: boolean;
}

export interface Settled {
  readonly body: string | undefined;
  /** All of the body is the caller's, nothing merged into it. */
  readonly ownBody: boolean;
  /** What stood there and the caller had not seen: kept, or small and replaced. */
  readonly notices: readonly string[];
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
  const present = (key: string): Shown =>
    isOfForm(entity, key) ? shownValue(valueIn(entity, key)) : { text: written(key), hidden: 0 };
  const wantedValues: Record<string, unknown> = { ...request.values };
  if (request.archived !== undefined) wantedValues.archived = request.archived;
  /** By field. */
  const differences = new Map<string, Difference>();
  const notices: string[] = [];
  /** What the caller knows as it is now, or is told by a refusal; and what it is told only in part. */
  const current = new Set<string>();
  const cutShort = new Map<string, number>();
  let why: Why = 'unread';
  const differs = (key: string, isAsRead: boolean, difference: Difference): void => {
    differences.set(key, difference);
    const then = bases.of(key);
    // The text of a version is forgotten before its fields.
    const isForgotten = then === null || (key === 'body' && bases.isRead(key) && then.body === null);
    if (isForgotten && !bases.isUntold && why === 'unread') why = 'forgotten';
    if (then !== null && !isAsRead) why = 'late';
  };
  for (const [key, target] of Object.entries(wantedValues)) {
    const base = bases.of(key);
    const now = valueIn(entity, key);
    const isAsRead = base !== null && isSame(valueIn(base, key), now);
    if (isSame(now, target) || (isAsRead && bases.isRead(key))) {
      current.add(key);
      continue;
    }
    const mayBeUnread = bases.isUntold || isAsRead;
    if (mayBeUnread && keepsAll(now, target)) continue;
    if (mayBeUnread && !bases.isRead(key) && chosen.has(key) && isOfForm(entity, key)) {
      if (bases.isUntold || now !== false) notices.push(`${key}: ${whole(now)} (replaced)`);
      continue;
    }
    const stands = present(key);
    const then = base && !isAsRead ? valueIn(base, key) : undefined;
    const since = base && !isAsRead ? `${shownValue(then).text} → ${stands.text}` : `${stands.text} now`;
    differs(key, isAsRead, {
      line: `${key}: ${since} (yours: ${shownValue(target).text})`,
      was: base && !isAsRead ? inWords(then) : null,
      now: isOfForm(entity, key) ? inWords(now) : stands.text,
      yours: inWords(target),
    });
    if (stands.hidden > 0) cutShort.set(key, stands.hidden);
  }
  const base = bases.of('body');
  const baseBody = bases.isRead('body') ? (base?.body ?? null) : null;
  const mayBeEmpty = bases.isUntold || base?.body === '';
  const merged = mergedBody(baseBody, body, request.body, mayBeEmpty);
  if (baseBody === body) current.add('body');
  if (merged === null) {
    const { text, hidden } =
      baseBody === null
        ? diffToYours(entity.id, body, plainBody(request.body))
        : diffSinceRead(entity.id, baseBody, body);
    const isAsRead = (base?.body ?? body) === body;
    differs('body', isAsRead, { line: `body, ${text}`, was: null, now: text, yours: null });
    if (hidden > 0) cutShort.set('body', hidden);
  }
  if (differences.size > 0)
    throw refused({ entity, isUntold: bases.isUntold, why, differences, knownFields: current, cutShort });
  const elsewhere = changedElsewhere(entity, body, bases, new Set(Object.keys(wantedValues)));
  return {
    body: merged ?? undefined,
    ownBody: request.body !== undefined && merged === request.body,
    notices: [...notices, ...elsewhere.lines],
    toldFields: elsewhere.fields,
  };
}

/** What the caller knows otherwise and leaves alone. */
function changedElsewhere(entity: Entity, body: string, bases: Bases, changes: ReadonlySet<string>) {
  const lines: string[] = [];
  const fields: string[] = [];
  for (const key of bases.knownFields) {
    const base = bases.of(key);
    if (!base || changes.has(key) || unheeded.has(key)) continue;
    if (key === 'body') {
      if (base.body !== null && base.body !== body)
        lines.push(`body, ${diffSinceRead(entity.id, base.body, body).text}`);
      continue;
    }
    const [then, now] = [valueIn(base, key), valueIn(entity, key)];
    if (isSame(then, now)) continue;
    const { text, hidden } = shownValue(now);
    lines.push(`${key}: ${shownValue(then).text} → ${text} (kept)`);
    if (hidden === 0) fields.push(key);
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
  const value = values.archived;
  return value === undefined || value === null || typeof value === 'boolean' ? archived : value;
}

/** Nothing stands there, or all of the list that does is in the new one. */
function keepsAll(now: unknown, next: unknown): boolean {
  if (now === undefined || now === null || now === '') return true;
  if (!Array.isArray(now)) return false;
  const after = new Set(Array.isArray(next) ? next.map((item) => JSON.stringify(item)) : []);
  return now.every((item) => after.has(JSON.stringify(item)));
}

interface Difference extends Omit<FieldDifference, 'field'> {
  /** As a program is told of it. */
  readonly line: string;
}

/** Never handed to the caller; changed since; or what was read is known to nobody any more. */
type Why = 'unread' | 'late' | 'forgotten';

function refused(parts: {
  readonly entity: Entity;
  readonly isUntold: boolean;
  readonly why: Why;
  readonly differences: ReadonlyMap<string, Difference>;
  readonly knownFields: ReadonlySet<string>;
  /** How much of a field is not shown. */
  readonly cutShort: ReadonlyMap<string, number>;
}): ToolFailure {
  const { entity, isUntold, why, differences, knownFields, cutShort } = parts;
  const { id } = entity;
  const knows = (field: string) => knownFields.has(field) || differences.has(field);
  const more = {
    field: 'revision',
    // Whoever just takes the present one and asks again has not read what is told in part only.
    revision: printReading(entity, (field) => knows(field) && !cutShort.has(field)),
    difference: [...differences.values()].map(({ line }) => line).join('\n'),
  };
  const toPerson = [...differences].map(([field, { line: _, ...parts }]) => ({ field, ...parts }));
  const isUnread = why === 'unread';
  // Whoever asks for others is not handed what is refused here.
  const readCall = `get_entity ${JSON.stringify({ id, fields: [...differences.keys()] })}`;
  const isBodyCut = cutShort.has('body');
  const hint = waysOn({
    hidden: [...cutShort.values()].reduce((sum, hidden) => sum + hidden, 0),
    readAll: `${readCall}${isBodyCut ? ', with its cursor to the end,' : ''} and pass the revision that comes last`,
    read: isUnread
      ? undefined
      : `Read it again with ${readCall}${isUntold ? '' : ' and pass the revision that comes with it'}`,
    hold: isUnread ? 'If yours is to replace it' : 'if yours is to hold against this difference',
    instead: isBodyCut
      ? 'add to the body or change passages of it with update_doc (append, edits)'
      : undefined,
    repeat: `repeat the same with "revision": "${printReading(entity, knows)}" for ${id}`,
  });
  if (isUnread) {
    const message = `${id} has what this would replace and you have not read.`;
    return new ToolFailure('revision_needed', message, { ...more, hint }, toPerson);
  }
  const unknown = 'What it was when it was read is not known here any more, so this is what differs now. ';
  const message = `${id} was changed since it was read.`;
  const failure = { ...more, hint: why === 'late' ? hint : `${unknown}${hint}` };
  return new ToolFailure('conflict', message, failure, toPerson);
}

/** Null where both meet, or where nobody knows that the caller has seen what is there. */
function mergedBody(base: string | null, now: string, yours: string | undefined, mayBeEmpty: boolean) {
  if (yours === undefined) return undefined;
  if (plainBody(yours) === now || base === now || (mayBeEmpty && now === '' && base === null)) return yours;
  return base === null ? null : mergeTexts(base, now, plainBody(yours));
}

function plainBody(body = ''): string {
  return plainEnds(body).replace(/^\n+/, '').trimEnd();
}

export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

function shownValue(value: unknown): Shown {
  return shownText(whole(value), longestValue);
}

/** A value as a person reads it. */
function inWords(value: unknown): string {
  if (value === undefined || value === null) return '';
  const isPlain = Array.isArray(value) && value.every((item) => typeof item !== 'object');
  return shownValue(isPlain ? value.join(', ') : value).text;
}

function whole(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
