import {
  discoverOAuthServerInfo,
  type FetchLike,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client';
import { refusal } from './addresses';
import { signInFailed } from './failures';
import { endpointOf } from './requests';

/** Who signs people in for a server and how (RFC 9728, RFC 8414, OpenID Connect), checked before anything is sent there. */
export async function discover(parts: {
  serverId: string;
  server: URL;
  /** From the server's challenge. */
  resourceMetadata: URL | undefined;
  /** False for ways in which no browser takes part. */
  needsPkce: boolean;
  fetch: FetchLike;
}): Promise<OAuthDiscoveryState> {
  const { serverId, server, resourceMetadata, needsPkce, fetch } = parts;
  let broken: unknown = null;
  const info = await discoverOAuthServerInfo(server, {
    async fetchFn(url, init) {
      try {
        return await fetch(url, init);
      } catch (error) {
        broken ??= error;
        throw error;
      }
    },
    ...(resourceMetadata && { resourceMetadataUrl: resourceMetadata }),
  });
  // What could not be read is not taken for what is not there: it says for whom a token is to be good.
  if (info.resourceMetadata === undefined && broken !== null) throw broken;
  const metadata = info.authorizationServerMetadata;
  if (metadata) {
    if (needsPkce && !metadata.code_challenge_methods_supported?.includes('S256'))
      throw signInFailed(
        serverId,
        'The sign-in service does not say that it protects codes (PKCE with S256).',
      );
    for (const name of endpoints) {
      const endpoint = endpointOf(metadata, name);
      if (endpoint !== null) await assertSafe(serverId, endpoint, server);
    }
  }
  return {
    ...info,
    ...(resourceMetadata && { resourceMetadataUrl: resourceMetadata.href }),
  };
}

/** Throws `mcp.sign-in-failed` unless a browser or we may go there. */
export async function assertSafe(serverId: string, address: string, server: URL): Promise<void> {
  const refused = URL.canParse(address) ? await refusal(new URL(address), server) : 'It is no address.';
  if (refused !== null)
    throw signInFailed(serverId, `The sign-in service names an unsafe address. ${refused}`);
}

const endpoints = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'device_authorization_endpoint',
];
