import type { Entities } from '../entities/catalog';
import { isSame } from '../entities/late-change';
import { type Entity, idIn, idsIn, kinds, priorities, writableFields } from '../entities/model';
import { isDecided } from '../entities/read';
import { ancestorsOf, replacedBy } from '../entities/references';
import { hashOf } from '../files/hash';
import { isNote } from '../workspaces';
import { brokenReferences, circlesOf, circlesOfParents } from './analysis';
import { dayMeant, numberMeant, priorityMeant, statusMeant } from './guess';

export type FindingCode =
  | 'invalid_status'
  | 'invalid_priority'
  | 'invalid_value'
  | 'type_mismatch'
  | 'decided_but_pending'
  | 'no_such_entity'
  | 'wrong_parent'
  | 'waits_for_its_whole'
  | 'circle'
  | 'duplicate_id'
  | 'no_id'
  | 'unreadable'
  | 'unclosed'
  | 'too_large'
  | 'unusable_name';

/** What would put it right without losing a word. */
export type Repair =
  | {
      readonly kind: 'set';
      readonly field: string;
      readonly to: string | number | boolean | string[];
    }
  /** Takes an id out of a field. */
  | { readonly kind: 'drop'; readonly field: string; readonly id: string }
  /** Takes a field out of the front matter; what it held becomes a line of the text. */
  | { readonly kind: 'to-text'; readonly field: string }
  | { readonly kind: 'new-id' }
  /** Quotes or comments out the lines that can't be read, or closes the front matter where it ends. */
  | { readonly kind: 'mend' }
  | { readonly kind: 'rename'; readonly to: string };

export interface Finding {
  /** The same for the same trouble, as long as it lasts. */
  readonly key: string;
  readonly code: FindingCode;
  readonly path: string;
  readonly id: string | null;
  readonly field: string | null;
  /** What is wrong there, as it is written; for a circle the way around. */
  readonly value: string | null;
  /** Null: only a person can. */
  readonly repair: Repair | null;
}

type Found = Omit<Finding, 'key'>;

/** Everything in the notes of a project that is invalid, or that nothing else would show. */
export function diagnose(entities: Entities): readonly Finding[] {
  const all = entities.all();
  const found = [
    ...invisible(entities),
    ...duplicates(entities),
    ...all.flatMap(({ id }) => entities.sharing(id)).flatMap((entity) => ofOne(entity, entities)),
    ...circles(all, entities),
  ];
  return found.map((each) => ({ key: keyOf(each), ...each }));
}

/** A link to what is not there (any more, or not yet) is a person's text: nobody cuts it who was not asked for it. */
export function isRepairedWithAll({ code, repair }: Pick<Finding, 'code'> & { repair: unknown }): boolean {
  return repair !== null && code !== 'no_such_entity';
}

function keyOf({ code, path, field, value }: Found): string {
  return hashOf(JSON.stringify([code, path, field, value])).slice(0, 6);
}

function invisible(entities: Entities): Found[] {
  const found: Found[] = [];
  for (const { path, isFolder } of entities.refused()) {
    if (!isFolder && !isNote(path) && !path.endsWith('.canvas')) continue;
    const to = usableName(path.slice(path.lastIndexOf('/') + 1));
    found.push({ ...of('unusable_name', path), repair: { kind: 'rename', to } });
  }
  for (const [path, trouble] of entities.troubled()) {
    switch (trouble.kind) {
      case 'unreadable': {
        const { id, problem, isMendable } = trouble;
        // What is no entity is no business of a project.
        if (id !== null)
          found.push({ ...of('unreadable', path, id), value: problem, repair: mendOf(isMendable) });
        break;
      }
      case 'unclosed':
        found.push({ ...of('unclosed', path, trouble.id), repair: mendOf(trouble.isMendable) });
        break;
      case 'no-id':
        found.push({ ...of('no_id', path), value: trouble.type, repair: { kind: 'new-id' } });
        break;
      case 'too-large':
        found.push(of('too_large', path, trouble.id));
    }
  }
  return found;
}

function mendOf(isMendable: boolean): Repair | null {
  return isMendable ? { kind: 'mend' } : null;
}

/** The first keeps the id. */
function duplicates(entities: Entities): Found[] {
  return [...entities.duplicates().keys()].flatMap((id) => {
    const [, ...others] = entities.sharing(id);
    return others.map(({ path }): Found => ({ ...of('duplicate_id', path, id), repair: { kind: 'new-id' } }));
  });
}

