import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';
import type { Challenge } from './challenge';
import type { OAuthConfig } from './client';
import { discover } from './discovery';
import { createGuardedFetch } from './guarded-fetch';

/** Who signs people in for a server, looked up once. */
export interface SignInService {
  find(signal?: AbortSignal): Promise<OAuthDiscoveryState>;
  /** It may be another one by now. */
  forget(): void;
}

export function createSignInService({
  serverId,
  server,
  config,
  challenge,
}: {
  serverId: string;
  server: URL;
  config: OAuthConfig;
  challenge: Challenge;
}): SignInService {
  let discovery: OAuthDiscoveryState | null = null;
  return {
    async find(signal) {
      discovery ??= await discover({
        serverId,
        server,
        resourceMetadata: challenge.resourceMetadata(),
        needsPkce: config.grant === undefined || config.grant === 'browser',
        fetch: createGuardedFetch(serverId, server, signal),
      });
      return discovery;
    },
    forget() {
      discovery = null;
    },
  };
}
