import type { HookEvent, HookRun } from '../../contract/hooks';
import type { Database } from '../foundation';

/** How each hook of a vault went the last time. */
export interface HookRuns {
  last(vault: string): ReadonlyMap<string, HookRun>;
  add(vault: string, name: string, run: HookRun): void;
  /** When the time of a scheduled hook began: its last run, or when it was first seen. */
  since(vault: string, name: string, now: number): number;
}

interface RunRow {
  vault: string;
  name: string;
  at: number;
  event: string | null;
  path: string | null;
  ms: number;
  outcome: string;
  detail: string;
}

export function createHookRuns(database: Database): HookRuns {
  const runs = database.table<RunRow>(`
    create table if not exists hook_runs (
      vault text not null, name text not null, at real not null, event text, path text, ms real not null,
      outcome text not null, detail text not null, primary key (vault, name)
    ) strict
  `);
  const firstSeen = database.table<{ vault: string; name: string; at: number }>(`
    create table if not exists hook_seen (
      vault text not null, name text not null, at real not null, primary key (vault, name)
    ) strict
  `);

  return {
    last: (vault) =>
      new Map(
        runs
          .all({ vault })
          .map(({ vault: _, name, event, outcome, ...run }) => [
            name,
            { ...run, event: event as HookEvent | null, outcome: outcome as HookRun['outcome'] },
          ]),
      ),
    add(vault, name, { at, event, path, ms, outcome, detail }) {
      void runs.put({ vault, name, at, event, path, ms, outcome, detail });
      if (event === 'schedule') void firstSeen.put({ vault, name, at });
    },
    since(vault, name, now) {
      const row = firstSeen.get({ vault, name });
      if (!row) void firstSeen.put({ vault, name, at: now });
      return row?.at ?? now;
    },
  };
}
