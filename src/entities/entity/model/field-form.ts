import { isNote } from '../../store/workspaces';
import { type Entity, type FieldKind, idIn, kinds, priorities, writableFields } from './model';

type Form = FieldKind | 'time' | 'flag' | 'path';

/** Fields that the server writes by itself. */
const ownForms: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['created', 'time'],
  ['updated', 'time'],
  ['archived', 'flag'],
  ['archived_from', 'path'],
  ['archived_with', 'id'],
]);

/**
 * Whether what stands in a field is what it may hold, so that whoever is handed the field is handed its words: one place
 * for all fields that the server writes. Of the keys of other programs everything is.
 */
export function isOfForm({ type, values }: Pick<Entity, 'type' | 'values'>, field: string): boolean {
  const value = values[field];
  const form = writableFields(type).get(field) ?? ownForms.get(field);
  if (value === undefined || value === null || value === '') return true;
  switch (form) {
    case undefined:
      return true;
    case 'text':
      return isPlain(value) && (field !== 'canvas_source' || String(value).endsWith('.canvas'));
    case 'text-or-number':
      return isPlain(value);
    case 'status':
      return typeof value === 'string' && kinds[type].statuses.includes(value.trim());
    case 'priority':
      return priorities.some((each) => each === value);
    case 'number':
      return typeof value === 'number';
    case 'date':
      return isTime(value);
    case 'list':
      return isFlat(value);
    case 'id':
      return isId(value);
    case 'ids':
      return isId(value) || (Array.isArray(value) && value.every(isId));
    case 'time':
      return isTime(value);
    case 'flag':
      return typeof value === 'boolean';
    case 'path':
      return typeof value === 'string' && isNote(value);
  }
}

/**
 * Whether a panel that shows one value or a list of them shows all of what stands in a field, be it what it may hold or
 * not.
 */
export function isShownWhole({ type, values }: Pick<Entity, 'type' | 'values'>, field: string): boolean {
  const kind = writableFields(type).get(field);
  if (kind === undefined || kind === 'id' || kind === 'ids') return false;
  return isPlain(values[field]) || (kind === 'list' && isFlat(values[field]));
}

function isFlat(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => each === null || isPlain(each));
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** An id, or a link to its note, and no words beside it. */
function isId(value: unknown): boolean {
  if (typeof value !== 'string' || idIn(value) === null) return false;
  return /^\s*(?:[A-Z]+-\d+|\[\[[^[\]|#]*\]\])\s*$/i.test(value);
}

export function isTime(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+ ?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}
