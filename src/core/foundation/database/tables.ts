import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';

/** What a column of ours holds. */
export type Value = string | number | null;

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

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

/** A table as its statement says it. */
export interface TableForm {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

export function tableForm(create: string): TableForm {
  const model = new DatabaseSync(':memory:');
  try {
    model.exec(create);
    const [table] = tablesOf(model);
    if (!table) throw new Error('No table is made by this.');
    const key = model
      .prepare('select name from pragma_table_info(?) where pk > 0 order by pk')
      .all(table.name)
      .map(({ name }) => String(name));
    return { name: table.name, columns: columnsOf(model, table.name), key };
  } finally {
    model.close();
  }
}

/** Makes what is not there. A table of another form is built anew, with the rows that still fit. */
export function defineTables(sql: DatabaseSync, statements: string): void {
  const model = new DatabaseSync(':memory:');
  try {
    model.exec(statements);
    for (const { name, create } of tablesOf(model)) {
      const there = columnsOf(sql, name);
      const columns = columnsOf(model, name);
      if (there.length > 0 && there.join() !== columns.join())
        rebuild(
          sql,
          name,
          create,
          columns.filter((column) => there.includes(column)),
        );
    }
  } finally {
    model.close();
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

/** Rows between two turns of whoever else has work. */
const rowsATurn = 200;

/** All rows that can be read, also those behind a place that can't, and what is there already stays. */
export function* copyRows(from: DatabaseSync, into: DatabaseSync): Generator<void> {
  for (const { name, create } of tablesOf(from)) {
    try {
      into.exec(create.replace(/^create table (?!if not exists)/i, 'create table if not exists '));
      yield* copyTable(from, into, name);
    } catch {
      // The next table may be whole.
    }
  }
}

function* copyTable(from: DatabaseSync, into: DatabaseSync, name: string): Generator<void> {
  const there = columnsOf(into, name);
  const columns = columnsOf(from, name).filter((column) => there.includes(column));
  const [names, places] = [columns.map(quoted).join(', '), columns.map(() => '?').join(', ')];
  const insert = into.prepare(`insert or ignore into ${quoted(name)} (${names}) values (${places})`);
  for (const order of ['', ' order by rowid desc']) {
    const rows = from.prepare(`select ${names} from ${quoted(name)}${order}`).iterate();
    try {
      for (let batch = take(rows); ; batch = take(rows)) {
        into.exec('begin');
        for (const row of batch.rows) insert.run(...columns.map((column) => row[column] ?? null));
        into.exec('commit');
        if (batch.trouble !== null) throw batch.trouble;
        if (batch.rows.length < rowsATurn) return;
        yield;
      }
    } catch {
      // From the other end, up to the damage.
      if (into.isTransaction) into.exec('rollback');
    }
  }
}

type Row = Record<string, SQLOutputValue>;

/** The next rows, and what kept the others from being read. */
function take(rows: Iterator<Row>): { rows: Row[]; trouble: unknown } {
  const batch: Row[] = [];
  try {
    while (batch.length < rowsATurn) {
      const { done, value } = rows.next();
      if (done) break;
      batch.push(value);
    }
    return { rows: batch, trouble: null };
  } catch (trouble) {
    return { rows: batch, trouble };
  }
}
