import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';

export const issuerOf = (discovery: OAuthDiscoveryState): string =>
  discovery.authorizationServerMetadata?.issuer ?? discovery.authorizationServerUrl;
