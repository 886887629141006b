import {
  createPrivateKeyJwtAuth,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client';
import type { ServerDraft } from '../../../contract/mcp';
import { type CredentialsFor, registered } from './credentials';
import { unsendable } from './failures';
import { issuerOf } from './issuer';
import type { Proofs } from './proofs';
import type { TokenStore } from './tokens';

export type OAuthConfig = NonNullable<ServerDraft['oauth']>;

/** How a grant is asked for where it is not a code from a browser. */
export type OtherGrant = (scope: string | undefined) => URLSearchParams;

export interface ProviderParts {
  readonly config: OAuthConfig;
  readonly serverId: string;
  readonly store: TokenStore;
  readonly credentials: CredentialsFor;
  readonly proofs: Proofs;
  readonly discovery: OAuthDiscoveryState;
  /** Undefined: no browser takes part. */
  readonly redirectUrl: string | undefined;
  readonly state?: string;
  readonly grant?: OtherGrant;
  /** What a person is asked to agree to. */
  readonly scope?: string | undefined;
  /** Whether this app may make itself known to a service that does not know it yet. */
  readonly mayRegister: boolean;
  open(url: URL): Promise<void>;
}

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** What the SDK's `auth()` needs to know of one try to sign in. */
export function createProvider(parts: ProviderParts): OAuthClientProvider {
  const {
    config,
    serverId,
    store,
    credentials,
    proofs,
    discovery,
    redirectUrl,
    state,
    grant,
    scope,
    mayRegister,
    open,
  } = parts;
  const registration = registered(config);
  let verifier = '';
  return {
    redirectUrl,
    clientMetadata: clientMetadata(config, discovery, redirectUrl),
    ...(config.clientMetadataUrl !== undefined && { clientMetadataUrl: config.clientMetadataUrl }),
    ...(state !== undefined && { state: () => state }),
    clientInformation: async (context) => context && (await credentials(context.issuer)).client,
    ...(!registration &&
      mayRegister && {
        saveClientInformation: (client, context) =>
          context ? store.saveClient(context.issuer, client) : undefined,
      }),
    tokens: async (context) => context && (await credentials(context.issuer)).tokens,
    async saveTokens(tokens, context) {
      const issuer = context?.issuer ?? tokens.issuer;
      if (!isSendable(tokens)) throw unsendable(serverId);
      if (issuer !== undefined)
        await store.saveTokens(issuer, tokens, { scope, client: registration?.client_id });
    },
    dpop: () => proofs.session(discovery),
    redirectToAuthorization: open,
    saveCodeVerifier: (value) => {
      verifier = value;
    },
    codeVerifier: () => verifier,
    // It holds for this try only: the next one asks anew.
    discoveryState: () => discovery,
    saveDiscoveryState: () => undefined,
    async invalidateCredentials(what) {
      if (what === 'tokens' || what === 'all') await store.dropTokens();
      if ((what === 'client' || what === 'all') && !registration)
        await store.saveClient(issuerOf(discovery), undefined);
    },
    ...(grant && { prepareTokenRequest: grant }),
    ...(config.clientId !== undefined &&
      config.privateKey !== undefined && {
        addClientAuthentication: createPrivateKeyJwtAuth({
          issuer: config.clientId,
          subject: config.clientId,
          privateKey: config.privateKey,
          alg: config.algorithm ?? 'ES256',
        }),
      }),
  };
}

/** What can stand in a header. */
const isSendable = ({ access_token, token_type }: { access_token: string; token_type: string }) =>
  /^[\x21-\x7e]+$/.test(access_token + token_type);

function clientMetadata(
  config: OAuthConfig,
  { authorizationServerMetadata }: OAuthDiscoveryState,
  redirectUrl: string | undefined,
): OAuthClientMetadata {
  const methods = authorizationServerMetadata?.token_endpoint_auth_methods_supported ?? [];
  return {
    client_name: 'Interlinear',
    redirect_uris: redirectUrl === undefined ? [] : [redirectUrl],
    grant_types:
      config.grant === 'client-credentials'
        ? ['client_credentials']
        : redirectUrl === undefined
          ? [deviceGrant, 'refresh_token']
          : ['authorization_code', 'refresh_token'],
    ...(redirectUrl !== undefined && { response_types: ['code'] }),
    ...(methods.includes('none') && { token_endpoint_auth_method: 'none' }),
    ...(config.scope !== undefined && { scope: config.scope }),
  };
}
