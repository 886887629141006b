import type { VersionAuthor, VersionCause, VersionsState } from '../../../contract/versions';
import {
  backoff,
  type Clock,
  createObservable,
  type Log,
  type Observable,
  reasonOf,
  stateOf,
} from '../../foundation';
import { readLines, type WatchedText } from '../../notes';
import { countLines } from '../compare/hunks';
import { type NoteList, newestText } from '../store/note-list';
import { longestText } from '../store/objects';
import type { Seen } from '../store/records';
import { asObject, type NewRecord, newId, type VersionStore } from '../store/store';
import { cameBack, movedRecord } from './moves';

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
  readonly note?: { id: string | null };
  /** Its file is gone, and is not there again because somebody types on. */
  readonly isGone?: boolean;
}

/** Where the rest of the module says what is to be kept: it returns at once, and is written later, in this order. */
export interface KeepQueue {
  keep(wish: Wish): void;
  /** Other records; `make` sees the list as it is then. */
  add(make: (list: NoteList) => Promise<readonly NewRecord[]> | readonly NewRecord[]): void;
  /** Resolves when all that was asked for so far is on disk, or has failed. */
  settled(): Promise<void>;
  readonly failure: Observable<Extract<VersionsState, { kind: 'failing' }> | null>;
  close(): void;
}

/** Wishes of different notes that are written together. */
const mostTogether = 40;
/** Characters of texts that wait; of one note that is beyond it, those in between are left out. */
const mostWaiting = 8 * 1024 * 1024;
/** Of those that could not be written and are tried again. */
const mostFailed = 1_000;
/** Milliseconds after which what could not be written is tried again. */
const retry = { first: 1_000, most: 30_000 };
/** Bytes; counting lines of longer ones would hold up the loop. */
const longestCounted = 300_000;

