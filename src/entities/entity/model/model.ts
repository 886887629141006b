export const entityTypes = ['milestone', 'story', 'task', 'decision', 'document'] as const;
export type EntityType = (typeof entityTypes)[number];

export const priorities = ['low', 'medium', 'high', 'critical'] as const;

const work = ['not_started', 'in_progress', 'blocked', 'completed'] as const;

export interface Kind {
  readonly prefix: string;
  readonly plural: string;
  /** The first one is that of a new entity. */
  readonly statuses: readonly string[];
  /** Statuses in which nothing waits for the entity any more. */
  readonly done: readonly string[];
  readonly parents: readonly EntityType[];
}

export const kinds: Readonly<Record<EntityType, Kind>> = {
  milestone: { prefix: 'M', plural: 'milestones', statuses: work, done: ['completed'], parents: [] },
  story: { prefix: 'S', plural: 'stories', statuses: work, done: ['completed'], parents: ['milestone'] },
  task: {
    prefix: 'T',
    plural: 'tasks',
    statuses: work,
    done: ['completed'],
    parents: ['story', 'milestone'],
  },
  decision: {
    prefix: 'DEC',
    plural: 'decisions',
    statuses: ['pending', 'decided', 'superseded'],
    done: ['decided', 'superseded'],
    parents: ['milestone', 'story', 'task'],
  },
  document: {
    prefix: 'DOC',
    plural: 'documents',
    statuses: ['draft', 'review', 'approved', 'superseded'],
    done: ['approved', 'superseded'],
    parents: ['milestone', 'story', 'task'],
  },
};

/** What a field holds. `id` and `ids` must name entities that exist. */
export type FieldKind =
  | 'text'
  | 'number'
  | 'text-or-number'
  | 'date'
  | 'list'
  | 'id'
  | 'ids'
  | 'status'
  | 'priority';

/** Fields that a caller may write, in the order of a new note's front matter. */
const commonFields: Readonly<Record<string, FieldKind>> = {
  title: 'text',
  workstream: 'text',
  status: 'status',
  priority: 'priority',
  parent: 'id',
  depends_on: 'ids',
};

const ownFields: Readonly<Record<EntityType, Readonly<Record<string, FieldKind>>>> = {
  milestone: { target_date: 'date' },
  story: { acceptance_criteria: 'list', effort: 'text-or-number' },
  task: { assignee: 'text', estimate_hours: 'number', goal: 'text' },
  decision: {
    context: 'text',
    decision: 'text',
    rationale: 'text',
    alternatives: 'list',
    decided_by: 'text',
    decided_on: 'date',
    enables: 'ids',
    affects: 'ids',
    supersedes: 'id',
    superseded_by: 'id',
  },
  document: {
    doc_type: 'text',
    version: 'text-or-number',
    owner: 'text',
    implemented_by: 'ids',
    previous_versions: 'ids',
    superseded_by: 'id',
    decision_id: 'id',
    change_summary: 'text',
  },
};

const lastFields: Readonly<Record<string, FieldKind>> = { tags: 'list', canvas_source: 'text' };

const writable: Readonly<Record<EntityType, ReadonlyMap<string, FieldKind>>> = {
  milestone: fieldsFor('milestone'),
  story: fieldsFor('story'),
  task: fieldsFor('task'),
  decision: fieldsFor('decision'),
  document: fieldsFor('document'),
};

const references: Readonly<Record<EntityType, readonly string[]>> = {
  milestone: referencesOf('milestone'),
  story: referencesOf('story'),
  task: referencesOf('task'),
  decision: referencesOf('decision'),
  document: referencesOf('document'),
};

function referencesOf(type: EntityType): readonly string[] {
  return [...writable[type]].filter(([, kind]) => kind === 'id' || kind === 'ids').map(([field]) => field);
}

export function writableFields(type: EntityType): ReadonlyMap<string, FieldKind> {
  return writable[type];
}

/** Fields that name other entities. */
export function referenceFields(type: EntityType): readonly string[] {
  return references[type];
}

function fieldsFor(type: EntityType): ReadonlyMap<string, FieldKind> {
  return new Map(Object.entries({ ...commonFields, ...ownFields[type], ...lastFields }));
}

