import { quoted, type TableForm, type Value } from './tables';
import type { Statement } from './write-queue';

type Row = Record<string, Value>;

/**
 * Rows that are few, read at once and written one by one. What was put is read from that moment on, also while the file
 * can't be written yet or not be read; what other processes write is seen when it is read next.
 */
export interface Table<R> {
  get(key: Partial<R>): R | undefined;
  /** In the order in which they came; those with these values, or all. */
  all(having?: Partial<R>): R[];
  /** Resolves when it is in the file. */
  put(row: R): Promise<unknown>;
  remove(key: Partial<R>): Promise<unknown>;
  /** Replaces the row, or takes it out, only if the file has it just so: of all who try, one is told true. */
  exchange(before: R, after: R | null): Promise<boolean>;
}

/** What a table needs of its database. */
export interface TableSource {
  all(text: string): Record<string, unknown>[];
  write(write: readonly Statement[], isMirrored: boolean): Promise<number>;
  /** Another one as soon as somebody else may have written. Null: the file can't be read now. */
  stamp(): string | null;
}

const valuesOf = (row: Row, names: readonly string[]) => names.map((column) => row[column] ?? null);

export function createTable<R extends { [K in keyof R]: Value }>(
  source: TableSource,
  { name, columns, key }: TableForm,
): Table<R> {
  let rows = new Map<string, R>();
  let lastStamp: string | null = null;
  /** Not in the file yet; null: it is to be taken out. */
  const unwritten = new Map<string, { readonly row: R | null }>();
  const keyOf = (row: Partial<R>) => JSON.stringify(valuesOf(row as Row, key));

  const conditionsOn = (names: readonly string[], join: string) =>
    names.map((column) => `${quoted(column)} is ?`).join(join);
  const list = columns.map(quoted).join(', ');
  const others = columns.filter((column) => !key.includes(column));
  const updates = others.map((column) => `${quoted(column)} = excluded.${quoted(column)}`).join(', ');
  const texts = {
    select: `select ${list} from ${quoted(name)} order by rowid`,
    upsert: `insert into ${quoted(name)} (${list}) values (${columns.map(() => '?').join(', ')})
      on conflict (${key.map(quoted).join(', ')}) do ${updates === '' ? 'nothing' : `update set ${updates}`}`,
    remove: `delete from ${quoted(name)} where ${conditionsOn(key, ' and ')}`,
    removeSame: `delete from ${quoted(name)} where ${conditionsOn(columns, ' and ')}`,
    updateSame: `update ${quoted(name)} set ${columns.map((column) => `${quoted(column)} = ?`).join(', ')}
      where ${conditionsOn(columns, ' and ')}`,
  };

  function current(): Map<string, R> {
    const stamp = source.stamp();
    if (stamp === null || stamp === lastStamp) return rows;
    try {
      rows = new Map(source.all(texts.select).map((row) => [keyOf(row as R), row as R]));
      lastStamp = stamp;
      for (const [at, { row }] of unwritten) set(at, row);
    } catch {
      // What was read last holds.
    }
    return rows;
  }

  function set(at: string, row: R | null): void {
    if (row === null) rows.delete(at);
    else rows.set(at, row);
  }

  function change(at: string, row: R | null, statement: Statement): Promise<unknown> {
    current();
    set(at, row);
    const mark = { row };
    unwritten.set(at, mark);
    const over = () => {
      if (unwritten.get(at) === mark) unwritten.delete(at);
    };
    const writing = source.write([statement], true);
    writing.then(over, over);
    return writing;
  }

  return {
    get: (row) => current().get(keyOf(row)),
    all(having = {}) {
      const conditions = Object.entries(having);
      return [...current().values()].filter((row) =>
        conditions.every(([column, value]) => (row as Row)[column] === value),
      );
    },
    put: (row) => change(keyOf(row), row, [texts.upsert, ...valuesOf(row as Row, columns)]),
    remove: (row) => change(keyOf(row), null, [texts.remove, ...valuesOf(row as Row, key)]),
    async exchange(before, after) {
      const old = valuesOf(before as Row, columns);
      const statement: Statement =
        after === null
          ? [texts.removeSame, ...old]
          : [texts.updateSame, ...valuesOf(after as Row, columns), ...old];
      return (await source.write([statement], false)) > 0;
    },
  };
}
