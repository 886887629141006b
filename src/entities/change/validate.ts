import { safeSegments } from '../../files';
import { outside, ToolFailure } from '../base/failures';
import {
  type EntityType,
  type FieldKind,
  idIn,
  kinds,
  parseId,
  priorities,
  writableFields,
} from '../entity/model/model';

export interface ChangeRequest {
  /** Front matter by key; undefined removes it. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly body: string | undefined;
  readonly archived: boolean | undefined;
  readonly cascade: boolean;
}

const beside = 'Pass the revision that you have read beside data.';

const notWritable: Readonly<Record<string, string>> = {
  id: 'It is given by the vault and stays for the life of an entity; in a batch a client_id stands for it.',
  type: 'An entity can’t become one of another type; create a new one.',
  created: 'It is set by the server.',
  updated: 'It is set by the server.',
  path: 'Rename or move the note as you like; the entity follows.',
  archived_from: 'It is set by archiving.',
  archived_with: 'It is set by archiving.',
  revision: beside,
  expected_updated: beside,
};

/** Checks what a caller wants to set against the type; ids are checked for their form here, for being there elsewhere. */
export function readChange(
  type: EntityType,
  data: Readonly<Record<string, unknown>>,
  /** Keys of other programs that the note has already. */
  present: ReadonlySet<string>,
): ChangeRequest {
  const { body, archived, cascade, ...rest } = data;
  const fields = writableFields(type);
  const values: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(rest)) {
    const reason = notWritable[key];
    if (reason !== undefined) throw invalid(key, `“${key}” can’t be set.`, reason);
    const kind = fields.get(key);
    if (kind === undefined && !present.has(key)) {
      throw invalid(
        key,
        `A ${type} has no field “${key}”.`,
        `It has: ${[...fields.keys(), 'body', 'archived'].join(', ')}`,
      );
    }
    values[key] =
      value === null || value === undefined ? undefined : kind ? checked(type, key, kind, value) : value;
  }
  if (body !== undefined && typeof body !== 'string') throw invalid('body', 'The body is a text.');
  if (archived !== undefined && typeof archived !== 'boolean')
    throw invalid('archived', 'It is true or false.');
  if (cascade !== undefined && typeof cascade !== 'boolean') throw invalid('cascade', 'It is true or false.');
  if (cascade && archived === undefined) throw invalid('cascade', 'It goes with archived only.');
  return { values, body, archived, cascade: cascade ?? false };
}

function checked(type: EntityType, key: string, kind: FieldKind, value: unknown): unknown {
  switch (kind) {
    case 'text':
      if (typeof value !== 'string') throw invalid(key, `“${key}” is a text.`);
      if (key === 'canvas_source') checkPath(value);
      if (key === 'title' && (value.trim() === '' || /[\r\n]/.test(value) || value.length > 300)) {
        throw invalid(key, 'A title is one line of 1 to 300 characters.');
      }
      return key === 'title' ? value.trim() : value;
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
        throw invalid(key, `“${key}” is a number from 0 on.`);
      }
      return value;
    case 'text-or-number':
      if (typeof value !== 'string' && !Number.isFinite(value))
        throw invalid(key, `“${key}” is a text or a number.`);
      return value;
    case 'date':
      if (typeof value !== 'string' || !isDate(value)) {
        throw invalid(key, `“${key}” is a date.`, 'Like 2027-03-20.');
      }
      return value;
    case 'list':
      if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) {
        throw invalid(key, `“${key}” is a list of texts.`);
      }
      return value.length === 0 ? undefined : value;
    case 'id':
      return idOf(key, value);
    case 'ids': {
      if (!Array.isArray(value)) throw invalid(key, `“${key}” is a list of ids.`);
      const ids = value.map((item, index) => idOf(`${key}.${index}`, item));
      return ids.length === 0 ? undefined : [...new Set(ids)];
    }
    case 'status':
      return oneOf(key, kinds[type].statuses, value);
    case 'priority':
      return oneOf(key, priorities, value);
  }
}

/** A canvas that no tool could read would only be heard of later. */
function checkPath(path: string): void {
  if (!path.endsWith('.canvas')) throw invalid('canvas_source', 'A canvas is a file that ends in .canvas.');
  if (safeSegments(path).some((segment) => segment.startsWith('.'))) throw outside(path);
}

function idOf(key: string, value: unknown): string {
  const id = idIn(value);
  if (id !== null && parseId(id)) return id;
  throw new ToolFailure('unresolved_reference', `“${String(value).slice(0, 80)}” is no id.`, {
    field: key,
    hint: 'Ids look like M-001, S-001, T-001, DEC-001, DOC-001.',
  });
}

function oneOf(key: string, allowed: readonly string[], value: unknown): string {
  if (typeof value === 'string' && allowed.includes(value)) return value;
  throw invalid(key, `“${String(value).slice(0, 80)}” is no ${key}.`, `One of: ${allowed.join(', ')}`);
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/.test(value)) return false;
  const day = new Date(`${value.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value.slice(0, 10));
}

function invalid(field: string, message: string, hint?: string): ToolFailure {
  return new ToolFailure('validation', message, { field, ...(hint === undefined ? {} : { hint }) });
}
