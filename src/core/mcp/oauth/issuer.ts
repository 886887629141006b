import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';

export const issuerOf = (discovery: OAuthDiscoveryState): string =>
  discovery.authorizationServerMetadata?.issuer ?? discovery.authorizationServerUrl;

/** One slash at the end makes no other service (as in RFC 8414, section 3.3, services write it or not). */
export const isSameIssuer = (one: string, other: string): boolean => bare(one) === bare(other);

const bare = (issuer: string) => (issuer.endsWith('/') ? issuer.slice(0, -1) : issuer);
