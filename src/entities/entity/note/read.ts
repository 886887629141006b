import { readFrontMatter } from '../../../markdown';
import { plainEnds } from '../../base/line-ends';
import { ownCopy } from '../../base/own-copy';
import { isTime } from '../model/field-form';
import { type Entity, type EntityType, idIn, idsIn, kinds, orderOf, parseId } from '../model/model';
import type { ChangedAt } from './changed-at';
import { quickMapping } from './quick-mapping';

export interface NoteParts {
  /** Null: no front matter. */
  readonly values: Readonly<Record<string, unknown>> | null;
  readonly problem: string | null;
  /** Front matter with its marks and line break. */
  readonly head: string;
  /** What comes after the front matter. */
  readonly body: string;
}

/** A note in its two parts; line ends of the body are as they are in the file. */
export function readParts(text: string): NoteParts {
  const mark = /^\uFEFF?---[ \t]*\r*\n/.exec(text);
  if (!mark) return { values: null, problem: null, head: '', body: text };
  const end = /(?:^|\n)---[ \t]*(?:\r*\n|$)/g;
  end.lastIndex = mark[0].length - 1;
  const match = end.exec(text);
  if (!match) return { values: null, problem: null, head: '', body: text };
  const to = match.index + match[0].length;
  const head = ownCopy(text.slice(0, to));
  const body = text.slice(to);
  const source = plainEnds(head.slice(mark[0].length, match.index + 1));
  const quick = quickMapping(source);
  if (quick) return { values: quick, problem: null, head, body };
  const frontMatter = readFrontMatter(plainEnds(head));
  return {
    values: frontMatter?.problem === null ? frontMatter.values : null,
    problem: frontMatter?.problem ?? null,
    head,
    body,
  };
}

/** A note's file at one moment. */
export interface NoteFile {
  readonly path: string;
  readonly modified: number;
  readonly revision: string;
}

/** Null for a note that is no entity: without an id that belongs to one of the types. */
export function readEntity(
  file: NoteFile,
  values: Readonly<Record<string, unknown>> | null,
  changedAt?: ChangedAt['of'],
): Entity | null {
  const id = typeof values?.id === 'string' ? values.id.trim().toUpperCase() : '';
  const parts = parseId(id);
  if (!values || !parts) return null;
  const { type } = parts;
  const { revision, modified } = file;
  const updated = isTime(values.updated) ? text(values.updated) : null;
  return {
    id,
    order: orderOf(type, parts.number),
    type,
    path: file.path,
    title: text(values.title) ?? nameOf(file.path),
    status: text(values.status) ?? statusUntold(type, values),
    workstream: text(values.workstream),
    priority: text(values.priority),
    parent: idIn(values.parent),
    dependsOn: idsIn(values.depends_on),
    archived: values.archived === true,
    created: text(values.created),
    updated: changedAt?.({ id, revision, updated, modified }) ?? updated ?? new Date(modified).toISOString(),
    revision,
    values,
  };
}

/** The id of the entity that a note of this text is. */
export function idOf(text: string): string | null {
  return readEntity({ path: '', modified: 0, revision: '' }, readParts(text).values)?.id ?? null;
}

/** The status of who has none: a decision that says what was decided, and by whom, is no open one. */
export function statusUntold(type: EntityType, values: Readonly<Record<string, unknown>>): string {
  return isDecided(type, values) ? 'decided' : (kinds[type].statuses[0] ?? '');
}

export function isDecided(type: EntityType, values: Readonly<Record<string, unknown>>): boolean {
  const { decision, decided_by, decided_on } = values;
  return type === 'decision' && text(decision) !== null && (text(decided_by) ?? text(decided_on)) !== null;
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
}

function text(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  return typeof value === 'number' ? String(value) : null;
}
