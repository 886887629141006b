import {
  type AuthorizationServerMetadata,
  type FetchLike,
  OAuthError,
  parseErrorResponse,
} from '@modelcontextprotocol/client';
import type { Credentials } from './credentials';
import { authenticated, endpointOf } from './requests';

/**
 * Takes tokens back at the service that gave them (RFC 7009), where it can; each is tried whatever becomes of the other.
 * Rejects where one was not taken back.
 */
export async function revoke(
  { client, tokens }: Credentials,
  metadata: AuthorizationServerMetadata,
  fetch: FetchLike,
): Promise<void> {
  const endpoint = endpointOf(metadata, 'revocation_endpoint');
  if (endpoint === null || !tokens || !client) return;
  const methods = metadata.token_endpoint_auth_methods_supported ?? [];
  async function take(kind: 'refresh_token' | 'access_token', token: string): Promise<void> {
    const form = authenticated(client ?? { client_id: '' }, methods, { token, token_type_hint: kind });
    const response = await fetch(endpoint ?? '', { method: 'POST', ...form });
    if (!response.ok) throw await parseErrorResponse(response);
  }
  const { refresh_token, access_token } = tokens;
  const [refresh, access] = await Promise.allSettled([
    refresh_token === undefined ? undefined : take('refresh_token', refresh_token),
    take('access_token', access_token),
  ]);
  if (refresh.status === 'rejected') throw refresh.reason;
  // Some services take access tokens back together with what renews them, and only so.
  const isTakenWithIt =
    refresh_token !== undefined && access.status === 'rejected' && isUnsupported(access.reason);
  if (access.status === 'rejected' && !isTakenWithIt) throw access.reason;
}

const isUnsupported = (error: unknown) =>
  error instanceof OAuthError && String(error.code) === 'unsupported_token_type';
