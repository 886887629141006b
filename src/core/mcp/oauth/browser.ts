import { randomUUID } from 'node:crypto';
import {
  auth,
  type OAuthDiscoveryState,
  OAuthError,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { anySignal } from '../../foundation';
import { type Callback, openCallback } from './callback';
import { createProvider, type OAuthConfig } from './client';
import type { CredentialsFor } from './credentials';
import { assertSafe } from './discovery';
import { signInFailed } from './failures';
import { createGuardedFetch } from './guarded-fetch';
import { issuerOf } from './issuer';
import type { Proofs } from './proofs';
import type { TokenStore } from './tokens';

interface BrowserParts {
  readonly serverId: string;
  readonly server: URL;
  readonly config: OAuthConfig;
  readonly store: TokenStore;
  readonly credentials: CredentialsFor;
  readonly proofs: Proofs;
  readonly discovery: OAuthDiscoveryState;
  readonly resourceMetadata: URL | undefined;
  readonly scope: string | undefined;
  readonly signal: AbortSignal;
  /** Only called with an address that may be opened. */
  open(url: string): Promise<void>;
}

const timeoutMs = 10 * 60_000;

/** Signs in with a code that the person's browser brings back to this computer (OAuth 2.1 with PKCE). */
export async function signInByBrowser(parts: BrowserParts): Promise<void> {
  const { serverId, server, config, store, credentials, proofs, discovery, resourceMetadata, scope, signal } =
    parts;
  const callback = await callbackFor(parts);
  const state = randomUUID();
  const provider = createProvider({
    config,
    serverId,
    store,
    credentials,
    proofs,
    discovery,
    redirectUrl: callback.url,
    state,
    scope,
    mayRegister: true,
    async open(url) {
      await assertSafe(serverId, url.href, server);
      await parts.open(url.href);
    },
  });
  const options = {
    serverUrl: server,
    fetchFn: createGuardedFetch(serverId, server, signal),
    ...(resourceMetadata && { resourceMetadataUrl: resourceMetadata }),
    ...(scope !== undefined && { scope }),
  };
  try {
    await auth(provider, { ...options, forceReauthorization: true });
    const answer = await callback.answer(state, anySignal(signal, AbortSignal.timeout(timeoutMs)));
    const iss = answer.get('iss') ?? undefined;
    const metadata = discovery.authorizationServerMetadata;
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: metadata?.issuer,
      issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
    });
    const code = answer.get('code');
    if (code === null)
      throw new OAuthError(answer.get('error') ?? 'no code', answer.get('error_description') ?? '');
    await auth(provider, { ...options, authorizationCode: code, ...(iss !== undefined && { iss }) });
    callback.finish({ ok: true, text: 'You can close this page and go back to your notes.' });
  } catch (error) {
    callback.finish({ ok: false, text: 'Interlinear says what went wrong. You can close this page.' });
    throw error;
  } finally {
    callback.close();
  }
}

/** A service remembers the exact address it was told: the port of the last time is taken again where it is free. */
async function callbackFor({ serverId, config, store, discovery }: BrowserParts): Promise<Callback> {
  const { callbackPort } = config;
  if (callbackPort !== undefined)
    return openCallback(callbackPort).catch((error: unknown) => {
      const why = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
      throw signInFailed(
        serverId,
        `The port ${callbackPort}, where the browser is to bring its answer, cannot be used${why}.`,
        error,
      );
    });
  const issuer = issuerOf(discovery);
  const { client } = await store.entry(issuer);
  const uris = client && 'redirect_uris' in client ? client.redirect_uris : undefined;
  const port = uris?.map((uri) => Number(new URL(String(uri)).port)).find((number) => number > 0);
  const callback = (port && (await openCallback(port).catch(() => null))) || (await openCallback(null));
  const isKnown = uris?.some((uri) => String(uri) === callback.url) ?? false;
  if (client && !isKnown && client.client_id !== config.clientMetadataUrl)
    await store.saveClient(issuer, undefined);
  return callback;
}
