import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { besideDatabase, openDatabaseFile, readDatabaseFile } from '../../files';
import { type FileTrouble, NewerFile, reasonOf, setAside, stateOf } from './data-file';
import { copyRows, defineTables } from './tables';

export interface Database {
  readonly sql: DatabaseSync;
  /** Tables and indexes, each `create … if not exists`. What an older app left is brought to this form. */
  define(statements: string): void;
  /** Rows that could not be understood, by name. */
  reportLost(names: readonly string[]): void;
  close(): void;
}

/** Of the file as a whole; rises when a table changes its meaning. */
const knownVersion = 1;
/** Milliseconds; another process of the app holds it for less. */
const longestWait = 2_000;
/** Bytes; looking through a larger file would be felt at the start. */
const mostChecked = 32 * 1024 * 1024;

/**
 * Opens `interlinear.db`. Only a damaged file is set aside, with its log, and what can be read of it is taken over. One that
 * is locked, full, read-only or of a newer app stays as it is, and this run goes on in memory with what could be read.
 */
export function openDatabase(path: string, onTrouble: (trouble: FileTrouble) => void): Database {
  const tell = (trouble: Partial<FileTrouble> & Pick<FileTrouble, 'state'>) =>
    onTrouble({ file: path, reason: '', keptAs: null, lost: [], ...trouble });
  const sql = openAny(path, tell);
  return {
    sql,
    define: (statements) => defineTables(sql, statements),
    reportLost: (lost) => tell({ state: 'damaged', lost }),
    close: () => sql.close(),
  };
}

function openAny(
  path: string,
  tell: (trouble: Partial<FileTrouble> & Pick<FileTrouble, 'state'>) => void,
): DatabaseSync {
  try {
    return openFile(path);
  } catch (error) {
    const state = stateOf(error);
    const reason = reasonOf(error);
    const keptAs = state === 'damaged' ? setAside(path, besideDatabase) : null;
    let sql: DatabaseSync;
    try {
      sql = keptAs === null ? openMemory() : openFile(path);
    } catch {
      sql = openMemory();
    }
    if (state !== 'newer' && state !== 'busy') takeRows(keptAs ?? path, sql);
    tell({ state, reason, keptAs });
    return sql;
  }
}

function openFile(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true });
  return prepared(openDatabaseFile(path), path);
}

const openMemory = () => prepared(new DatabaseSync(':memory:'), ':memory:');

function prepared(sql: DatabaseSync, path: string): DatabaseSync {
  try {
    sql.exec(`pragma busy_timeout = ${longestWait}`);
    const version = Number(sql.prepare('pragma user_version').get()?.user_version);
    if (version > knownVersion)
      throw new NewerFile(`It has version ${version}; this app knows ${knownVersion}.`);
    sql.exec('pragma journal_mode = wal; pragma synchronous = normal');
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= mostChecked) {
      const found = sql.prepare('pragma quick_check(1)').get()?.quick_check;
      if (found !== 'ok') throw new Error(String(found));
    }
    // Written each time: a disk that is full, or may not be written, is known before anything is built on it.
    sql.exec(`pragma user_version = ${knownVersion}`);
    return sql;
  } catch (error) {
    sql.close();
    throw error;
  }
}

/** What can be read of a file that is not used itself. */
function takeRows(path: string, into: DatabaseSync): void {
  for (const alone of [false, true]) {
    let source: DatabaseSync | null = null;
    try {
      source = readDatabaseFile(path, { alone });
      copyRows(source, into);
      return;
    } catch {
      // The other way, or none.
    } finally {
      source?.close();
    }
  }
}
