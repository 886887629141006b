import { AppError } from '../../../contract/errors';
import type { ServerDraft } from '../../../contract/mcp';
import { anySignal, type Clock, type Log } from '../../foundation';
import type { SecretStore } from '../../host';
import { hashOf } from '../config/server-config';
import { createServerSignIn, type ServerSignIn } from './sign-in';
import type { SignInState } from './sign-in-state';

/** The sign-ins of all servers that can have one, kept while a server is started and stopped. */
export interface SignIns {
  /** For a server as it is started now; null where nobody can sign in. */
  of(serverId: string, draft: ServerDraft): ServerSignIn | null;
  state(serverId: string): SignInState | null;
  /** Throws `mcp.sign-in-failed`; ends one that is under way for this server. */
  signIn(serverId: string, way: 'browser' | 'device', signal: AbortSignal): Promise<void>;
  signOut(serverId: string): Promise<void>;
  /** Somebody signed in or out in another process: the servers at which somebody is signed in now who was not. */
  lookAgain(): Promise<string[]>;
  close(): void;
}

interface Kept {
  readonly key: string;
  readonly signIn: ServerSignIn;
  underWay: AbortController | null;
}

export function createSignIns(parts: {
  secrets: Pick<SecretStore, 'get' | 'set' | 'delete'>;
  clock: Clock;
  log: Log;
  openExternal(url: string): Promise<void>;
  alone<T>(serverId: string, work: () => Promise<T>): Promise<T>;
  onChange(): void;
  /** Somebody signed in or out here: other processes want to know. */
  announce(): void;
}): SignIns {
  const entries = new Map<string, Kept>();

  function entryOf(serverId: string): Kept {
    const entry = entries.get(serverId);
    if (entry) return entry;
    const reason = 'There is nothing to sign in to at this server.';
    throw new AppError('mcp.sign-in-failed', reason, { serverId, reason });
  }

  return {
    of(serverId, draft) {
      const { url, headers = {}, oauth = {} } = draft;
      const isSigned = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
      const before = entries.get(serverId);
      if (url === undefined || isSigned) {
        entries.delete(serverId);
        return null;
      }
      const key = hashOf({ url, oauth });
      if (before?.key === key) return before.signIn;
      before?.underWay?.abort();
      const signIn = createServerSignIn({
        ...parts,
        serverId,
        server: new URL(url),
        config: oauth,
        alone: (work) => parts.alone(serverId, work),
      });
      signIn.state.onChange(parts.onChange);
      entries.set(serverId, { key, signIn, underWay: null });
      return signIn;
    },
    state: (serverId) => entries.get(serverId)?.signIn.state.get() ?? null,
    async signIn(serverId, way, signal) {
      const entry = entryOf(serverId);
      entry.underWay?.abort();
      const mine = new AbortController();
      entry.underWay = mine;
      try {
        await entry.signIn.signIn(way, anySignal(signal, mine.signal));
        parts.announce();
      } finally {
        if (entry.underWay === mine) entry.underWay = null;
      }
    },
    async signOut(serverId) {
      const entry = entryOf(serverId);
      entry.underWay?.abort();
      await entry.signIn.signOut().finally(parts.announce);
    },
    async lookAgain() {
      const ids: string[] = [];
      for (const [serverId, { signIn }] of entries) if (await signIn.lookAgain()) ids.push(serverId);
      return ids;
    },
    close() {
      for (const { underWay } of entries.values()) underWay?.abort();
    },
  };
}
