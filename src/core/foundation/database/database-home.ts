import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { besideDatabase } from '../../../files';
import { setAside, stateOf } from '../files/data-file';
import { type DatabasePlace, fileAt, isGone, openFile, toMemory } from './open-database';
import { copyRows, defineTables } from './tables';
import type { Statement } from './write-queue';

/** Milliseconds of copying, after which others have their turn. */
const turn = 8;

/** What is written now would be lost, or be written to a place that nobody reads again. */
export class FileAway extends Error {
  readonly code = 'EBUSY';
}

/** The connection that is read and written by now, and the way from one to the next. Long, since all of it changes one `place`. */
export function createDatabaseHome(path: string, first: DatabasePlace) {
  let place = first;
  let statements = new Map<string, StatementSync>();
  const definitions: string[] = [];
  /** Rises with each other connection. */
  let generation = 0;
  let isMoving = false;

  function prepared(text: string): StatementSync {
    const statement = statements.get(text) ?? place.sql.prepare(text);
    statements.set(text, statement);
    return statement;
  }

  function settle(next: DatabasePlace): void {
    const { sql } = place;
    place = next;
    statements = new Map();
    generation++;
    sql.close();
  }

  function withTables(next: DatabasePlace & { kind: 'file' }): void {
    try {
      for (const definition of definitions) defineTables(next.sql, definition);
    } catch (error) {
      next.sql.close();
      throw error;
    }
  }

  async function copyInTurns(from: DatabaseSync, into: DatabaseSync): Promise<void> {
    let end = performance.now() + turn;
    for (const _ of copyRows(from, into)) {
      if (performance.now() < end) continue;
      await setImmediate();
      end = performance.now() + turn;
    }
  }

  return {
    get generation() {
      return generation;
    },
    /**
     * `memory`: for good. `away`: in memory until the file can be used; what is written has to be written to it, too.
     * `moving`: what is read is right, and nothing may be written.
     */
    get state(): 'file' | 'memory' | 'away' | 'moving' {
      if (isMoving) return 'moving';
      if (place.kind === 'file') return 'file';
      return place.mayReturn ? 'away' : 'memory';
    },
    isGone: () => place.kind === 'file' && isGone(path, place.file),
    prepared,
    /** How many rows each changed. */
    transaction(writes: readonly (readonly Statement[])[]): number[] {
      const { sql } = place;
      sql.exec('begin immediate');
      try {
        const changes = writes.map((write) =>
          write.reduce((sum, [text, ...values]) => sum + Number(prepared(text).run(...values).changes), 0),
        );
        sql.exec('commit');
        return changes;
      } catch (error) {
        if (sql.isTransaction) sql.exec('rollback');
        throw error;
      }
    },
    /** Another number when another process has written. Null: the file can't be read now. */
    otherWrites(): number | null {
      try {
        return Number(prepared('pragma data_version').get()?.data_version);
      } catch {
        return null;
      }
    },
    /** Null: as it should be; else why the tables are in memory now. */
    define(definition: string): unknown {
      definitions.push(definition);
      try {
        defineTables(place.sql, definition);
        return null;
      } catch (error) {
        if (place.kind === 'memory' || stateOf(error) === 'damaged') throw error;
        settle(toMemory(place.sql, error));
        for (const one of definitions) defineTables(place.sql, one);
        return error;
      }
    },
    /** The file, made anew with all that can be read of the one that is gone or damaged. Throws where it can't be made. */
    async moveOn({ isDamaged }: { isDamaged: boolean }): Promise<{ keptAs: string | null }> {
      isMoving = true;
      try {
        const keptAs = isDamaged ? setAside(path, besideDatabase) : null;
        const next = openFile(path);
        withTables(next);
        await copyInTurns(place.sql, next.sql);
        settle(next);
        return { keptAs };
      } finally {
        isMoving = false;
      }
    },
    /** To the file that could not be used before. `isNew`: it has all that memory had. Throws where it still can't be. */
    moveBack(): { isNew: boolean } {
      const isNew = fileAt(path) === null;
      const next = openFile(path);
      withTables(next);
      if (isNew) for (const _ of copyRows(place.sql, next.sql));
      settle(next);
      return { isNew };
    },
    close: () => place.sql.close(),
  };
}
