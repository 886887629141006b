import { randomUUID } from 'node:crypto';
import {
  type AuthProvider,
  auth,
  computeScopeUnion,
  discoverAuthorizationServerMetadata,
  extractWWWAuthenticateParams,
  type FetchLike,
  type OAuthDiscoveryState,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import {
  backoff,
  type Clock,
  createObservable,
  delay,
  type Log,
  type Observable,
  throwIfAborted,
} from '../../foundation';
import type { SecretStore } from '../../host';
import { signInByBrowser } from './browser';
import { createProvider, type OAuthConfig, type OtherGrant } from './client';
import { type Credentials, createCredentials } from './credentials';
import { signInByDevice } from './device';
import { discover } from './discovery';
import { notRevoked, signInFailed, signInFailure } from './failures';
import { createGuardedFetch } from './guarded-fetch';
import { createProofs } from './proofs';
import { revoke } from './revoke';
import { createTokenStore } from './tokens';

export interface SignInState {
  readonly signedIn: boolean;
  /** Another one after each sign-in, of whomever; null: nobody, or nobody is known yet. */
  readonly account: string | null;
  /** What a person is to open, with the code to type where there is one; null: nothing is under way. */
  readonly underWay: { readonly url: string; readonly code: string | null } | null;
}

/** Being signed in at one server. Nothing here opens a browser but `signIn`. */
export interface ServerSignIn {
  readonly state: Observable<SignInState>;
  /** For the transports: the token, renewed ahead of time and after a refusal, never by asking a person. */
  readonly provider: AuthProvider;
  /** For the transports: each request with its proof, where the token is bound to a key. */
  proving(fetch: FetchLike): FetchLike;
  /** Every answer of the server passes here: a refusal says what the next sign-in has to ask for. */
  note(response: Response): void;
  /** Throws `mcp.sign-in-failed`, `request.cancelled`. */
  signIn(way: 'browser' | 'device', signal: AbortSignal): Promise<void>;
  /** Forgets the tokens and takes them back at the service. Throws `mcp.not-revoked`: they are forgotten all the same. */
  signOut(): Promise<void>;
  /** Looks at what is kept anew, since another process may have signed in or out. True: somebody is signed in now who was not. */
  lookAgain(): Promise<boolean>;
}

const aheadMs = 60_000;
/** A server that asks again and again is not obeyed without end. */
const most = { attempts: 3, withinMs: 10 * 60_000 };

export function createServerSignIn(parts: {
  serverId: string;
  server: URL;
  config: OAuthConfig;
  secrets: Pick<SecretStore, 'get' | 'set' | 'delete'>;
  clock: Clock;
  log: Log;
  openExternal(url: string): Promise<void>;
  /** Runs work while no other process of ours does the same for this server. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}): ServerSignIn {
  const { serverId, server, config, secrets, clock, log } = parts;
  const store = createTokenStore({ serverId, server, secrets, clock });
  const credentials = createCredentials({ serverId, config, store });
  const proofs = createProofs(store);
  const state = createObservable<SignInState>({ signedIn: false, account: null, underWay: null });
  let challenge: { resourceMetadata: URL | undefined; scope: string | undefined } | null = null;
  let asked: string | undefined;
  let discovery: OAuthDiscoveryState | null = null;
  let renewing: Promise<void> | null = null;
  /** The token that went out last: what the server refuses. */
  let presented: string | undefined;
  let done: number[] = [];

  const show = (change: Partial<SignInState>) => state.update((before) => ({ ...before, ...change }));

  async function look(signal?: AbortSignal): Promise<OAuthDiscoveryState> {
    discovery ??= await discover({
      serverId,
      server,
      resourceMetadata: challenge?.resourceMetadata,
      needsPkce: config.grant === undefined || config.grant === 'browser',
      fetch: createGuardedFetch(serverId, server, signal),
    });
    return discovery;
  }

  /**
   * New tokens without a person, one process at a time: a token that was used up is refused for ever. `old`: the one that is
   * no good any more. Throws `UnauthorizedError` where it cannot be.
   */
  async function renew(old: string | undefined): Promise<void> {
    const byItself = config.grant === 'client-credentials';
    await parts.alone(async () => {
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
        return await patiently(() => guarded(url, init), tries, clock);
      } catch (error) {
        broken = error;
        throw error;
      }
    };
    try {
      const provider = createProvider({
        config,
        serverId,
        store,
        credentials,
        proofs,
        discovery: await look(),
        redirectUrl: byItself ? undefined : 'http://127.0.0.1/callback',
        mayRegister: false,
        ...(byItself && { grant: clientCredentials }),
        open: async () => {
          // A network that is down is no reason to sign in again.
          throw broken ?? new UnauthorizedError();
        },
      });
      await auth(provider, { serverUrl: server, fetchFn, ...scopeOf(wanted()) });
      show({ signedIn: true });
    } catch (error) {
      log.info('sign-in not renewed', { serverId, error });
      if (broken !== null) throw broken;
      show({ signedIn: false });
      throw Object.assign(new UnauthorizedError(), { cause: error });
    }
  }

  const renewOnce = (old: string | undefined) =>
    (renewing ??= renew(old).finally(() => {
      renewing = null;
    }));

  const wanted = () => computeScopeUnion(asked, challenge?.scope, config.scope);

  const byBrowser = (found: OAuthDiscoveryState, signal: AbortSignal) =>
    signInByBrowser({
      serverId,
      server,
      config,
      store,
      credentials,
      proofs,
      discovery: found,
      resourceMetadata: challenge?.resourceMetadata,
      scope: asked,
      signal,
      async open(url) {
        show({ underWay: { url, code: null } });
        // Where no browser opens, the address is on the screen.
        await parts.openExternal(url).catch((error) => log.warn('no browser opened', { error }));
      },
    });

  async function byDevice(found: OAuthDiscoveryState, signal: AbortSignal): Promise<void> {
    await signInByDevice({
      serverId,
      server,
      discovery: found,
      scope: asked ?? found.resourceMetadata?.scopes_supported?.join(' '),
      resource: found.resourceMetadata?.resource,
      provider: (grant: OtherGrant) =>
        createProvider({
          config,
          serverId,
          store,
          credentials,
          proofs,
          discovery: found,
          redirectUrl: undefined,
          grant,
          mayRegister: true,
          open: async () => undefined,
        }),
      fetch: createGuardedFetch(serverId, server, signal),
      clock,
      signal,
      show: (step) => show({ underWay: step }),
    });
  }

  /** Whoever gave them is asked how, and nobody else: the server may name another service by now. */
  async function takeBack(issuer: string, given: Credentials | null): Promise<void> {
    const guarded = createGuardedFetch(serverId, server);
    const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: guarded });
    if (metadata && given) await revoke(given, metadata, guarded);
  }

  return {
    state,
    provider: {
      async token() {
        const current = await store.current();
        presented = current?.tokens?.access_token;
        if (!current?.tokens) return undefined;
        if (!state.get().signedIn) show({ signedIn: true, account: await store.account() });
        const { expiresAt = Number.POSITIVE_INFINITY } = current;
        if (expiresAt - clock.now() > aheadMs) return current.tokens.access_token;
        await renewOnce(current.tokens.access_token).catch(() => undefined);
        presented = (await store.current())?.tokens?.access_token;
        return presented;
      },
      async onUnauthorized() {
        // The server may have moved to another service since.
        discovery = null;
        await renewOnce(presented);
      },
    },
    proving: proofs.proving,
    note(response) {
      proofs.note(response);
      if (response.status !== 401 && response.status !== 403) return;
      const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
      if (response.status === 403 && error !== 'insufficient_scope') return;
      challenge = {
        resourceMetadata: resourceMetadataUrl ?? challenge?.resourceMetadata,
        scope: computeScopeUnion(response.status === 403 ? challenge?.scope : undefined, scope),
      };
    },
    async signIn(way, signal) {
      done = done.filter((at) => at > clock.now() - most.withinMs);
      if (done.length >= most.attempts)
        throw signInFailed(
          serverId,
          `The server asked again after ${most.attempts} sign-ins. Try again in some minutes.`,
        );
      try {
        if (config.grant === 'client-credentials')
          await renewOnce((await store.current())?.tokens?.access_token);
        else {
          discovery = null;
          const found = await look(signal);
          // What was granted before is asked for again, or it would be lost.
          asked = computeScopeUnion(
            asked,
            (await store.current())?.tokens?.scope,
            challenge?.scope,
            config.scope,
          );
          await (way === 'device' || config.grant === 'device' ? byDevice : byBrowser)(found, signal);
        }
        done.push(clock.now());
        const account = randomUUID();
        await store.saveAccount(account);
        show({ signedIn: true, account });
        log.info('signed in', { serverId });
      } catch (error) {
        throwIfAborted(signal);
        throw signInFailure(serverId, error);
      } finally {
        show({ underWay: null });
      }
    },
    async lookAgain() {
      store.reload();
      const [current, account] = [await store.current(), await store.account()];
      const before = state.get();
      const signedIn = current?.tokens !== undefined;
      if (account === before.account && signedIn === before.signedIn) return false;
      show({ signedIn, account });
      return signedIn;
    },
    async signOut() {
      const current = await store.current();
      const [given] = await Promise.allSettled([current?.tokens ? credentials(current.issuer) : null]);
      await store.clear(config.clientId);
      done = [];
      asked = undefined;
      discovery = null;
      show({ signedIn: false, account: null });
      if (!current?.tokens) return;
      try {
        if (given.status === 'rejected') throw given.reason;
        await takeBack(current.issuer, given.value);
      } catch (error) {
        log.warn('tokens not revoked', { serverId, error });
        throw notRevoked(serverId, error);
      }
    },
  };
}

const busy = { tries: 3, first: 500, most: 4_000 };

/** A service that is overloaded or being restarted is asked again; that says nothing about the sign-in. */
async function patiently(ask: () => Promise<Response>, tries: number, clock: Clock): Promise<Response> {
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

const scopeOf = (scope: string | undefined) => (scope === undefined ? {} : { scope });
