import type { Clock, Database } from '../../foundation';

/** Since when each server is used as whom; of a server that was never called nothing is known. */
export interface Accounts {
  /** What was answered before this moment may have been meant for somebody else. Servers by name, as notes name them. */
  since(serverName: string, account: string): number;
  /** Whether what was answered at that moment is certainly of that account: it, and no other, was called since. */
  holds(serverName: string, account: string, at: number): boolean;
}

/** Kept over restarts: who signs in as another may do so while no note is open. */
export function createAccounts({
  database,
  clock,
}: {
  database: Database;
  clock: Pick<Clock, 'now'>;
}): Accounts {
  const accounts = database.table<{ server: string; account: string; since: number }>(
    'create table if not exists server_accounts (server text primary key, account text not null, since real not null) strict',
  );

  return {
    since(serverName, account) {
      const server = serverName.toLowerCase();
      const before = accounts.get({ server });
      if (before?.account === account) return before.since;
      const since = before === undefined ? 0 : clock.now();
      void accounts.put({ server, account, since });
      return since;
    },
    holds(serverName, account, at) {
      const now = accounts.get({ server: serverName.toLowerCase() });
      return now?.account === account && at >= now.since;
    },
  };
}
