import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { type Clock, createOneAtATime } from '../../foundation';
import type { SecretStore } from '../../host';

/** A key on the curve P-256, as a JSON Web Key writes its numbers; `d` is the secret one. */
const ProofKey = z.object({ x: z.string(), y: z.string(), d: z.string() });
export type ProofKey = z.infer<typeof ProofKey>;

/** What is kept of one sign-in service for one server. */
interface Entry {
  readonly client?: StoredOAuthClientInformation | undefined;
  readonly tokens?: StoredOAuthTokens | undefined;
  readonly expiresAt?: number | undefined;
  /** What tokens are bound to, where they are. */
  readonly proofKey?: ProofKey | undefined;
}

const Stored = z.object({
  /** The address the tokens are for: they are never sent to another one, whatever the configuration says later. */
  server: z.string(),
  current: z.string().nullable(),
  /** Which sign-in it was. */
  account: z.string().optional(),
  /** Clients made known by hand, by id, with the issuer at which each was used first; kept over a sign-out. */
  bound: z.record(z.string(), z.string()).optional(),
  issuers: z.record(
    z.string(),
    z.object({
      client: z.custom<StoredOAuthClientInformation>((value) => typeof value === 'object').optional(),
      tokens: z.custom<StoredOAuthTokens>((value) => typeof value === 'object').optional(),
      expiresAt: z.number().optional(),
      proofKey: ProofKey.optional(),
    }),
  ),
});
type Stored = z.infer<typeof Stored>;

/** Tokens and client registrations of one server, by issuer, in the secret store. */
export interface TokenStore {
  entry(issuer: string): Promise<Entry>;
  /** What is kept is read anew: another process of ours may have changed it. */
  reload(): void;
  /** The one whose tokens are in use. */
  current(): Promise<(Entry & { issuer: string }) | null>;
  /** The issuer to which a client belongs that was made known by hand. */
  boundTo(clientId: string): Promise<string | undefined>;
  account(): Promise<string | null>;
  saveAccount(account: string): Promise<void>;
  saveClient(issuer: string, client: StoredOAuthClientInformation | undefined): Promise<void>;
  /** The first one that is kept stays; gives that. */
  saveProofKey(issuer: string, key: ProofKey): Promise<ProofKey>;
  /** Makes this issuer the current one. `scope`: what a sign-in asked for; `client`: made known by hand. */
  saveTokens(
    issuer: string,
    tokens: StoredOAuthTokens,
    by?: { scope?: string | undefined; client?: string | undefined },
  ): Promise<void>;
  dropTokens(): Promise<void>;
  /** Forgets everything but to whom a client belongs. `client`: made known by hand and in use. */
  clear(client?: string): Promise<void>;
}

export function createTokenStore({
  serverId,
  server,
  secrets,
  clock,
}: {
  serverId: string;
  server: URL;
  secrets: Pick<SecretStore, 'get' | 'set' | 'delete'>;
  clock: Clock;
}): TokenStore {
  const name = `mcp-sign-in:${serverId}`;
  const inOrder = createOneAtATime();
  let cache: Stored | null = null;
  const nothing = (): Stored => ({ server: server.href, current: null, issuers: {} });

  async function read(): Promise<Stored> {
    if (cache) return cache;
    const text = await secrets.get(name);
    const parsed = text === null ? null : Stored.safeParse(parseJson(text));
    cache = parsed?.success && parsed.data.server === server.href ? parsed.data : nothing();
    return cache;
  }

  const change = (alter: (before: Stored) => Stored) =>
    inOrder(name, async () => {
      cache = null;
      cache = alter(await read());
      await secrets.set(name, JSON.stringify(cache));
    });

  return {
    reload() {
      cache = null;
    },
    entry: async (issuer) => (await read()).issuers[issuer] ?? {},
    async current() {
      const { current, issuers } = await read();
      return current === null ? null : { issuer: current, ...issuers[current] };
    },
    boundTo: async (clientId) => (await read()).bound?.[clientId],
    account: async () => (await read()).account ?? null,
    saveAccount: (account) => change((stored) => ({ ...stored, account })),
    saveClient: (issuer, client) => change((stored) => withEntry(stored, issuer, { client })),
    async saveProofKey(issuer, key) {
      await change((stored) =>
        stored.issuers[issuer]?.proofKey ? stored : withEntry(stored, issuer, { proofKey: key }),
      );
      return (await read()).issuers[issuer]?.proofKey ?? key;
    },
    saveTokens: (issuer, tokens, { scope, client } = {}) =>
      change((stored) => ({
        ...withEntry(stored, issuer, {
          // A service that leaves these out gives what there was before.
          tokens: {
            ...tokens,
            ...withScope(tokens.scope ?? scope ?? stored.issuers[issuer]?.tokens?.scope),
          },
          expiresAt: tokens.expires_in === undefined ? undefined : clock.now() + tokens.expires_in * 1000,
        }),
        ...(client !== undefined && { bound: { ...stored.bound, [client]: issuer } }),
        current: issuer,
      })),
    dropTokens: () =>
      change((stored) =>
        stored.current === null
          ? stored
          : withEntry(stored, stored.current, { tokens: undefined, expiresAt: undefined }),
      ),
    clear: (client) =>
      inOrder(name, async () => {
        cache = null;
        const { bound, current } = await read();
        const bindings = client !== undefined && current !== null ? { [client]: current, ...bound } : bound;
        cache = { ...nothing(), ...(bindings && { bound: bindings }) };
        await (bindings ? secrets.set(name, JSON.stringify(cache)) : secrets.delete(name));
      }),
  };
}

const withEntry = (stored: Stored, issuer: string, entry: Entry): Stored => ({
  ...stored,
  issuers: { ...stored.issuers, [issuer]: { ...stored.issuers[issuer], ...entry } },
});

const withScope = (scope: string | undefined) => (scope === undefined ? {} : { scope });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
