import { AppError } from '../../../contract/errors';
import { type Clock, systemClock } from '../async/clock';
import { within } from '../async/signals';
import { type FileTrouble, isDamage, reasonOf, stateOf } from '../files/data-file';
import type { Log } from '../secrets/log';
import { createDatabaseHome, FileAway } from './database-home';
import { createDatabaseMoves } from './database-moves';
import { createDatabaseTroubles } from './database-troubles';
import { openPlace } from './open-database';
import { createTable, type Table, type TableSource } from './table';
import { tableForm, type Value } from './tables';
import { createWriteQueue, type Statement } from './write-queue';

/**
 * `interlinear.db`. Nothing here waits for another process: what can't be written now is queued and tried again. A file that
 * was taken away or is damaged while it is open is made anew, with all rows that can be read; one that can't be used at the
 * start is taken up once it can be.
 */
export interface Database {
  /** Tables and indexes, each `create … if not exists`. What an older app left is brought to this form. */
  define(statements: string): void;
  /** Defines a table of few rows, which are read at once. */
  table<R extends { [K in keyof R]: Value }>(create: string): Table<R>;
  /** Throws `data.unavailable`. */
  all(text: string, ...values: readonly Value[]): Record<string, unknown>[];
  /** In one transaction. Done when it returns, unless it has to wait; the answer is how many rows changed, once it is done. */
  write(...statements: readonly Statement[]): Promise<number>;
  /** All that was written is in the file: memory stands in for one that can't be used. */
  isStored(): boolean;
  /** Rows that could not be understood, by name. */
  reportLost(names: readonly string[]): void;
  /** Other rows are there: before, the file could not be read. */
  onReturned(listener: () => void): void;
  /** Something may have become of the file. */
  review(): void;
  /** What waits is tried for a moment more. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly clock?: Clock;
  readonly log?: Log;
  /** All is in the file again. */
  readonly onTroubleOver?: () => void;
}

/** Milliseconds. */
const lastTries = 800;

/** One function, as each of its parts calls the others. */
export function openDatabase(
  path: string,
  onTrouble: (trouble: FileTrouble) => void,
  { clock = systemClock, log, onTroubleOver = () => undefined }: DatabaseOptions = {},
): Database {
  const opened = openPlace(path);
  const home = createDatabaseHome(path, opened.place);
  const troubles = createDatabaseTroubles(path, onTrouble, onTroubleOver, clock);
  if (opened.trouble !== null) troubles.tell(opened.trouble);
  const returned = new Set<() => void>();
  /** One of a form: what one part puts, another reads at once. */
  const tables = new Map<string, unknown>();
  /** Rises when rows may be others by our own doing. */
  let changes = 0;
  const moves = createDatabaseMoves({
    ...{ home, troubles, clock, log, queue: () => queue },
    onReturned() {
      for (const listener of returned) listener();
    },
  });

  const queue = createWriteQueue({
    attempt,
    clock,
    log: log ?? null,
    onWaiting(error) {
      troubles.waiting(error);
      if (isDamage(error)) moves.damaged();
    },
    onEmpty: () => home.state === 'file' && troubles.over(),
    onLost: () => troubles.tell({ state: 'full', reason: 'Too much waits to be written.' }),
  });

  function attempt(writes: readonly (readonly Statement[])[]): number[] {
    moves.reviewSometimes();
    if (home.state !== 'file' && home.state !== 'memory') throw new FileAway('It can’t be used now.');
    return home.transaction(writes);
  }

  function define(statements: string): void {
    const error = home.define(statements);
    if (error !== null) troubles.waiting(error);
    moves.awaitReturn();
  }

  function all(text: string, values: readonly Value[]): Record<string, unknown>[] {
    try {
      return home.prepared(text).all(...values);
    } catch (error) {
      if (isDamage(error)) moves.damaged();
      else if (stateOf(error) === 'damaged') throw error;
      const reason = reasonOf(error);
      throw new AppError('data.unavailable', `“${path}” can’t be read now: ${reason}`, {
        file: path,
        reason,
      });
    }
  }

  async function write(statements: readonly Statement[], isMirrored: boolean): Promise<number> {
    const queued = queue.add(statements);
    // The file gets it later; whoever reads meanwhile reads memory.
    const rows = home.state === 'away' ? (home.transaction([statements])[0] ?? 0) : await queued;
    if (!isMirrored) changes++;
    return rows;
  }

  const source: TableSource = {
    all: (text) => all(text, []),
    write,
    stamp() {
      const version = home.otherWrites();
      return version === null ? null : `${home.generation} ${changes} ${version}`;
    },
  };

  async function close(): Promise<void> {
    moves.close();
    if (queue.length > 0) await within(queue.empty(), lastTries);
    queue.close();
    home.close();
  }

  moves.awaitReturn();
  return {
    define,
    table<R extends { [K in keyof R]: Value }>(create: string) {
      const before = tables.get(create);
      if (before) return before as Table<R>;
      define(create);
      const table = createTable<R>(source, tableForm(create));
      tables.set(create, table);
      return table;
    },
    all: (text, ...values) => all(text, values),
    write(...statements) {
      const rows = write(statements, false);
      // Whoever does not wait for it is told by the log.
      rows.catch(() => undefined);
      return rows;
    },
    isStored: () => home.state === 'file' && queue.length === 0,
    reportLost: (lost) => troubles.tell({ state: 'damaged', lost }),
    onReturned: (listener) => void returned.add(listener),
    review: moves.review,
    close,
  };
}
