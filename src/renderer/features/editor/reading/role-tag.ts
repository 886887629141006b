import type { EditorState, Line, Text } from '@codemirror/state';
import { createRoleOf, type Role, roleTagsIn, type TagNames } from '../../../../markdown';
import { noteContext } from '../context/note-context';
import { blockAround } from './blocks';

export interface RoleTag {
  readonly role: Role | 'new-chat';
  readonly tag: string;
  /** Nobody here has such a tag. */
  readonly isUnknown: boolean;
  /** Whether nothing but marks, or a new chat, stands before it on its line. */
  readonly opensLine: boolean;
  /** Offsets in the line: the `#`, and the first character after tag, colon and blanks. */
  readonly from: number;
  readonly to: number;
}

const readers = new WeakMap<TagNames, ReturnType<typeof createRoleOf>>();
const beginnings = new WeakMap<Text, { readonly tags: TagNames; readonly at: number }>();

function readerOf(tags: TagNames): ReturnType<typeof createRoleOf> {
  const cachedReader = readers.get(tags);
  if (cachedReader) return cachedReader;
  const reader = createRoleOf(tags);
  readers.set(tags, reader);
  return reader;
}

/** Whose words stand behind a tag and a colon; null: nobody's. */
export function roleOf(tag: string, tags: TagNames): Role | 'new-chat' | null {
  return readerOf(tags)(tag, 'colon') ?? null;
}

/** The role tags of a line as the core reads them, those further inside it and unknown ones too. */
export function roleTagsOf(line: string, tags: TagNames, isFirst = false): RoleTag[] {
  return roleTagsIn(line, isFirst ? afterMark(line) : 0, line.length, readerOf(tags)).map(
    ({ role, tag, isKnown, opensLine, from, contentFrom }) => ({
      ...{ role, tag, isUnknown: !isKnown, opensLine, from },
      to: contentFrom,
    }),
  );
}

/** A byte order mark that is part of the text. */
const afterMark = (firstLine: string) => (firstLine.startsWith('\uFEFF') ? 1 : 0);

/** The same in a note, where an unknown tag is somebody's only below one that is known. */
export function roleTagsAt(
  state: EditorState,
  line: { readonly from: number; readonly text: string },
): RoleTag[] {
  if (!line.text.includes('#') || blockAround(state, line.from)) return [];
  const tags = roleTagsOf(line.text, state.field(noteContext).tags, line.from === 0);
  if (!tags.some(({ isUnknown }) => isUnknown)) return tags;
  const begins = beginningOf(state);
  return tags.filter(({ isUnknown, from }) => !isUnknown || line.from + from > begins);
}

/** Those on the line of a place that somebody speaks under there: what opens the line, and what stands before the place. */
export function roleTagsBefore(state: EditorState, at: number): RoleTag[] {
  const line = state.doc.lineAt(at);
  return roleTagsAt(state, line).filter(({ opensLine, from }) => opensLine || line.from + from <= at);
}

/** The line with the person's tag and nothing behind it: this one, or the first one below that is not blank. */
export function blankTurnFrom(state: EditorState, number: number): Line | null {
  const { doc } = state;
  for (let at = number; at <= doc.lines; at++) {
    const line = doc.line(at);
    const tag = roleTagsAt(state, line).at(-1);
    if (tag) return tag.role === 'user' && line.text.length <= tag.to ? line : null;
    if (at > number && line.text.trim() !== '') return null;
  }
  return null;
}

/** Where the first known tag stands; looked for only where an unknown one is met. */
function beginningOf(state: EditorState): number {
  const { tags } = state.field(noteContext);
  const entry = beginnings.get(state.doc);
  if (entry?.tags === tags) return entry.at;
  const at = firstKnown(state, tags);
  beginnings.set(state.doc, { tags, at });
  return at;
}

function firstKnown(state: EditorState, tags: TagNames): number {
  let at = 0;
  for (const text of state.doc.iterLines()) {
    const from = at === 0 ? afterMark(text) : 0;
    const tag = roleTagsIn(text, from, text.length, readerOf(tags)).find(({ isKnown }) => isKnown);
    if (tag && !blockAround(state, at)) return at + tag.from;
    at += text.length + 1;
  }
  return Number.POSITIVE_INFINITY;
}
