import type { VersionAuthor, VersionCause } from '../../../contract/versions';
import type { Log } from '../../foundation';
import { readLines, type WatchedText } from '../../notes';
import { countLines } from '../compare/hunks';
import { type NoteList, newestText } from '../store/note-list';
import { longestText } from '../store/objects';
import type { Seen } from '../store/records';
import { asObject, type NewRecord, newId, type VersionStore } from '../store/store';
import { cameBack, movedRecord } from './moves';

/** Bytes; counting lines of longer ones would hold up the loop. */
const longestCounted = 300_000;

/** What a tool made of a note, as far as it is known; `before` null: it was not known, or not there; `after` null: it is too long to be kept. */
export type OnToolWrote = (
  path: string,
  tool: { readonly server: string; readonly tool: string },
  texts: { readonly before: string | null; readonly after: string | null },
) => void;

/** A text to be kept. */
export interface Wish {
  readonly path: string;
  readonly text: string | WatchedText;
  readonly by: readonly VersionAuthor[];
  readonly cause: VersionCause;
  readonly at: number;
  /** Known where the text was read from disk. */
  readonly seen: Seen | null;
  /** The note that it belongs to, wherever it is by now. */
  readonly note?: { value: string | null };
  /** Its file is gone, and is not there again because somebody types on. */
  readonly isGone?: boolean;
}

/** What is written down of it; nothing where it is kept already. */
export async function recordsFor(
  wish: Wish,
  list: NoteList,
  store: Pick<VersionStore, 'text'>,
  { log, onToolWrote }: { readonly log: Log; readonly onToolWrote: OnToolWrote | undefined },
): Promise<NewRecord[]> {
  const { text } = wish;
  const { at, path, by, seen } = wish;
  const tool = by.find((author) => author.kind === 'tool');
  const there = (wish.note?.value ? list.byId(wish.note.value) : undefined) ?? list.at(path);
  if (wish.note && there) wish.note.value = there.note;
  const moved = there && !there.isGone && there.path !== path ? movedRecord(there, path, at) : null;
  const content =
    text.length > longestText ? null : await asObject(typeof text === 'string' ? text : await text.print());
  if (content === null || content.text.byteLength > longestText) {
    log.info('text too long to be kept', { path, length: text.length });
    toolWroteTooLong(path, by, onToolWrote);
    return moved ? [moved] : [];
  }
  const back = there ? undefined : await cameBack(list, store, path, content);
  const record = there ?? back;
  const cause = back ? 'restored' : wish.cause;
  const note = record?.note ?? newId();
  if (wish.note) wish.note.value = note;
  const last = record && newestText(record);
  const staysGone = wish.isGone === true && record?.isGone === true;
  if (last?.object === content.object && (staysGone || !record?.isGone)) {
    if (staysGone) return [];
    const isSame = seen === null || isSameFile(record?.seen ?? null, seen);
    return [...(moved ? [moved] : []), ...(isSame ? [] : [{ kind: 'seen', note, seen } as const])];
  }
  if (tool && onToolWrote) {
    const before = last && (await store.text(last.object));
    onToolWrote(path, tool, { before: before ? printed(before) : null, after: printed(content.text) });
  }
  const counts = await countAgainst(last?.object ?? null, content.text, store);
  // Nobody else is known to have made what was there when it was looked at first.
  const isFirst = !last && cause !== 'created';
  return [
    ...(moved ? [moved] : []),
    {
      kind: 'text',
      ...{ note, id: newId(), at, path, seen, ...counts, ...content },
      ...(staysGone && { gone: true }),
      // A tool that changed it is told, though what it said before is not known.
      by: isFirst ? by.filter(({ kind }) => kind === 'tool') : [...by],
      cause,
    },
  ];
}

export function toolWroteTooLong(
  path: string,
  by: readonly VersionAuthor[],
  onToolWrote: OnToolWrote | undefined,
): void {
  const tool = by.find((author) => author.kind === 'tool');
  if (tool) onToolWrote?.(path, tool, { before: null, after: null });
}

const printed = (text: Uint8Array) => Buffer.from(text).toString('utf8');

async function countAgainst(object: string | null, text: Uint8Array, store: Pick<VersionStore, 'text'>) {
  const unknown = { added: null, removed: null };
  if (object === null || text.byteLength > longestCounted) return unknown;
  const before = await store.text(object);
  if (!before || before.byteLength > longestCounted) return unknown;
  return countLines(
    readLines(before.toString('utf8')).doc,
    readLines(Buffer.from(text).toString('utf8')).doc,
  );
}

const isSameFile = (former: Seen | null, seen: Seen) =>
  former?.modified === seen.modified && former.bytes === seen.bytes && former.file === seen.file;
