import type {
  AuthorizationServerMetadata,
  FetchLike,
  OAuthClientInformationMixed,
} from '@modelcontextprotocol/client';
import { authenticated, endpointOf } from './requests';

/** Takes tokens back at the service that gave them (RFC 7009), where it can. */
export async function revoke(
  { refresh_token, access_token }: { refresh_token?: string | undefined; access_token: string },
  client: OAuthClientInformationMixed,
  metadata: AuthorizationServerMetadata,
  fetch: FetchLike,
): Promise<void> {
  const endpoint = endpointOf(metadata, 'revocation_endpoint');
  if (endpoint === null) return;
  const methods = metadata.token_endpoint_auth_methods_supported ?? [];
  for (const [kind, token] of Object.entries({ refresh_token, access_token })) {
    if (token === undefined) continue;
    const form = authenticated(client, methods, { token, token_type_hint: kind });
    const response = await fetch(endpoint, { method: 'POST', ...form });
    await response.body?.cancel();
  }
}
