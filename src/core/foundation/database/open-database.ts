import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { besideDatabase, openDatabaseFile, readDatabaseFile } from '../../../files';
import { type FileState, NewerFile, reasonOf, setAside, stateOf } from '../files/data-file';
import { copyRows } from './tables';

/** Where the rows are. */
export type DatabasePlace =
  /** `file`: which one it is, wherever it is moved. */
  | { readonly kind: 'file'; readonly sql: DatabaseSync; readonly file: string }
  /** The file can't be used. `mayReturn`: it may be, later. */
  | { readonly kind: 'memory'; readonly sql: DatabaseSync; readonly mayReturn: boolean };

export interface OpenTrouble {
  readonly state: FileState;
  readonly reason: string;
  readonly keptAs: string | null;
}

/** Of the file as a whole; rises when a table changes its meaning. */
const knownVersion = 1;
/** Milliseconds for which another process of the app may hold up this one; all else waits in the queue of writes. */
const longestWait = 5;
/** Bytes; looking through a larger file would be felt at the start. */
const mostChecked = 32 * 1024 * 1024;

/**
 * Opens the file. Only a damaged one is set aside, with its log, and what can be read of it is taken over. One that is
 * locked, full, read-only or of a newer app stays as it is, and its rows are in memory as far as they can be read.
 */
export function openPlace(path: string): { place: DatabasePlace; trouble: OpenTrouble | null } {
  if (path === ':memory:')
    return { place: { kind: 'memory', sql: openMemory(), mayReturn: false }, trouble: null };
  try {
    return { place: openFile(path), trouble: null };
  } catch (error) {
    const state = stateOf(error);
    const keptAs = state === 'damaged' ? setAside(path, besideDatabase) : null;
    const place = keptAs === null ? inMemory(state) : openNew(path);
    if (state !== 'newer' && state !== 'busy') takeRows(keptAs ?? path, place.sql);
    return { place, trouble: { state, reason: reasonOf(error), keptAs } };
  }
}

/** Rows of a file that was open and can't be used any more, as far as they can be read. */
export function toMemory(from: DatabaseSync, error: unknown): DatabasePlace {
  const place = inMemory(stateOf(error));
  for (const _ of copyRows(from, place.sql));
  return place;
}

const inMemory = (state: FileState): DatabasePlace => ({
  kind: 'memory',
  sql: openMemory(),
  mayReturn: state !== 'newer' && state !== 'damaged',
});

function openNew(path: string): DatabasePlace {
  try {
    return openFile(path);
  } catch (error) {
    return inMemory(stateOf(error));
  }
}

export function openFile(path: string): DatabasePlace & { kind: 'file' } {
  mkdirSync(dirname(path), { recursive: true });
  const sql = openDatabaseFile(path);
  try {
    prepare(sql, path);
    return { kind: 'file', sql, file: fileAt(path) ?? '' };
  } catch (error) {
    sql.close();
    throw error;
  }
}

/** Null: there is none. Throws where nobody may look. */
export function fileAt(path: string): string | null {
  const there = statSync(path, { bigint: true, throwIfNoEntry: false });
  return there ? `${there.dev}:${there.ino}` : null;
}

/** Whether it is another file by now, or none. What can't be looked at is still there. */
export function isGone(path: string, file: string): boolean {
  try {
    return fileAt(path) !== file;
  } catch {
    return false;
  }
}

const openMemory = () => new DatabaseSync(':memory:');

function prepare(sql: DatabaseSync, path: string): void {
  sql.exec(`pragma busy_timeout = ${longestWait}`);
  const version = Number(sql.prepare('pragma user_version').get()?.user_version);
  if (version > knownVersion)
    throw new NewerFile(`It has version ${version}; this app knows ${knownVersion}.`);
  sql.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 250');
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= mostChecked) {
    const verdict = sql.prepare('pragma quick_check(1)').get()?.quick_check;
    if (verdict !== 'ok') throw new Error(String(verdict));
  }
  try {
    // Written each time: a disk that is full, or may not be written, is known before anything is built on it.
    sql.exec(`pragma user_version = ${knownVersion}`);
  } catch (error) {
    // Somebody writes just now: that passes, and it can be read meanwhile.
    if (stateOf(error) !== 'busy') throw error;
  }
}

/** What can be read of a file that is not used itself. */
function takeRows(path: string, into: DatabaseSync): void {
  for (const alone of [false, true]) {
    let source: DatabaseSync | null = null;
    try {
      source = readDatabaseFile(path, { alone });
      for (const _ of copyRows(source, into));
      return;
    } catch {
      // The other way, or none.
    } finally {
      source?.close();
    }
  }
}
