import { randomUUID } from 'node:crypto';
import type { Grant } from '../../contract/tools';
import { type Clock, createPicture, type Database, type Picture } from '../foundation';
import type { Pin, PinnedGrant } from './policy';

export interface StoredGrant extends Grant, Pick<PinnedGrant, 'origin' | 'pins'> {}

interface Configured {
  readonly origin: string;
  readonly pin: Pin;
}

/** Everything "always" that was said, kept over restarts. */
export interface Grants {
  readonly list: Picture<StoredGrant[]>;
  add(grant: Omit<StoredGrant, 'id' | 'grantedAt'>): void;
  revoke(id: string): void;
  /** What a tool was when the configuration's `allow` was first used for it. */
  configured(serverId: string, tool: string): Configured | null;
  /** Null forgets it. */
  setConfigured(serverId: string, tool: string, configured: Configured | null): void;
}

export function createGrants({ database, clock }: { database: Database; clock: Clock }): Grants {
  const { sql } = database;
  sql.exec(`
    create table if not exists tool_grants (id text primary key, value text not null) strict;
    create table if not exists tool_pins (
      server_id text not null, tool text not null, value text not null, primary key (server_id, tool)
    ) strict;
  `);
  const insert = sql.prepare('insert into tool_grants (id, value) values (?, ?)');
  const remove = sql.prepare('delete from tool_grants where id = ?');
  const readPin = sql.prepare('select value from tool_pins where server_id = ? and tool = ?');
  const writePin = sql.prepare('insert or replace into tool_pins (server_id, tool, value) values (?, ?, ?)');
  const removePin = sql.prepare('delete from tool_pins where server_id = ? and tool = ?');

  const stored = sql.prepare('select value from tool_grants order by rowid').all();
  const list = createPicture(stored.map((row) => JSON.parse(String(row.value)) as StoredGrant));

  function sameScope(a: Omit<StoredGrant, 'id' | 'grantedAt'>, b: StoredGrant): boolean {
    return a.scope === b.scope && a.serverId === b.serverId && a.tool === b.tool && a.path === b.path;
  }

  return {
    list,
    add(grant) {
      // Said again, for what the tool is now: the older one has nothing to say any more.
      for (const older of list.get().filter((other) => sameScope(grant, other))) remove.run(older.id);
      const added: StoredGrant = { ...grant, id: randomUUID(), grantedAt: clock.now() };
      insert.run(added.id, JSON.stringify(added));
      list.update((grants) => [...grants.filter((other) => !sameScope(grant, other)), added]);
    },
    revoke(id) {
      remove.run(id);
      list.update((grants) => grants.filter((grant) => grant.id !== id));
    },
    configured(serverId, tool) {
      const row = readPin.get(serverId, tool);
      return row ? (JSON.parse(String(row.value)) as Configured) : null;
    },
    setConfigured(serverId, tool, configured) {
      if (configured) writePin.run(serverId, tool, JSON.stringify(configured));
      else removePin.run(serverId, tool);
    },
  };
}
