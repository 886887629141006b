import {
  type FetchLike,
  fetchToken,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  OAuthError,
  parseErrorResponse,
  registerClient,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { type Clock, delay } from '../../foundation';
import { foreignWords } from '../fence/foreign-words';
import { assertSafe } from './discovery';
import { signInFailed } from './failures';
import { issuerOf } from './issuer';
import { authenticated, endpointOf } from './requests';

const DeviceAnswer = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string().optional(),
  expires_in: z.number().positive(),
  interval: z.number().positive().optional(),
});

/** What a person types. */
const longestCode = 100;

const grantType = 'urn:ietf:params:oauth:grant-type:device_code';

/** Signs in through a browser on any device (RFC 8628): a short code is shown, and the service asked until it was typed in. */
export async function signInByDevice(parts: {
  serverId: string;
  server: URL;
  discovery: OAuthDiscoveryState;
  scope: string | undefined;
  resource: string | undefined;
  /** `grant` goes into each question for tokens. */
  provider(grant: () => URLSearchParams): OAuthClientProvider;
  fetch: FetchLike;
  clock: Clock;
  signal: AbortSignal;
  show(step: { url: string; code: string }): void;
}): Promise<void> {
  const { serverId, server, discovery, scope, resource, fetch, clock, signal } = parts;
  const metadata = discovery.authorizationServerMetadata;
  const endpoint = endpointOf(metadata, 'device_authorization_endpoint');
  if (!metadata || endpoint === null)
    throw signInFailed(
      serverId,
      'The sign-in service cannot sign in with a code. Sign in with a browser instead.',
    );
  let deviceCode = '';
  const provider = parts.provider(
    () => new URLSearchParams({ grant_type: grantType, device_code: deviceCode }),
  );
  const issuer = issuerOf(discovery);
  const client = await clientFor(provider, discovery, scope, fetch);

  const { headers, body } = authenticated(client, metadata.token_endpoint_auth_methods_supported ?? [], {
    ...(scope !== undefined && { scope }),
    ...(resource !== undefined && { resource }),
  });
  const response = await fetch(endpoint, { method: 'POST', headers, body });
  if (!response.ok) throw await parseErrorResponse(response);
  const answer = DeviceAnswer.parse(await response.json());
  const address = answer.verification_uri_complete ?? answer.verification_uri;
  await assertSafe(serverId, address, server);
  deviceCode = answer.device_code;
  parts.show({ url: new URL(address).href, code: foreignWords(answer.user_code, longestCode) });

  const until = clock.now() + answer.expires_in * 1000;
  for (let seconds = answer.interval ?? 5; ; ) {
    await delay(seconds * 1000, signal, clock);
    if (clock.now() >= until) throw signInFailed(serverId, 'The code was not entered in time.');
    try {
      const tokens = await fetchToken(provider, discovery.authorizationServerUrl, {
        metadata,
        ...(resource !== undefined && { resource: new URL(resource) }),
        fetchFn: fetch,
      });
      await provider.saveTokens({ ...tokens, issuer }, { issuer });
      return;
    } catch (error) {
      const code = error instanceof OAuthError ? String(error.code) : '';
      if (code === 'slow_down') seconds += 5;
      else if (code !== 'authorization_pending') throw error;
    }
  }
}

async function clientFor(
  provider: OAuthClientProvider,
  discovery: OAuthDiscoveryState,
  scope: string | undefined,
  fetchFn: FetchLike,
): Promise<OAuthClientInformationMixed> {
  const issuer = issuerOf(discovery);
  const registration = await provider.clientInformation({ issuer });
  if (registration) return registration;
  const information = await registerClient(discovery.authorizationServerUrl, {
    ...(discovery.authorizationServerMetadata && { metadata: discovery.authorizationServerMetadata }),
    clientMetadata: provider.clientMetadata,
    ...(scope !== undefined && { scope }),
    fetchFn,
  });
  await provider.saveClientInformation?.({ ...information, issuer }, { issuer });
  return information;
}