/** A note with an id in its front matter. */
export interface Entity {
  readonly id: string;
  /** Entities in this order are by type, then by number. */
  readonly order: number;
  readonly type: EntityType;
  /** Relative to the vault. */
  readonly path: string;
  readonly title: string;
  readonly status: string;
  readonly workstream: string | null;
  readonly priority: string | null;
  readonly parent: string | null;
  readonly dependsOn: readonly string[];
  readonly archived: boolean;
  readonly created: string | null;
  /** When it was changed, here or by hand. */
  readonly updated: string;
  /** Of the bytes of its note. */
  readonly revision: string;
  /** The whole front matter, keys of other programs included. */
  readonly values: Readonly<Record<string, unknown>>;
}

const idPattern = /^(M|S|T|DEC|DOC)-(\d{1,9})$/;

const typeOfPrefix: ReadonlyMap<string, EntityType> = new Map(
  entityTypes.map((type) => [kinds[type].prefix, type]),
);

/** Type and number of an id; null for what is none. Case does not matter. */
export function parseId(id: string): { type: EntityType; number: number } | null {
  const parts = idPattern.exec(id.trim().toUpperCase());
  const type = typeOfPrefix.get(parts?.[1] ?? '');
  return parts && type ? { type, number: Number(parts[2]) } : null;
}

export function printId(type: EntityType, number: number): string {
  return `${kinds[type].prefix}-${String(number).padStart(3, '0')}`;
}

/** The id that a value of the front matter names; people also write `[[T-001 Title]]`. */
export function idIn(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const id = /^\s*(?!\s)(?:\[\[)?(?:[^[\]|#]*\/)?((?:M|S|T|DEC|DOC)-\d{1,9})(?![\w-])/i.exec(value)?.[1];
  return id === undefined ? null : id.toUpperCase();
}

const alike: Readonly<Record<string, string>> = Object.fromEntries(
  [...'АВЕКМНОРСТХІЅЈаеорсухіѕјԁһ', ...'ΑΒΕΗΙΚΜΝΟΡΤΧΥΖοανρι'].map((letter, at) => [
    letter,
    [...'ABEKMHOPCTXISJaeopcyxisjdh', ...'ABEHIKMNOPTXYZoavpi'][at] ?? letter,
  ]),
);

/** Letters of Cyrillic and Greek that look like those of Latin are these: nobody sees which one was typed. */
export function asLatin(text: string): string {
  return /[\u0370-\u052F]/.test(text)
    ? text.replace(/[\u0370-\u052F]/g, (letter) => alike[letter] ?? letter)
    : text;
}

/** The id that somebody may have meant who wrote `T001`, `[T-001]` or `T–001 Sow`. */
export function idMeant(value: unknown): string | null {
  const text = asLatin([value].flat(3).join(' '));
  const match = /^\W*(M|S|T|DEC|DOC)[\s_\u2010-\u2015\u2212-]?(\d{1,9})(?![\w-])/i.exec(text);
  const type = match && typeOfPrefix.get(match[1]?.toUpperCase() ?? '');
  return type ? printId(type, Number(match[2])) : null;
}

export function idsIn(value: unknown): string[] {
  const values = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  return values.map(idIn).filter((id) => id !== null);
}

export function isOpen(entity: Entity): boolean {
  return !entity.archived && !kinds[entity.type].done.includes(entity.status);
}

export function isWork(entity: Entity): boolean {
  return entity.type === 'milestone' || entity.type === 'story' || entity.type === 'task';
}

export function orderOf(type: EntityType, number: number): number {
  return entityTypes.indexOf(type) * 1e9 + number;
}

/** The number in the id of an entity. */
/** As `printId`, of one that was parsed. */
export const printedId = ({ type, number }: { type: EntityType; number: number }) => printId(type, number);

export function numberOf(entity: Entity): number {
  return entity.order % 1e9;
}

/** The order of ids that people expect: by type, then by number. */
export function compareIds(a: string, b: string): number {
  const [one, two] = [parseId(a), parseId(b)];
  if (!one || !two) return a < b ? -1 : a > b ? 1 : 0;
  return orderOf(one.type, one.number) - orderOf(two.type, two.number);
}
