import { findHeadings } from '../../../markdown';
import { revisionOf } from '../../base/hash';
import { plainEnds } from '../../base/line-ends';
import { ownCopy } from '../../base/own-copy';
import type { Entity } from '../model/model';
import type { ChangedAt } from './changed-at';
import { linkWords } from './note-links';
import { nameOf, readEntity, readParts } from './read';
import { idInName } from './taken';
import { type Trouble, troubleOf, type Unread, unreadIn } from './trouble';

export interface NoteHead {
  readonly title: string;
  /** `type` of the front matter. */
  readonly type: string | null;
}

/** What is known of a note. */
export interface Note extends NoteHead {
  readonly entity: Entity | null;
  readonly trouble: Trouble | null;
  readonly unread: Unread | null;
  /** What its links say. */
  readonly links: string;
}

/** `isWhole`: else the bytes are its beginning, and it is no entity. */
export function readNote(
  file: {
    readonly path: string;
    readonly modified: number;
    readonly bytes: Buffer;
    readonly isWhole: boolean;
  },
  changedAt: ChangedAt,
): Note & { readonly body: string } {
  const { path, modified, bytes, isWhole: whole } = file;
  const text = bytes.toString('utf8');
  const parts = readParts(text);
  const entity = whole
    ? readEntity({ path, modified, revision: revisionOf(bytes) }, parts.values, changedAt.of)
    : null;
  const unread = unreadIn(bytes, parts.head);
  const problem = unread?.problem ?? null;
  const { hasTimeOf } = changedAt;
  const trouble = entity
    ? null
    : troubleOf({ path, bytes, text, parts, whole, problem, named: idInName(path), hasTimeOf });
  const links = text.includes('](') || text.includes('[[') ? ownCopy(linkWords(text)) : '';
  return { ...headOf(path, text, parts.values, entity), entity, trouble, unread, links, body: parts.body };
}

export function headOf(
  path: string,
  text: string,
  values: Readonly<Record<string, unknown>> | null,
  entity: Entity | null,
): NoteHead {
  const { title, type } = values ?? {};
  return {
    title: typeof title === 'string' && title !== '' ? title : (firstHeading(text) ?? nameOf(path)),
    // What an entity is, its id says.
    type: entity?.type ?? (typeof type === 'string' ? type : null),
  };
}

function firstHeading(text: string): string | undefined {
  if (!/^ {0,3}(?:# |=+\s*$)/m.test(text)) return undefined;
  const heading = findHeadings(plainEnds(text)).find((each) => each.level === 1);
  return heading && ownCopy(heading.title);
}
