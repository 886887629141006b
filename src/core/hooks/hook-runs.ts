import type { HookEvent, HookRun } from '../../contract/hooks';
import type { Database } from '../foundation';

/** How each hook of a vault went the last time. */
export interface HookRuns {
  last(vault: string): ReadonlyMap<string, HookRun>;
  add(vault: string, name: string, run: HookRun): void;
  /** When the time of a scheduled hook began: its last run, or when it was first seen. */
  since(vault: string, name: string, now: number): number;
}

export function createHookRuns({ sql, define }: Database): HookRuns {
  define(`
    create table if not exists hook_runs (
      vault text not null, name text not null, at real not null, event text, path text, ms real not null,
      outcome text not null, detail text not null, primary key (vault, name)
    ) strict;
    create table if not exists hook_seen (
      vault text not null, name text not null, at real not null, primary key (vault, name)
    ) strict;
  `);
  const put = sql.prepare('insert or replace into hook_runs values (?, ?, ?, ?, ?, ?, ?, ?)');
  const find = sql.prepare('select * from hook_runs where vault = ?');
  const see = sql.prepare('insert or ignore into hook_seen values (?, ?, ?)');
  const came = sql.prepare('insert or replace into hook_seen values (?, ?, ?)');
  const seen = sql.prepare('select at from hook_seen where vault = ? and name = ?');

  return {
    last: (vault) =>
      new Map(
        find.all(vault).map((row) => {
          const run: HookRun = {
            at: Number(row.at),
            event: row.event as HookEvent | null,
            path: row.path as string | null,
            ms: Number(row.ms),
            outcome: row.outcome as HookRun['outcome'],
            detail: String(row.detail),
          };
          return [String(row.name), run];
        }),
      ),
    add(vault, name, { at, event, path, ms, outcome, detail }) {
      put.run(vault, name, at, event, path, ms, outcome, detail);
      if (event === 'schedule') came.run(vault, name, at);
    },
    since(vault, name, now) {
      see.run(vault, name, now);
      return Number(seen.get(vault, name)?.at ?? now);
    },
  };
}