function ofOne(entity: Entity, entities: Entities): Found[] {
  const { id, path, type, values, status } = entity;
  const found: Found[] = [];
  const add = (
    code: FindingCode,
    field: string,
    repair: Repair | null,
    value: unknown = values[field],
  ): void => {
    found.push({ ...of(code, path, id), field, value: printed(value), repair });
  };
  const set = (field: string, to: string): Repair => ({ kind: 'set', field, to });
  if (values.type !== undefined && values.type !== type) add('type_mismatch', 'type', set('type', type));
  if (!kinds[type].statuses.includes(status)) {
    add('invalid_status', 'status', set('status', statusMeant(type, status)));
  } else if (status === 'pending' && isDecided(type, values)) {
    add('decided_but_pending', 'status', set('status', 'decided'));
  }
  if (values.archived !== undefined && typeof values.archived !== 'boolean') {
    const to = /^(?:yes|true|on|1)$/i.test(String(values.archived));
    add('invalid_value', 'archived', { kind: 'set', field: 'archived', to });
  }
  for (const [field, kind] of writableFields(type)) {
    const value = values[field];
    if (value === undefined || value === null || value === '' || kind === 'status') continue;
    if (kind === 'priority') {
      if (priorities.some((each) => each === value)) continue;
      const meant = priorityMeant(String(value));
      add('invalid_priority', field, meant === null ? { kind: 'to-text', field } : set(field, meant));
    } else if (kind === 'id' || kind === 'ids') {
      const items = Array.isArray(value) ? value : [value];
      if (items.some((item) => idIn(item) === null))
        add('invalid_value', field, idsMeant(field, items, entities));
    } else {
      const meant = valueMeant(kind, value);
      if (meant === undefined) add('invalid_value', field, { kind: 'to-text', field });
      else if (!isSame(meant, value)) add('invalid_value', field, { kind: 'set', field, to: meant });
    }
  }
  for (const { field, missing } of brokenReferences(entity, entities)) {
    // Whoever bears it may come back; a link is what somebody wrote.
    const repair: Repair | null = entities.isBorne(missing) ? null : { kind: 'drop', field, id: missing };
    add('no_such_entity', field, repair, missing);
  }
  const parent = entity.parent === null ? undefined : entities.get(entity.parent);
  if (parent && !kinds[type].parents.includes(parent.type)) {
    add('wrong_parent', 'parent', { kind: 'drop', field: 'parent', id: parent.id }, parent.id);
  }
  const above = entity.dependsOn.length === 0 ? [] : ancestorsOf(id, entities);
  for (const whole of entity.dependsOn.filter((needed) => above.includes(needed))) {
    add('waits_for_its_whole', 'depends_on', { kind: 'drop', field: 'depends_on', id: whole }, whole);
  }
  return found;
}

/** Each is opened where it closes. */
function circles(all: readonly Entity[], entities: Entities): Found[] {
  const replaced = replacedBy(all);
  const broken = (circle: readonly string[], field: string): Found[] => {
    const last = entities.get(circle.at(-2) ?? '');
    const first = circle[0];
    if (!last || first === undefined) return [];
    // Either of the two may be the one that says so.
    const says = idsIn(last.values[field]).includes(first);
    const [entity, own, id] = says ? [last, field, first] : [entities.get(first), 'superseded_by', last.id];
    if (!entity) return [];
    const repair: Repair = { kind: 'drop', field: own, id };
    return [{ ...of('circle', entity.path, entity.id), field: own, value: circle.join(' → '), repair }];
  };
  const withPast = all.filter(({ id }) => replaced.has(id));
  return [
    ...circlesOf(all, (entity) => entity.dependsOn, entities).flatMap((ids) => broken(ids, 'depends_on')),
    ...circlesOfParents(all, entities).flatMap((ids) => broken(ids, 'parent')),
    ...circlesOf(withPast, ({ id }) => replaced.get(id) ?? [], entities).flatMap((ids) =>
      broken(ids, 'supersedes'),
    ),
  ];
}

function of(code: FindingCode, path: string, id: string | null = null): Found {
  return { code, path, id, field: null, value: null, repair: null };
}

function printed(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value ?? null)).slice(0, 200);
}

/** Ids by the titles that somebody wrote instead; what names nobody becomes text. */
function idsMeant(field: string, items: readonly unknown[], entities: Entities): Repair {
  const ids = items.map((item) => {
    const id = idIn(item);
    if (id !== null) return id;
    const title = String(item)
      .replace(/^\[\[|\]\]$/g, '')
      .trim()
      .toLowerCase();
    const [one, another] = entities.all().filter((entity) => entity.title.toLowerCase() === title);
    return one && !another ? one.id : null;
  });
  if (ids.some((id) => id === null)) return { kind: 'to-text', field };
  const known = ids.filter((id) => id !== null);
  const [only] = known;
  const isOne = field === 'parent' || field === 'supersedes' || field === 'superseded_by';
  return { kind: 'set', field, to: isOne && only !== undefined ? only : known };
}

/** The value as its field wants it; undefined for what can't be that. */
function valueMeant(
  kind: 'text' | 'number' | 'text-or-number' | 'date' | 'list',
  value: unknown,
): string | number | string[] | undefined {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  switch (kind) {
    case 'text':
    case 'text-or-number':
      if (typeof value === 'string' || typeof value === 'number') return value;
      if (Array.isArray(value)) return value.map(String).join(', ');
      return isPlain ? String(value) : undefined;
    case 'number':
      return typeof value === 'number' && value >= 0 ? value : (numberMeant(value) ?? undefined);
    case 'date':
      if (
        typeof value === 'string' &&
        /^\d{4}-\d\d-\d\d(?:T|$)/.test(value) &&
        dayMeant(value.slice(0, 10))
      ) {
        return value;
      }
      return dayMeant(value) ?? undefined;
    case 'list': {
      if (isPlain)
        return String(value)
          .split(/\s*,\s*/)
          .filter(Boolean);
      const isFlat = Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);
      return isFlat ? value.filter((item) => item !== null).map(String) : undefined;
    }
  }
}

const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;

/** As near to the old name as every file system can have it. */
function usableName(name: string): string {
  const safe = name
    .replace(/\s*[:\\\p{Cc}]+\s*/gu, ' ')
    .replace(reserved, '$1_')
    .replace(/[. ]+$/, '')
    .replace(/ +(?=\.[^.]*$)/, '')
    .trim();
  return safe === '' ? 'Unnamed' : safe;
}
