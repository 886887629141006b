import { DatabaseSync } from 'node:sqlite';

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

function tablesOf(sql: DatabaseSync): { name: string; create: string }[] {
  return sql
    .prepare("select name, sql from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .all()
    .map((row) => ({ name: String(row.name), create: String(row.sql) }));
}

const columnsOf = (sql: DatabaseSync, table: string) =>
  sql
    .prepare('select name from pragma_table_info(?)')
    .all(table)
    .map(({ name }) => String(name));

/** Makes what is not there. A table of another form is built anew, with the rows that still fit. */
export function defineTables(sql: DatabaseSync, statements: string): void {
  const wanted = new DatabaseSync(':memory:');
  try {
    wanted.exec(statements);
    for (const { name, create } of tablesOf(wanted)) {
      const there = columnsOf(sql, name);
      const columns = columnsOf(wanted, name);
      if (there.length > 0 && there.join() !== columns.join())
        rebuild(
          sql,
          name,
          create,
          columns.filter((column) => there.includes(column)),
        );
    }
  } finally {
    wanted.close();
  }
  sql.exec(statements);
}

function rebuild(sql: DatabaseSync, name: string, create: string, common: readonly string[]): void {
  const old = quoted(`${name} before`);
  const columns = common.map(quoted).join(', ');
  sql.exec('begin immediate');
  try {
    sql.exec(`drop table if exists ${old}; alter table ${quoted(name)} rename to ${old}; ${create}`);
    if (common.length > 0)
      sql.exec(`insert or ignore into ${quoted(name)} (${columns}) select ${columns} from ${old}`);
    sql.exec(`drop table ${old}; commit`);
  } catch (error) {
    sql.exec('rollback');
    throw error;
  }
}

/** All rows that can be read, also those behind a place that can't. */
export function copyRows(from: DatabaseSync, into: DatabaseSync): void {
  const tables = tablesOf(from);
  into.exec('begin');
  for (const { name, create } of tables) {
    try {
      into.exec(create);
      copyTable(from, into, name);
    } catch {
      // The next table may be whole.
    }
  }
  into.exec('commit');
}

function copyTable(from: DatabaseSync, into: DatabaseSync, name: string): void {
  const columns = columnsOf(from, name);
  const places = columns.map(() => '?').join(', ');
  const insert = into.prepare(`insert or ignore into ${quoted(name)} values (${places})`);
  for (const order of ['', ' order by rowid desc']) {
    try {
      for (const row of from.prepare(`select * from ${quoted(name)}${order}`).iterate())
        insert.run(...columns.map((column) => row[column] ?? null));
      return;
    } catch {
      // From the other end, up to the damage.
    }
  }
}
