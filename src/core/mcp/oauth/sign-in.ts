import { randomUUID } from 'node:crypto';
import {
  type AuthProvider,
  discoverAuthorizationServerMetadata,
  type FetchLike,
} from '@modelcontextprotocol/client';
import { type Clock, createObservable, type Log, type Observable, throwIfAborted } from '../../foundation';
import type { SecretStore } from '../../host';
import { createAccessToken } from './access-token';
import { createChallenge } from './challenge';
import type { OAuthConfig } from './client';
import { type Credentials, createCredentials } from './credentials';
import { notRevoked, signInFailed, signInFailure } from './failures';
import { createGuardedFetch } from './guarded-fetch';
import { createProofs } from './proofs';
import { createRenewal, type Renewal } from './renewal';
import { revoke } from './revoke';
import { createSignInService } from './sign-in-service';
import type { SignInContext, SignInState } from './sign-in-state';
import { createSignInWays } from './sign-in-ways';
import { createTokenStore } from './tokens';

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

/** A server that asks again and again is not obeyed without end. */
const most = { attempts: 3, withinMs: 10 * 60_000 };

export function createServerSignIn({
  serverId,
  server,
  config,
  secrets,
  clock,
  log,
  openExternal,
  alone,
}: {
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
  const store = createTokenStore({ serverId, server, secrets, clock });
  const credentials = createCredentials({ serverId, config, store });
  const proofs = createProofs(store);
  const client = { config, serverId, store, credentials, proofs };
  const state = createObservable<SignInState>({ signedIn: false, account: null, underWay: null });
  const challenge = createChallenge(config.scope);
  const service = createSignInService({ serverId, server, config, challenge });
  const show = (change: Partial<SignInState>) => state.update((before) => ({ ...before, ...change }));
  const context: SignInContext = { serverId, server, client, challenge, service, state, show, clock, log };
  const renewal = createRenewal({
    server,
    client,
    discovery: () => service.find(),
    scope: challenge.scope,
    alone,
    show,
    clock,
    log,
  });
  return {
    state,
    provider: createAccessToken(context, renewal),
    proving: proofs.proving,
    note(response) {
      proofs.note(response);
      challenge.note(response);
    },
    ...createSigning(context, { renewal, openExternal }),
    async lookAgain() {
      store.reload();
      const [current, account] = [await store.current(), await store.account()];
      const before = state.get();
      const signedIn = current?.tokens !== undefined;
      if (account === before.account && signedIn === before.signedIn) return false;
      show({ signedIn, account });
      return signedIn;
    },
  };
}

/** What a person does: signing in, and out again. */
function createSigning(
  context: SignInContext,
  { renewal, openExternal }: { renewal: Renewal; openExternal(url: string): Promise<void> },
): Pick<ServerSignIn, 'signIn' | 'signOut'> {
  const { serverId, client, challenge, service, show, clock, log } = context;
  const { config, store, credentials } = client;
  const ways = createSignInWays(context, openExternal);
  /** When somebody signed in. */
  let times: number[] = [];
  return {
    async signIn(way, signal) {
      times = times.filter((at) => at > clock.now() - most.withinMs);
      if (times.length >= most.attempts)
        throw signInFailed(
          serverId,
          `The server asked again after ${most.attempts} sign-ins. Try again in some minutes.`,
        );
      try {
        if (config.grant === 'client-credentials')
          await renewal.once((await store.current())?.tokens?.access_token);
        else {
          service.forget();
          const discovery = await service.find(signal);
          challenge.ask((await store.current())?.tokens?.scope);
          await ways[config.grant === 'device' ? 'device' : way](discovery, signal);
        }
        times.push(clock.now());
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
    async signOut() {
      const current = await store.current();
      const [owner] = await Promise.allSettled([current?.tokens ? credentials(current.issuer) : null]);
      await store.clear(config.clientId);
      times = [];
      challenge.forgetAsked();
      service.forget();
      show({ signedIn: false, account: null });
      if (!current?.tokens) return;
      try {
        if (owner.status === 'rejected') throw owner.reason;
        await takeBack(context, current.issuer, owner.value);
      } catch (error) {
        log.warn('tokens not revoked', { serverId, error });
        throw notRevoked(serverId, error);
      }
    },
  };
}

/** Whoever gave them is asked how, and nobody else: the server may name another service by now. */
async function takeBack(
  { serverId, server }: SignInContext,
  issuer: string,
  owner: Credentials | null,
): Promise<void> {
  const guarded = createGuardedFetch(serverId, server);
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: guarded });
  if (metadata && owner) await revoke(owner, metadata, guarded);
}
