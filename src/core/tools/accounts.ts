import type { Clock, Database } from '../foundation';

/** Since when each server is used as whom; of a server that was never called nothing is known. */
export interface Accounts {
  /** What was answered before this moment may have been meant for somebody else. Servers by name, as notes name them. */
  since(serverName: string, account: string): number;
}

/** Kept over restarts: who signs in as another may do so while no note is open. */
export function createAccounts({
  database: { sql, define },
  clock,
}: {
  database: Database;
  clock: Pick<Clock, 'now'>;
}): Accounts {
  define('create table if not exists server_accounts (server text primary key, account text not null, since real not null) strict');
  const keep = sql.prepare(
    'insert or replace into server_accounts (server, account, since) values (?, ?, ?)',
  );
  const known = new Map(
    sql
      .prepare('select server, account, since from server_accounts')
      .all()
      .map((row) => [String(row.server), { account: String(row.account), since: Number(row.since) }]),
  );

  return {
    since(serverName, account) {
      const server = serverName.toLowerCase();
      const before = known.get(server);
      if (before?.account === account) return before.since;
      const since = before === undefined ? 0 : clock.now();
      known.set(server, { account, since });
      try {
        keep.run(server, account, since);
      } catch {
        // A full disk makes no call fail; what is known holds until the app ends.
      }
      return since;
    },
  };
}
