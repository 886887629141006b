import { safeSegments } from '../../files';
import { isSame } from '../change/late-change';
import type { Entities } from '../entity/index/entities';
import { isTime as hasFormOfTime } from '../entity/model/field-form';
import {
  asLatin,
  type Entity,
  type FieldKind,
  idIn,
  kinds,
  priorities,
  writableFields,
} from '../entity/model/model';
import type { FindingCode, Repair } from './finding';
import { dayMeant, hoursMeant, priorityMeant, statusMeant } from './guess';

type Kind = FieldKind | 'time' | 'flag' | 'path' | 'canvas';

/** What was not taken of a field. */
export interface BadField {
  readonly code: FindingCode;
  readonly field: string;
  readonly value: unknown;
  /** Null: nobody can say which value was meant, and none would be a wrong one. */
  readonly repair: Repair | null;
}

/** Fields that nobody may write and everybody reads. */
const readFields: readonly [string, Kind][] = [
  ['created', 'time'],
  ['updated', 'time'],
  ['archived', 'flag'],
  ['archived_from', 'path'],
  ['archived_with', 'id'],
];

function fieldsOf({ type }: Entity): ReadonlyMap<string, Kind> {
  return new Map<string, Kind>([...writableFields(type), ...readFields, ['canvas_source', 'canvas']]);
}

/** Every value of the front matter that was not taken as it is written there: one place for all fields. */
export function badFields(entity: Entity, entities: Entities): BadField[] {
  const { id, type, path, values } = entity;
  const swallowed = entities.unread(path)?.swallowed;
  const fields = fieldsOf(entity);
  const bad: BadField[] = [];
  if (String(values.id).trim() !== id)
    bad.push({ code: 'invalid_value', field: 'id', value: values.id, repair: set('id', id) });
  if (isEmpty(values.type))
    bad.push({ code: 'no_type', field: 'type', value: '', repair: set('type', type) });
  else if (values.type !== type)
    bad.push({ code: 'type_mismatch', field: 'type', value: values.type, repair: set('type', type) });
  for (const [field, kind] of fields) {
    const comment = isEmpty(values[field]) ? swallowed?.get(field) : undefined;
    const value = comment ?? values[field];
    if (isEmpty(value)) continue;
    const meantValue = meantBy(
      kind,
      comment === undefined ? value : withoutSigns(kind, comment),
      entity,
      entities,
    );
    if (meantValue !== undefined && comment === undefined && isSame(meantValue, value)) continue;
    const code = kind === 'status' || kind === 'priority' ? (`invalid_${kind}` as const) : 'invalid_value';
    // What YAML takes for a comment is where it is, and stays there.
    const asText: Repair = comment === undefined ? { kind: 'to-text', field } : set(field, comment);
    const unknown = meantValue === null ? null : asText;
    bad.push({
      code,
      field,
      value,
      repair: meantValue === undefined || meantValue === null ? unknown : set(field, meantValue),
    });
  }
  for (const key of Object.keys(values)) {
    const isKnown = (each: string) => fields.has(each) || each === 'type';
    const numbered = plainKey(key).replace(/(?:_|(?<!\d))\d+$/, '');
    const field = [plainKey(key), numbered].find(isKnown) ?? nearestField(key, fields.keys());
    if (field === null || field === key) continue;
    const repair: Repair =
      values[field] === undefined
        ? { kind: 'rename-field', field: key, to: field }
        : { kind: 'to-text', field: key };
    bad.push({ code: 'misnamed_field', field: key, value: field, repair });
  }
  return bad;
}

/** Short words are near to too many others. */
const shortest = 5;

/** The field that somebody mistyped; null where it may well be a key of another program. */
function nearestField(key: string, fields: Iterable<string>): string | null {
  const plain = plainKey(key);
  if (plain.length < shortest) return null;
  const near = [...fields].filter((field) => field.length >= shortest && isOneSlip(plain, field));
  return near.length === 1 ? (near[0] ?? null) : null;
}

/** One letter more, less, other, or two in the wrong order. */
function isOneSlip(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return (
    (left.length <= 1 && right.length <= 1) || (left.length === 2 && left === [...right].reverse().join(''))
  );
}

type Meant = string | number | boolean | string[];

const set = (field: string, to: Meant): Repair => ({ kind: 'set', field, to });

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** `Depends-On`, `dependsOn`, `depends on`. */
export function plainKey(key: string): string {
  return asLatin(key)
    .trim()
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
}

