import { createHash } from 'node:crypto';
import {
  DpopSession,
  type FetchLike,
  generateDpopKeyPair,
  type OAuthDiscoveryState,
  withDpop,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { issuerOf } from './issuer';
import type { ProofKey, TokenStore } from './tokens';

/**
 * Tokens that are good for nothing without a key of ours (DPoP, RFC 9449), where a sign-in service can make them. Whoever
 * reads such a token on its way cannot use it.
 */
export interface Proofs {
  /** Undefined where the server does not ask for such tokens, or the service has none. */
  session(discovery: OAuthDiscoveryState): Promise<DpopSession | undefined>;
  /** Requests with a proof each, as long as the token in use is bound. */
  proving(fetch: FetchLike): FetchLike;
  /** A refusal of the server says whether it wants proofs. */
  note(response: Response): void;
}

const Service = z.looseObject({ dpop_signing_alg_values_supported: z.array(z.string()) });
const Guarded = z.looseObject({ dpop_bound_access_tokens_required: z.literal(true) });
const challenge = /(?:^|,)\s*dpop(?:\s|,|$)/i;
const algorithm = 'ES256';

export function createProofs(store: TokenStore): Proofs {
  /** Null: it has refused nothing yet. */
  let isAsked: boolean | null = null;
  let last: { readonly x: string; readonly session: Promise<DpopSession> } | null = null;

  /** The same one for the same key: it remembers what the servers want to be said next. */
  function sessionOf(key: ProofKey): Promise<DpopSession> {
    if (last?.x !== key.x) last = { x: key.x, session: openSession(key) };
    return last.session;
  }

  async function ofIssuer(issuer: string): Promise<DpopSession> {
    const key = (await store.entry(issuer)).proofKey ?? (await store.saveProofKey(issuer, await newKey()));
    return sessionOf(key);
  }

  const bound = async () => {
    const current = await store.current();
    const isBound = current?.tokens?.token_type.toLowerCase() === 'dpop';
    return isBound && current.proofKey
      ? { token: current.tokens?.access_token, key: current.proofKey }
      : null;
  };

  return {
    async session(discovery) {
      const { data: service } = Service.safeParse(discovery.authorizationServerMetadata);
      if (!service?.dpop_signing_alg_values_supported.includes(algorithm)) return undefined;
      const isWanted =
        Guarded.safeParse(discovery.resourceMetadata).success || (isAsked ?? (await bound()) !== null);
      return isWanted ? ofIssuer(issuerOf(discovery)) : undefined;
    },
    note(response) {
      const challenges = response.status === 401 ? response.headers.get('www-authenticate') : null;
      if (challenges !== null) isAsked = challenge.test(challenges);
    },
    proving: withDpop(
      async () => {
        const key = await bound();
        return key ? sessionOf(key.key) : undefined;
      },
      async () => (await bound())?.token,
    ),
  };
}

async function newKey(): Promise<ProofKey> {
  const { privateKey } = await generateDpopKeyPair({ alg: algorithm, extractable: true });
  const { x = '', y = '', d = '' } = await crypto.subtle.exportKey('jwk', privateKey);
  return { x, y, d };
}

async function openSession({ x, y, d }: ProofKey): Promise<DpopSession> {
  const publicJwk = { crv: 'P-256', kty: 'EC', x, y };
  const kind = { name: 'ECDSA', namedCurve: 'P-256' };
  const { subtle } = crypto;
  return DpopSession.create({
    keyPair: {
      alg: algorithm,
      privateKey: await subtle.importKey('jwk', { ...publicJwk, d }, kind, false, ['sign']),
      publicKey: await subtle.importKey('jwk', publicJwk, kind, true, ['verify']),
      publicJwk,
      // RFC 7638: of these members, in this order.
      thumbprint: createHash('sha256').update(JSON.stringify(publicJwk)).digest('base64url'),
    },
  });
}