export function createKeepQueue({
  store,
  clock,
  log,
  onKept,
  onLeftOut,
}: {
  store: VersionStore;
  clock: Clock;
  log: Log;
  onKept: () => void;
  /** It can be written again, and not all that was asked for meanwhile is. */
  onLeftOut: () => void;
}): KeepQueue {
  const failure = createObservable<Extract<VersionsState, { kind: 'failing' }> | null>(null);
  let waiting: Task[] = [];
  let working: Promise<void> | null = null;
  /** Could not be written, and is tried again. */
  let failed: Task[] = [];
  let isLeftOut = false;
  let attempts = 0;
  let cancelRetry: (() => void) | null = null;

  function push(task: Task): void {
    waiting.push(task);
    if (task.kind === 'keep') boundWaiting(task.wish);
    start();
  }

  function start(): void {
    working ??= work().finally(() => {
      working = null;
    });
  }

  /** In its order, and bounded: the rest is left out. */
  function later(tasks: readonly Task[]): void {
    let length = lengthOf(failed);
    for (const task of tasks) {
      length += lengthOf([task]);
      if (failed.length < mostFailed && length <= mostWaiting) failed.push(task);
      else isLeftOut = true;
    }
    cancelRetry ??= clock.after(backoff(++attempts, retry, Math.random()), () => {
      cancelRetry = null;
      if (failed.length > 0) start();
    });
  }

  function writtenAgain(): void {
    failure.set(null);
    attempts = 0;
    if (isLeftOut) onLeftOut();
    isLeftOut = false;
  }

  /** A disk that is slower than those who write: what waits must not fill the memory. */
  function boundWaiting(newest: Wish): void {
    const isOf = (task: Task) =>
      task.kind === 'keep' && (newest.note ? task.wish.note === newest.note : task.wish.path === newest.path);
    const own = waiting.flatMap((task) => (isOf(task) && task.kind === 'keep' ? [task] : []));
    const length = lengthOf(own);
    const [, dropped, next] = own;
    if (length <= mostWaiting || !dropped || !next) return;
    log.warn('a version left out: the disk is too slow', { path: newest.path });
    // Who wrote it wrote the next one, too.
    const by = [...dropped.wish.by, ...next.wish.by.filter((author) => !dropped.wish.by.includes(author))];
    const joined: Task = { kind: 'keep', wish: { ...next.wish, by } };
    waiting = waiting.flatMap((task) => (task === dropped ? [] : task === next ? [joined] : [task]));
  }

  async function work(): Promise<void> {
    // What is asked for in one go is written in one go.
    await Promise.resolve();
    waiting = [...failed.splice(0), ...waiting];
    let isKept = false;
    while (waiting.length > 0) {
      const [tasks, rest] = split(waiting);
      waiting = rest;
      try {
        await store.add((list) => recordsFor(tasks, list));
        isKept = true;
        failed = failed.filter((task) => !tasks.some((newer) => isOutdated(task, newer)));
        onKept();
      } catch (error) {
        isKept = false;
        log.warn('versions not kept', { tasks: tasks.length, error });
        const state = stateOf(error);
        failure.set({ kind: 'failing', state, reason: reasonOf(error) });
        // It may be these alone that can never be.
        if (state !== 'damaged' && state !== 'newer') later(tasks);
      }
    }
    if (isKept && failed.length === 0 && failure.get()) writtenAgain();
  }

  function split(tasks: Task[]): [Task[], Task[]] {
    const paths = new Set<string>();
    let count = 0;
    for (const task of tasks) {
      const path = task.kind === 'keep' ? task.wish.path : null;
      if (count === mostTogether || (count > 0 && (path === null || paths.has(path)))) break;
      count++;
      if (path === null) break;
      paths.add(path);
    }
    return [tasks.slice(0, count), tasks.slice(count)];
  }

  async function recordsFor(tasks: readonly Task[], list: NoteList): Promise<NewRecord[]> {
    const records: NewRecord[] = [];
    for (const task of tasks)
      records.push(...(task.kind === 'add' ? await task.make(list) : await recordFor(task.wish, list)));
    return records;
  }

  async function recordFor(wish: Wish, list: NoteList): Promise<NewRecord[]> {
    const { text } = wish;
    const { at, path, by, seen } = wish;
    const there = (wish.note?.id ? list.byId(wish.note.id) : undefined) ?? list.at(path);
    if (wish.note && there) wish.note.id = there.note;
    const moved = there && !there.isGone && there.path !== path ? movedRecord(there, path, at) : null;
    const content =
      text.length > longestText ? null : await asObject(typeof text === 'string' ? text : await text.print());
    if (content === null || content.text.byteLength > longestText) {
      log.info('text too long to be kept', { path, length: text.length });
      return moved ? [moved] : [];
    }
    const back = there ? undefined : await cameBack(list, store, path, content);
    const record = there ?? back;
    const cause = back ? 'restored' : wish.cause;
    const note = record?.note ?? newId();
    if (wish.note) wish.note.id = note;
    const last = record && newestText(record);
    const staysGone = wish.isGone === true && record?.isGone === true;
    if (last?.object === content.object && (staysGone || !record?.isGone)) {
      if (staysGone) return [];
      const isSeen = seen === null || isSame(record?.seen ?? null, seen);
      return [...(moved ? [moved] : []), ...(isSeen ? [] : [{ kind: 'seen', note, seen } as const])];
    }
    const counts = await countedAgainst(last?.object ?? null, content.text);
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

  async function countedAgainst(object: string | null, text: Uint8Array) {
    const unknown = { added: null, removed: null };
    if (object === null || text.byteLength > longestCounted) return unknown;
    const before = await store.text(object);
    if (!before || before.byteLength > longestCounted) return unknown;
    return countLines(
      readLines(before.toString('utf8')).doc,
      readLines(Buffer.from(text).toString('utf8')).doc,
    );
  }

  return {
    keep: (wish) => push({ kind: 'keep', wish }),
    add: (make) => push({ kind: 'add', make }),
    async settled() {
      while (working !== null) await working;
    },
    failure,
    close: () => cancelRetry?.(),
  };
}

type Task =
  | { readonly kind: 'keep'; readonly wish: Wish }
  | { readonly kind: 'add'; readonly make: Parameters<KeepQueue['add']>[0] };

/** A text of a note of which a later one is kept. */
function isOutdated(task: Task, newer: Task): boolean {
  if (task.kind !== 'keep' || newer.kind !== 'keep') return false;
  const id = task.wish.note?.id ?? null;
  return task.wish.path === newer.wish.path || (id !== null && id === newer.wish.note?.id);
}

const isSame = (former: Seen | null, seen: Seen) =>
  former?.modified === seen.modified && former.bytes === seen.bytes && former.file === seen.file;

const lengthOf = (tasks: readonly Task[]) =>
  tasks.reduce((sum, task) => sum + (task.kind === 'keep' ? task.wish.text.length : 0), 0);
