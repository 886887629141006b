import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { signInByBrowser } from './browser';
import { createProvider, type OtherGrant } from './client';
import { signInByDevice } from './device';
import { createGuardedFetch } from './guarded-fetch';
import type { SignInContext } from './sign-in-state';

/** The two ways in which a person signs in; what that person is to open is shown meanwhile. */
export interface SignInWays {
  browser(discovery: OAuthDiscoveryState, signal: AbortSignal): Promise<void>;
  device(discovery: OAuthDiscoveryState, signal: AbortSignal): Promise<void>;
}

export function createSignInWays(
  { serverId, server, client, challenge, show, clock, log }: SignInContext,
  openExternal: (url: string) => Promise<void>,
): SignInWays {
  return {
    browser: (discovery, signal) =>
      signInByBrowser({
        ...client,
        server,
        discovery,
        resourceMetadata: challenge.resourceMetadata(),
        scope: challenge.askedScope(),
        signal,
        async open(url) {
          show({ underWay: { url, code: null } });
          // Where no browser opens, the address is on the screen.
          await openExternal(url).catch((error) => log.warn('no browser opened', { error }));
        },
      }),
    device: (discovery, signal) =>
      signInByDevice({
        serverId,
        server,
        discovery,
        scope: challenge.askedScope() ?? discovery.resourceMetadata?.scopes_supported?.join(' '),
        resource: discovery.resourceMetadata?.resource,
        provider: (grant: OtherGrant) =>
          createProvider({
            ...client,
            discovery,
            redirectUrl: undefined,
            grant,
            mayRegister: true,
            open: async () => undefined,
          }),
        fetch: createGuardedFetch(serverId, server, signal),
        clock,
        signal,
        show: (step) => show({ underWay: step }),
      }),
  };
}
