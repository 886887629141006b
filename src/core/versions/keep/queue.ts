import type { VersionAuthor, VersionsState } from '../../../contract/versions';
import {
  backoff,
  type Clock,
  createObservable,
  type Log,
  type Observable,
  reasonOf,
  stateOf,
} from '../../foundation';
import type { NoteList } from '../store/note-list';
import type { NewRecord, VersionStore } from '../store/store';
import {
  boundTasks,
  isOutdated,
  lengthOf,
  type MakeRecords,
  mostWaiting,
  splitTasks,
  type Task,
} from './waiting-records';
import { type OnToolWrote, recordsFor, toolWroteTooLong, type Wish } from './wish';

/** Where the rest of the module says what is to be kept: it returns at once, and is written later, in this order. */
export interface KeepQueue {
  keep(wish: Wish): void;
  /** These have changed a note that is too long to be kept. */
  tooLong(path: string, by: readonly VersionAuthor[]): void;
  /** Other records. */
  add(make: MakeRecords): void;
  /** Resolves when all that was asked for so far is on disk, or has failed. */
  settled(): Promise<void>;
  readonly failure: Observable<Extract<VersionsState, { kind: 'failing' }> | null>;
  close(): void;
}

/** Of those that could not be written and are tried again. */
const mostFailed = 1_000;
/** Milliseconds after which what could not be written is tried again. */
const retry = { first: 1_000, most: 30_000 };

/** One closure, since what fails, what waits and what is written now are parts of one order. */
export function createKeepQueue({
  store,
  clock,
  log,
  onKept,
  onLeftOut,
  onToolWrote,
}: {
  store: VersionStore;
  clock: Clock;
  log: Log;
  onKept: () => void;
  /** It can be written again, and not all that was asked for meanwhile is. */
  onLeftOut: () => void;
  onToolWrote: OnToolWrote | undefined;
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
    if (task.kind === 'keep') waiting = boundTasks(waiting, task.wish, log);
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

  async function work(): Promise<void> {
    // What is asked for in one go is written in one go.
    await Promise.resolve();
    waiting = [...failed.splice(0), ...waiting];
    let isKept = false;
    while (waiting.length > 0) {
      const [tasks, rest] = splitTasks(waiting);
      waiting = rest;
      try {
        await store.add((list) => recordsOf(tasks, list));
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

  async function recordsOf(tasks: readonly Task[], list: NoteList): Promise<NewRecord[]> {
    const records: NewRecord[] = [];
    for (const task of tasks)
      records.push(
        ...(task.kind === 'add'
          ? await task.make(list)
          : await recordsFor(task.wish, list, store, { log, onToolWrote })),
      );
    return records;
  }

  return {
    keep: (wish) => push({ kind: 'keep', wish }),
    tooLong: (path, by) => toolWroteTooLong(path, by, onToolWrote),
    add: (make) => push({ kind: 'add', make }),
    async settled() {
      while (working !== null) await working;
    },
    failure,
    close: () => cancelRetry?.(),
  };
}
