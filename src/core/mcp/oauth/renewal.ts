import { auth, type OAuthDiscoveryState, UnauthorizedError } from '@modelcontextprotocol/client';
import { backoff, type Clock, delay, type Log } from '../../foundation';
import { createProvider, type OtherGrant, type ProviderParts } from './client';
import { createGuardedFetch } from './guarded-fetch';

/** Tokens without a person, one request for them at a time. */
export interface Renewal {
  /** `old`: the token that is no good any more. Throws `UnauthorizedError` where it cannot be. */
  once(old: string | undefined): Promise<void>;
}

export function createRenewal({
  server,
  client,
  discovery,
  scope,
  alone,
  show,
  clock,
  log,
}: {
  server: URL;
  client: Pick<ProviderParts, 'config' | 'serverId' | 'store' | 'credentials' | 'proofs'>;
  discovery(): Promise<OAuthDiscoveryState>;
  scope(): string | undefined;
  alone<T>(work: () => Promise<T>): Promise<T>;
  show(change: { signedIn: boolean }): void;
  clock: Clock;
  log: Log;
}): Renewal {
  const { serverId, config, store } = client;
  let renewing: Promise<void> | null = null;

  /** One process at a time: a token that was used up is refused for ever. */
  async function renew(old: string | undefined): Promise<void> {
    const byItself = config.grant === 'client-credentials';
    await alone(async () => {
      store.reload();
      const current = await store.current();
      const token = current?.tokens?.access_token;
      if (token !== undefined && token !== old) return show({ signedIn: true });
      if (!byItself && current?.tokens?.refresh_token === undefined) throw new UnauthorizedError();
      await ask(byItself);
    });
  }

  async function ask(byItself: boolean): Promise<void> {
    let broken: unknown = null;
    const guarded = createGuardedFetch(serverId, server);
    const fetchFn: typeof guarded = async (url, init) => {
      try {
        // A proof is for one request: the same one again would be refused.
        const tries = new Headers(init?.headers).has('dpop') ? 1 : busy.tries;
        return await withRetries(() => guarded(url, init), tries, clock);
      } catch (error) {
        broken = error;
        throw error;
      }
    };
    try {
      const provider = createProvider({
        ...client,
        discovery: await discovery(),
        redirectUrl: byItself ? undefined : 'http://127.0.0.1/callback',
        mayRegister: false,
        ...(byItself && { grant: clientCredentials }),
        open: async () => {
          // A network that is down is no reason to sign in again.
          throw broken ?? new UnauthorizedError();
        },
      });
      const words = scope();
      await auth(provider, { serverUrl: server, fetchFn, ...(words !== undefined && { scope: words }) });
      show({ signedIn: true });
    } catch (error) {
      log.info('sign-in not renewed', { serverId, error });
      if (broken !== null) throw broken;
      show({ signedIn: false });
      throw Object.assign(new UnauthorizedError(), { cause: error });
    }
  }

  return {
    once: (old) =>
      (renewing ??= renew(old).finally(() => {
        renewing = null;
      })),
  };
}

const busy = { tries: 3, first: 500, most: 4_000 };

/** A service that is overloaded or being restarted is asked again; that says nothing about the sign-in. */
async function withRetries(ask: () => Promise<Response>, tries: number, clock: Clock): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await ask();
    if (response.status < 500 && response.status !== 429) return response;
    await response.body?.cancel();
    if (attempt >= tries)
      throw new Error(`The sign-in service cannot be used now (HTTP ${response.status}).`);
    await delay(backoff(attempt, busy, Math.random()), undefined, clock);
  }
}

const clientCredentials: OtherGrant = (scope) =>
  new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) });
