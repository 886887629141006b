import { randomUUID } from 'node:crypto';
import {
  type AuthProvider,
  discoverAuthorizationServerMetadata,
  type FetchLike,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client';
import { type Clock, createObservable, type Log, type Observable, throwIfAborted } from '../../foundation';
import type { SecretStore } from '../../host';
import { signInByBrowser } from './browser';
import { createChallenge } from './challenge';
import { createProvider, type OAuthConfig, type OtherGrant } from './client';
import { type Credentials, createCredentials } from './credentials';
import { signInByDevice } from './device';
import { discover } from './discovery';
import { notRevoked, signInFailed, signInFailure } from './failures';
import { createGuardedFetch } from './guarded-fetch';
import { createProofs } from './proofs';
import { createRenewal } from './renewal';
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
  const client = { config, serverId, store, credentials, proofs };
  const state = createObservable<SignInState>({ signedIn: false, account: null, underWay: null });
  const challenge = createChallenge(config.scope);
  let discovery: OAuthDiscoveryState | null = null;
  /** The token that went out last: what the server refuses. */
  let presented: string | undefined;
  let done: number[] = [];

  const show = (change: Partial<SignInState>) => state.update((before) => ({ ...before, ...change }));

  async function look(signal?: AbortSignal): Promise<OAuthDiscoveryState> {
    discovery ??= await discover({
      serverId,
      server,
      resourceMetadata: challenge.resourceMetadata(),
      needsPkce: config.grant === undefined || config.grant === 'browser',
      fetch: createGuardedFetch(serverId, server, signal),
    });
    return discovery;
  }

  const renewal = createRenewal({
    server,
    client,
    discovery: () => look(),
    scope: challenge.scope,
    alone: parts.alone,
    show,
    clock,
    log,
  });

  const byBrowser = (discovery: OAuthDiscoveryState, signal: AbortSignal) =>
    signInByBrowser({
      ...client,
      server,
      discovery,
      resourceMetadata: challenge.resourceMetadata(),
      scope: challenge.askedScope(),
      signal,
      async open(url) {
        show({ underWay: { url, code: null } });
        // Where no browser opens, the address is on the screen.
        await parts.openExternal(url).catch((error) => log.warn('no browser opened', { error }));
      },
    });

  async function byDevice(discovery: OAuthDiscoveryState, signal: AbortSignal): Promise<void> {
    await signInByDevice({
      serverId,
      server,
      discovery,
      scope: challenge.askedScope() ?? discovery.resourceMetadata?.scopes_supported?.join(' '),
      resource: discovery.resourceMetadata?.resource,
      provider: (grant: OtherGrant) =>
        createProvider({
          ...client,
          discovery,
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
  async function takeBack(issuer: string, owner: Credentials | null): Promise<void> {
    const guarded = createGuardedFetch(serverId, server);
    const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: guarded });
    if (metadata && owner) await revoke(owner, metadata, guarded);
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
        await renewal.once(current.tokens.access_token).catch(() => undefined);
        presented = (await store.current())?.tokens?.access_token;
        return presented;
      },
      async onUnauthorized() {
        // The server may have moved to another service since.
        discovery = null;
        await renewal.once(presented);
      },
    },
    proving: proofs.proving,
    note(response) {
      proofs.note(response);
      challenge.note(response);
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
          await renewal.once((await store.current())?.tokens?.access_token);
        else {
          discovery = null;
          const service = await look(signal);
          challenge.ask((await store.current())?.tokens?.scope);
          await (way === 'device' || config.grant === 'device' ? byDevice : byBrowser)(service, signal);
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
      const [owner] = await Promise.allSettled([current?.tokens ? credentials(current.issuer) : null]);
      await store.clear(config.clientId);
      done = [];
      challenge.forgetAsked();
      discovery = null;
      show({ signedIn: false, account: null });
      if (!current?.tokens) return;
      try {
        if (owner.status === 'rejected') throw owner.reason;
        await takeBack(current.issuer, owner.value);
      } catch (error) {
        log.warn('tokens not revoked', { serverId, error });
        throw notRevoked(serverId, error);
      }
    },
  };
}
