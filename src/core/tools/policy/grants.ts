import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Grant } from '../../../contract/tools';
import { type Clock, createObservable, type Database, type Observable } from '../../foundation';
import type { PinnedGrant } from './policy';

export interface StoredGrant extends Grant, Pick<PinnedGrant, 'origin' | 'pins' | 'note'> {
  /** Which vault’s folder decides what is behind the server; null: none does. */
  readonly vault: string | null;
}

const Pin = z.object({ definition: z.string(), shown: z.string() });
const Stored = Grant.extend({
  origin: z.string(),
  pins: z.record(z.string(), Pin),
  note: z.string().nullable().default(null),
  vault: z.string().nullable().default(null),
});
const Configured = z.object({ origin: z.string(), pin: Pin });
type Configured = Readonly<z.infer<typeof Configured>>;

/** Null: it can't be understood, and counts as never said. */
function parsed<S extends z.ZodType>(schema: S, text: string): z.output<S> | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Everything "always" that was said, kept over restarts. */
export interface Grants {
  readonly list: Observable<StoredGrant[]>;
  add(grant: Omit<StoredGrant, 'id' | 'grantedAt'>): void;
  revoke(id: string): void;
  /** The note is at another path by now. */
  moved(note: string, path: string): void;
  /** The note is no more. */
  over(note: string): void;
  /** What a tool was when the configuration's `allow` was first used for it. */
  configured(serverId: string, tool: string): Configured | null;
  /** Null forgets it. */
  setConfigured(serverId: string, tool: string, configured: Configured | null): void;
}

export function createGrants({ database, clock }: { database: Database; clock: Clock }): Grants {
  const rows = database.table<{ id: string; value: string }>(
    'create table if not exists tool_grants (id text primary key, value text not null) strict',
  );
  const pins = database.table<{ server_id: string; tool: string; value: string }>(`
    create table if not exists tool_pins (
      server_id text not null, tool text not null, value text not null, primary key (server_id, tool)
    ) strict
  `);
  const write = (grant: StoredGrant) => void rows.put({ id: grant.id, value: JSON.stringify(grant) });

  function load(): StoredGrant[] {
    const entries = rows.all().map(({ id, value }) => ({ id, grant: parsed(Stored, value) }));
    const lost = entries.flatMap(({ id, grant }) => (grant ? [] : [`grant ${id}`]));
    if (lost.length > 0) database.reportLost(lost);
    return entries.flatMap(({ grant }) => grant ?? []);
  }

  const list = createObservable(load());
  database.onReturned(() => list.set(load()));

  function sameScope(a: Omit<StoredGrant, 'id' | 'grantedAt'>, b: StoredGrant): boolean {
    if (a.scope !== b.scope || a.serverId !== b.serverId || a.tool !== b.tool) return false;
    // Of a time when names were all that was kept: what is said anew replaces it.
    const isOld = b.note === null && b.vault === null;
    return (isOld && a.path === b.path) || (a.note === b.note && a.vault === b.vault);
  }

  return {
    list,
    add(grant) {
      // Said again, for what the tool is now: the older one has nothing to say any more.
      for (const older of list.get().filter((other) => sameScope(grant, other)))
        void rows.remove({ id: older.id });
      const added: StoredGrant = { ...grant, id: randomUUID(), grantedAt: clock.now() };
      write(added);
      list.update((grants) => [...grants.filter((other) => !sameScope(grant, other)), added]);
    },
    revoke(id) {
      void rows.remove({ id });
      list.update((grants) => grants.filter((grant) => grant.id !== id));
    },
    moved(note, path) {
      if (!list.get().some((grant) => grant.note === note)) return;
      list.update((grants) => grants.map((grant) => (grant.note === note ? { ...grant, path } : grant)));
      for (const grant of list.get()) if (grant.note === note) write(grant);
    },
    over(note) {
      for (const { id } of list.get().filter((grant) => grant.note === note)) this.revoke(id);
    },
    configured(serverId, tool) {
      const row = pins.get({ server_id: serverId, tool });
      return row ? parsed(Configured, row.value) : null;
    },
    setConfigured(serverId, tool, configured) {
      const key = { server_id: serverId, tool };
      if (configured) void pins.put({ ...key, value: JSON.stringify(configured) });
      else void pins.remove(key);
    },
  };
}
