import type { AuthProvider } from '@modelcontextprotocol/client';
import type { Renewal } from './renewal';
import type { SignInContext } from './sign-in-state';

const aheadMs = 60_000;

/** The token that goes out with each request, renewed ahead of time and after a refusal, never by asking a person. */
export function createAccessToken(
  { client, service, state, show, clock }: SignInContext,
  renewal: Renewal,
): AuthProvider {
  const { store } = client;
  /** The one that went out last: what the server refuses. */
  let latest: string | undefined;
  return {
    async token() {
      const current = await store.current();
      latest = current?.tokens?.access_token;
      if (!current?.tokens) return undefined;
      if (!state.get().signedIn) show({ signedIn: true, account: await store.account() });
      const { expiresAt = Number.POSITIVE_INFINITY } = current;
      if (expiresAt - clock.now() > aheadMs) return current.tokens.access_token;
      await renewal.once(current.tokens.access_token).catch(() => undefined);
      latest = (await store.current())?.tokens?.access_token;
      return latest;
    },
    async onUnauthorized() {
      // The server may have moved to another service since.
      service.forget();
      await renewal.once(latest);
    },
  };
}
