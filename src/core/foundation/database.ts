import { mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface Database {
  readonly sql: DatabaseSync;
  close(): void;
}

/**
 * Opens `interlinear.db`. Each module adds its tables with `create table if not exists`.
 * A damaged file is set aside and a new one begun: all but the call history can be rebuilt.
 */
export function openDatabase(path: string, onDamaged: (setAsidePath: string) => void): Database {
  mkdirSync(dirname(path), { recursive: true });
  const open = () => {
    const sql = new DatabaseSync(path);
    try {
      sql.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 3000;');
      sql.prepare('select count(*) from sqlite_master').get();
      return sql;
    } catch (error) {
      sql.close();
      throw error;
    }
  };
  let sql: DatabaseSync;
  try {
    sql = open();
  } catch {
    const aside = `${path}.damaged-${Date.now()}`;
    renameSync(path, aside);
    onDamaged(aside);
    sql = open();
  }
  return { sql, close: () => sql.close() };
}
