import type { TokenUsage } from '../../contract/chat';
import type { UsageTotal } from '../../contract/providers';
import type { Clock, Database } from '../foundation';

/** What answers used, kept for good; totals are counted when asked for. */
export interface UsageLog {
  add(answer: {
    readonly vault: string;
    readonly path: string;
    readonly vendor: string;
    readonly model: string;
    readonly usage: TokenUsage;
    readonly cost: number | null;
  }): void;
  /** A note, or a folder with its notes, has another path now; what was used stays with it. */
  renamed(vault: string, from: string, to: string): void;
  /** Days and models of everywhere; notes of this vault only. */
  totals(by: 'day' | 'note' | 'model', vault: string, since?: number): UsageTotal[];
}

const mostTotals = 500;

export function createUsageLog({ database, clock }: { database: Database; clock: Clock }): UsageLog {
  database.define(`
    create table if not exists usage (
      id integer primary key, at real not null, day text not null, vault text not null, path text not null,
      vendor text not null, model text not null, input integer not null, output integer not null,
      cached integer not null, cost real
    ) strict;
    create index if not exists usage_at on usage (at);
  `);
  const insert = `insert into usage
    (at, day, vault, path, vendor, model, input, output, cached, cost) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
  const move = `update usage set path = ?3 || substr(path, length(?2) + 1)
    where vault = ?1 and (path = ?2 or substr(path, 1, length(?2) + 1) = ?2 || '/')`;
  const sums = `count(*) as answers, sum(input) as input, sum(output) as output, sum(cached) as cached,
    coalesce(sum(cost), 0) as cost, sum(cost is null) as unpriced`;
  const queries = {
    day: `select day as name, ${sums} from usage where at >= ?1 and ?2 is not null
      group by day order by day desc limit ${mostTotals}`,
    note: `select path as name, ${sums} from usage where at >= ?1 and vault = ?2
      group by path order by cost desc, input + output desc limit ${mostTotals}`,
    model: `select model || ' (' || vendor || ')' as name, ${sums} from usage
      where at >= ?1 and ?2 is not null
      group by vendor, model order by cost desc, input + output desc limit ${mostTotals}`,
  };

  return {
    add({ vault, path, vendor, model, usage, cost }) {
      const at = clock.now();
      const tokens = [usage.inputTokens, usage.outputTokens, usage.cachedInputTokens ?? 0];
      void database.write([insert, at, localDay(at), vault, path, vendor, model, ...tokens, cost]);
    },
    renamed: (vault, from, to) => void database.write([move, vault, from, to]),
    totals: (by, vault, since = 0) =>
      database.all(queries[by], since, vault).map((row) => ({
        name: String(row.name),
        answers: Number(row.answers),
        inputTokens: Number(row.input),
        outputTokens: Number(row.output),
        cachedInputTokens: Number(row.cached),
        cost: Number(row.cost),
        unpriced: Number(row.unpriced),
      })),
  };
}

/** The day where the person is. */
function localDay(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
