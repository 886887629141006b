import type { Log } from '../../foundation';
import type { NoteList } from '../store/note-list';
import type { NewRecord } from '../store/store';
import type { Wish } from './wish';

/** Sees the list as it is when it is written. */
export type MakeRecords = (list: NoteList) => Promise<readonly NewRecord[]> | readonly NewRecord[];

/** What waits to be written. */
export type Task =
  | { readonly kind: 'keep'; readonly wish: Wish }
  | { readonly kind: 'add'; readonly make: MakeRecords };

/** Wishes of different notes that are written together. */
const mostTogether = 40;
/** Characters of texts that wait; of one note that is beyond it, those in between are left out. */
export const mostWaiting = 8 * 1024 * 1024;

/** Those that are written together, and the rest: of one note one after the other. */
export function splitTasks(tasks: Task[]): [Task[], Task[]] {
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

/** A disk that is slower than those who write: what waits must not fill the memory. */
export function boundTasks(waiting: Task[], newest: Wish, log: Log): Task[] {
  const isOf = (task: Task) =>
    task.kind === 'keep' && (newest.note ? task.wish.note === newest.note : task.wish.path === newest.path);
  const own = waiting.flatMap((task) => (isOf(task) && task.kind === 'keep' ? [task] : []));
  const length = lengthOf(own);
  const [, dropped, next] = own;
  if (length <= mostWaiting || !dropped || !next) return waiting;
  log.warn('a version left out: the disk is too slow', { path: newest.path });
  // Who wrote it wrote the next one, too.
  const by = [...dropped.wish.by, ...next.wish.by.filter((author) => !dropped.wish.by.includes(author))];
  const joined: Task = { kind: 'keep', wish: { ...next.wish, by } };
  return waiting.flatMap((task) => (task === dropped ? [] : task === next ? [joined] : [task]));
}

/** A text of a note of which a later one is kept. */
export function isOutdated(task: Task, newer: Task): boolean {
  if (task.kind !== 'keep' || newer.kind !== 'keep') return false;
  const id = task.wish.note?.value ?? null;
  return task.wish.path === newer.wish.path || (id !== null && id === newer.wish.note?.value);
}

export const lengthOf = (tasks: readonly Task[]) =>
  tasks.reduce((sum, task) => sum + (task.kind === 'keep' ? task.wish.text.length : 0), 0);