/** `#spring #peas` as tags; a title keeps its sign. */
function withoutSigns(kind: Kind, comment: string): unknown {
  if (kind === 'text' || kind === 'text-or-number') return comment;
  const words = comment.split(/[\s,]+/).map((word) => word.replace(/^#/, ''));
  return kind === 'list' || kind === 'ids' ? words.filter(Boolean) : words.join(' ');
}

/** “2 days” for hours: it means something, but nobody here knows which number. */
const saysSomething = (value: unknown) => typeof value === 'string' && /\d/.test(value);

/**
 * The value as its field wants it, the same where it is that already; undefined for what can't be that, null for what may
 * be several and is left to a person.
 */
function meantBy(kind: Kind, value: unknown, entity: Entity, entities: Entities): Meant | undefined | null {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const isFlat = Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);
  switch (kind) {
    case 'status': {
      const word = isPlain ? String(value) : isFlat ? value.join(' ') : null;
      // Without a status it would be one that is not begun.
      if (word === null) return null;
      return kinds[entity.type].statuses.includes(word.trim()) && typeof value === 'string'
        ? value
        : statusMeant(entity.type, word);
    }
    case 'priority': {
      if (priorities.some((each) => each === value)) return String(value);
      return priorityMeant(String(value)) ?? undefined;
    }
    case 'id':
    case 'ids':
      return idsMeant(kind, value, entities);
    case 'text':
    case 'text-or-number':
      if (typeof value === 'string' || Number.isFinite(value)) return value as string | number;
      if (isFlat) return value.map(String).join(', ');
      return isPlain ? String(value) : undefined;
    case 'number':
      if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined;
      return hoursMeant(value) ?? (saysSomething(value) ? null : undefined);
    case 'date':
    case 'time':
      if (isTime(value)) return value;
      return dayMeant(value) ?? (kind === 'date' && saysSomething(value) ? null : undefined);
    case 'list':
      if (isFlat) return value.filter((item) => item !== null).map(String);
      if (!isPlain) return undefined;
      return String(value)
        .split(/(?:(?<!\s)\s+)?,\s*/)
        .filter(Boolean);
    case 'flag':
      if (typeof value === 'boolean') return value;
      if (/^(?:yes|true|on|1)$/i.test(String(value))) return true;
      return /^(?:no|false|off|0)$/i.test(String(value)) ? false : null;
    case 'path':
      return typeof value === 'string' ? value : undefined;
    case 'canvas':
      return typeof value === 'string' && isCanvasPath(value) ? value : undefined;
  }
}

function isCanvasPath(path: string): boolean {
  try {
    return path.endsWith('.canvas') && !safeSegments(path).some((segment) => segment.startsWith('.'));
  } catch {
    return false;
  }
}

function isTime(value: unknown): value is string {
  if (!hasFormOfTime(value)) return false;
  const day = value.slice(0, 10);
  return dayMeant(day) === day;
}

/** What stands before an id may say that it is not meant. */
const startsWithId = /^[^\p{L}\p{N}]*(?:M|S|T|DEC|DOC)-\d{1,9}(?![\w-])/iu;
const anyId = /(?<![\w-])(?:M|S|T|DEC|DOC)-\d{1,9}(?![\w-])/i;
/** From one to another, or one or another: which are meant nobody can say. */
const between =
  /\d[\s\]]*(?:\.{2,}|[…–—~/-]|\b(?:to|through|till|until|or|bis|oder)\b|[到至或])[\s[]*(?:M|S|T|DEC|DOC)-\d/iu;

/** Ids, also by the titles that somebody wrote instead. The same value where every id of it is taken. */
function idsMeant(kind: 'id' | 'ids', value: unknown, entities: Entities): Meant | undefined | null {
  const items = [value].flat(3);
  if (items.some((item) => typeof item === 'string' && between.test(asLatin(item)))) return null;
  const idsOrNull = items.flatMap((item) => {
    const latin = typeof item === 'string' ? asLatin(item) : '';
    const ids = startsWithId.test(latin)
      ? (latin.match(new RegExp(anyId, 'gi')) ?? []).map((id) => id.toUpperCase())
      : [];
    return ids.length > 0 ? ids : [byTitle(item, entities)];
  });
  const valid = idsOrNull.filter((id) => id !== null);
  const isFlat = Array.isArray(value)
    ? value.every((item) => typeof item === 'string')
    : typeof value === 'string';
  // One id in a text may be followed by the title of what it names.
  const isTaken = items.every((item) => idIn(item) !== null) && new Set(valid).size <= items.length;
  if (isFlat && isTaken && (kind === 'ids' || items.length === 1)) return value as Meant;
  const [first] = valid;
  if (idsOrNull.includes(null) || first === undefined)
    return typeof value === 'string' && anyId.test(asLatin(value)) ? null : undefined;
  const each = [...new Set(valid)];
  if (kind === 'ids') return each;
  return each.length === 1 ? first : null;
}

function byTitle(item: unknown, entities: Entities): string | null {
  const title = String(item)
    .replace(/^\[\[|\]\]$/g, '')
    .trim()
    .toLowerCase();
  const [one, another] = entities.all().filter((entity) => entity.title.toLowerCase() === title);
  return one && !another ? one.id : null;
}
