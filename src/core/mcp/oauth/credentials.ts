import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import type { OAuthConfig } from '../../../contract/mcp';
import { signInFailed } from './failures';
import { isSameIssuer } from './issuer';
import type { TokenStore } from './tokens';

/** What one sign-in service may be shown. */
export interface Credentials {
  readonly client: StoredOAuthClientInformation | undefined;
  readonly tokens: StoredOAuthTokens | undefined;
}

/**
 * The one way by which a client's secret and tokens leave for a sign-in service: only what was got there, or was made for it.
 * Throws `mcp.sign-in-failed` where another service is the one that may be used.
 */
export type CredentialsFor = (issuer: string) => Promise<Credentials>;

export function createCredentials({
  serverId,
  config,
  store,
}: {
  serverId: string;
  config: OAuthConfig;
  store: TokenStore;
}): CredentialsFor {
  const byHand = registered(config);
  return async (issuer) => {
    const current = await store.current();
    const owner = config.issuer ?? (byHand && ((await store.boundTo(byHand.client_id)) ?? current?.issuer));
    if (owner !== undefined && owner !== null && !isSameIssuer(owner, issuer))
      throw signInFailed(
        serverId,
        `The server names ${issuer} to sign in at, but its client belongs to ${owner}. Nothing was sent there. If the new one is right, write it as oauth.issuer in the server’s entry.`,
      );
    const { client, tokens } =
      current && isSameIssuer(current.issuer, issuer) ? current : await store.entry(issuer);
    return { client: byHand ? { ...byHand, issuer } : client, tokens };
  };
}

/** A client that was made known to the service by hand. */
export function registered({ clientId, clientSecret }: OAuthConfig): StoredOAuthClientInformation | null {
  if (clientId === undefined) return null;
  return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
}
