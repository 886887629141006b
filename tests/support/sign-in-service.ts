import { createHash, createPublicKey, randomUUID, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

/** One sign-in service and the MCP server that it guards, on one loopback port, speaking the real protocols. */
export interface SignInService {
  readonly url: string;
  readonly origin: string;
  /** Every request as `METHOD /path`. */
  readonly seen: string[];
  readonly authorizations: URLSearchParams[];
  readonly tokenRequests: URLSearchParams[];
  readonly registered: Json[];
  readonly revoked: string[];
  /** `authorization` headers the service itself was sent. */
  readonly credentials: string[];
  /** `authorization` headers the MCP server was sent. */
  readonly presented: Set<string>;
  /** From now on all access tokens are refused. */
  expire(): void;
  /** The person types the code in. */
  approveDevice(): void;
  close(): void;
}

export interface Behaviour {
  /** Changes to the service's own description; undefined takes a key away. */
  metadata?: (origin: string) => Json;
  resourceMetadata?: (origin: string) => Json;
  /** Changes to what the browser brings back. */
  callback?: (params: URLSearchParams) => void;
  expiresIn?: number;
  refuseRefresh?: boolean;
  /** Scope that `tools/call` needs. */
  callScope?: string;
  /** Where the MCP server says its description is. */
  pointer?: string;
  redirectToken?: string;
  /** A refresh token is good for one use. */
  rotates?: boolean;
  /** The token endpoint fails that often before it answers a renewal. */
  outages?: number;
  /** The MCP server takes no token without a proof of the key that it was made for (RFC 9449). */
  bound?: boolean;
  /** What was granted is not said. */
  omitsScope?: boolean;
  /** The status with which tokens are taken back. */
  revocation?: (kind: string | null) => number;
  userCode?: string;
  /** Tokens have a line end in them. */
  badToken?: boolean;
  /** The server's description is elsewhere. */
  resourceRedirect?: string;
}

export async function startSignInService(behave: Behaviour = {}): Promise<SignInService> {
  const seen: string[] = [];
  const authorizations: URLSearchParams[] = [];
  const tokenRequests: URLSearchParams[] = [];
  const registered: Json[] = [];
  const revoked: string[] = [];
  const credentials: string[] = [];
  const presented = new Set<string>();
  const codes = new Map<string, URLSearchParams>();
  let valid = new Map<string, string>();
  const refreshable = new Map<string, string>();
  /** The key that a token was made for. */
  const keys = new Map<string, string>();
  let deviceApproved = false;

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', origin);
    seen.push(`${request.method} ${url.pathname}`);
    const body = await read(request);
    const form = new URLSearchParams(body);
    if (url.pathname !== '/mcp' && request.headers.authorization !== undefined)
      credentials.push(request.headers.authorization);
    switch (url.pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        if (behave.resourceRedirect)
          return response.writeHead(302, { location: behave.resourceRedirect }).end();
        return json(response, {
          resource: `${origin}/mcp`,
          authorization_servers: [origin],
          scopes_supported: ['read'],
          ...behave.resourceMetadata?.(origin),
        });
      case '/.well-known/oauth-authorization-server':
        return json(response, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          revocation_endpoint: `${origin}/revoke`,
          device_authorization_endpoint: `${origin}/device`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
          authorization_response_iss_parameter_supported: true,
          dpop_signing_alg_values_supported: ['ES256'],
          ...behave.metadata?.(origin),
        });
      case '/register': {
        const asked = JSON.parse(body) as Json;
        registered.push(asked);
        return json(response, { ...asked, client_id: `client-${registered.length}` }, 201);
      }
      case '/authorize': {
        authorizations.push(url.searchParams);
        const code = randomUUID();
        codes.set(code, url.searchParams);
        const back = new URL(url.searchParams.get('redirect_uri') ?? '');
        back.searchParams.set('code', code);
        back.searchParams.set('state', url.searchParams.get('state') ?? '');
        back.searchParams.set('iss', origin);
        behave.callback?.(back.searchParams);
        return response.writeHead(302, { location: back.href }).end();
      }
      case '/token':
        tokenRequests.push(form);
        if (behave.redirectToken) return response.writeHead(307, { location: behave.redirectToken }).end();
        return token(form, request, response);
      case '/device':
        return json(response, {
          device_code: 'the-device',
          user_code: behave.userCode ?? 'ABCD-EFGH',
          verification_uri: `${origin}/activate`,
          expires_in: 60,
          interval: 0.02,
        });
      case '/revoke':
        revoked.push(form.get('token') ?? '');
        return json(response, {}, behave.revocation?.(form.get('token_type_hint')) ?? 200);
      case '/mcp':
        return mcp(body, request, response);
      default:
        return response.writeHead(404).end();
    }
  });

  function token(form: URLSearchParams, request: IncomingMessage, response: ServerResponse) {
    const refuse = (error: string) => json(response, { error }, 400);
    const grant = form.get('grant_type');
    let scope = form.get('scope') ?? 'read';
    if (grant === 'authorization_code') {
      const asked = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (!asked || proof !== asked.get('code_challenge')) return refuse('invalid_grant');
      if (asked.get('redirect_uri') !== form.get('redirect_uri')) return refuse('invalid_grant');
      scope = asked.get('scope') ?? scope;
    } else if (grant === 'refresh_token') {
      const known = refreshable.get(form.get('refresh_token') ?? '');
      if ((behave.outages ?? 0) > 0) {
        behave.outages = (behave.outages ?? 0) - 1;
        return json(response, { error: 'temporarily_unavailable' }, 503);
      }
      if (known === undefined || behave.refuseRefresh) return refuse('invalid_grant');
      if (behave.rotates) refreshable.delete(form.get('refresh_token') ?? '');
      scope = known;
    } else if (grant === 'client_credentials') {
      const right = `Basic ${Buffer.from('robot:secret-of-robot').toString('base64')}`;
      if (request.headers.authorization !== right) return refuse('invalid_client');
    } else if (grant?.endsWith(':device_code')) {
      if (!deviceApproved) return refuse('authorization_pending');
    } else return refuse('unsupported_grant_type');
    const access = `access-${randomUUID()}`;
    const refresh = `refresh-${randomUUID()}`;
    const proof = proofIn(request, `${origin}/token`);
    const earlier = keys.get(form.get('refresh_token') ?? '');
    if (earlier !== undefined && proof?.key !== earlier) return refuse('invalid_dpop_proof');
    if (proof) for (const made of [access, refresh]) keys.set(made, proof.key);
    valid.set(access, scope);
    refreshable.set(refresh, scope);
    return json(response, {
      access_token: behave.badToken ? `${access}\r\nx: y` : access,
      token_type: proof ? 'DPoP' : 'Bearer',
      ...(!behave.omitsScope && { scope }),
      ...(grant !== 'client_credentials' && { refresh_token: refresh }),
      ...(behave.expiresIn !== undefined && { expires_in: behave.expiresIn }),
    });
  }

  function mcp(body: string, request: IncomingMessage, response: ServerResponse) {
    const { authorization = '' } = request.headers;
    if (authorization) presented.add(authorization);
    const pointer = `resource_metadata="${behave.pointer ?? `${origin}/.well-known/oauth-protected-resource/mcp`}"`;
    const scheme = behave.bound ? 'DPoP' : 'Bearer';
    const presentedToken = authorization.replace(`${scheme} `, '');
    const scope = valid.get(presentedToken);
    const proof = proofIn(request, `${origin}/mcp`, presentedToken);
    const isProven = !behave.bound || (proof !== null && proof.key === keys.get(presentedToken));
    if (scope === undefined || !isProven)
      return response.writeHead(401, { 'www-authenticate': `${scheme} ${pointer}` }).end();
    if (request.method !== 'POST') return response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    const result = (value: unknown) => json(response, { jsonrpc: '2.0', id, result: value });
    if (method === 'tools/call' && behave.callScope && !scope.split(' ').includes(behave.callScope))
      return response
        .writeHead(403, {
          'www-authenticate': `Bearer error="insufficient_scope", scope="${behave.callScope}", ${pointer}`,
        })
        .end();
    if (method === 'server/discover') return response.writeHead(404).end();
    if (method === 'initialize')
      return result({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: 'guarded', version: '1' },
      });
    if (method === 'tools/list') return result({ tools: [{ name: 'x', inputSchema: { type: 'object' } }] });
    if (method === 'resources/list') return result({ resources: [] });
    // Private, and said to hold for long.
    if (method === 'resources/read')
      return result({
        contents: [{ uri: params.uri, text: authorization }],
        ttlMs: 600_000,
        cacheScope: 'private',
      });
    if (method === 'tools/call') return result({ content: [{ type: 'text', text: scope }] });
    return id === undefined ? response.writeHead(202).end() : result({});
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    origin,
    seen,
    authorizations,
    tokenRequests,
    registered,
    revoked,
    credentials,
    presented,
    expire() {
      valid = new Map();
    },
    approveDevice() {
      deviceApproved = true;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Null: there is none, or it is for another request or another token. */
function proofIn({ headers, method }: IncomingMessage, url: string, token?: string): { key: string } | null {
  const [head = '', body = '', signature = ''] = String(headers.dpop ?? '').split('.');
  if (signature === '') return null;
  const [{ jwk }, { htm, htu, ath }] = [head, body].map((part) =>
    JSON.parse(Buffer.from(part, 'base64url').toString()),
  );
  const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const };
  const isSigned = verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'));
  const hash = token && createHash('sha256').update(token).digest('base64url');
  return isSigned && htm === method && htu === url && ath === hash && !('d' in jwk) ? { key: jwk.x } : null;
}

async function read(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
