import { type OAuthClientInformationMixed, selectClientAuthMethod } from '@modelcontextprotocol/client';

/** A form with the client's own proof in it, as the service takes it. */
export function authenticated(
  client: OAuthClientInformationMixed,
  methods: readonly string[],
  fields: Readonly<Record<string, string>>,
): { headers: Record<string, string>; body: URLSearchParams } {
  const body = new URLSearchParams(fields);
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  const { client_id, client_secret } = client;
  const method = selectClientAuthMethod(client, [...methods]);
  if (method === 'client_secret_basic' && client_secret !== undefined)
    headers.authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
  else {
    body.set('client_id', client_id);
    if (method === 'client_secret_post' && client_secret !== undefined)
      body.set('client_secret', client_secret);
  }
  return { headers, body };
}

/** One of the addresses that not every service has. */
export function endpointOf(metadata: object | undefined, name: string): string | null {
  const endpoint = (metadata as Record<string, unknown> | undefined)?.[name];
  return typeof endpoint === 'string' ? endpoint : null;
}
