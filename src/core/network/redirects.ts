export type Fetch = typeof globalThis.fetch;

/** A server sent a request on to somewhere else, where neither its keys nor its text may go. */
export class ForeignRedirect extends Error {
  override readonly name = 'ForeignRedirect';
  readonly to: string;

  constructor(from: URL, to: URL) {
    super(
      `${from.origin} sent the request on to ${to.origin}, which is not followed: keys are for one place only. If that is where it is, use that address.`,
    );
    this.to = to.origin;
  }
}

const mostRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * `fetch` that follows redirects within one origin only. What carries a key differs by provider and server, and a conversation
 * is as private as a key, so nothing at all goes elsewhere. Who says how to treat redirects is not interfered with.
 */
export function withinOrigin(fetch: Fetch): Fetch {
  return async (input, init) => {
    if (input instanceof Request || init?.redirect !== undefined) return fetch(input, init);
    let url = new URL(input);
    let request: RequestInit = { ...init, redirect: 'manual' };
    for (let hops = 0; ; hops++) {
      const response = await fetch(url, request);
      const location = response.headers.get('location');
      if (!redirects.has(response.status) || location === null || hops >= mostRedirects) return response;
      await response.body?.cancel();
      const next = new URL(location, url);
      if (next.origin !== url.origin) throw new ForeignRedirect(url, next);
      request = onward(request, response.status);
      url = next;
    }
  };
}

/** A POST becomes a GET where browsers have always made it one. */
function onward(request: RequestInit, status: number): RequestInit {
  const method = (request.method ?? 'GET').toUpperCase();
  const becomesGet =
    (status === 303 && method !== 'GET' && method !== 'HEAD') || (status <= 302 && method === 'POST');
  if (!becomesGet) return request;
  const headers = new Headers(request.headers);
  for (const name of ['content-type', 'content-length', 'content-encoding']) headers.delete(name);
  const { body: _body, ...rest } = request;
  return { ...rest, method: 'GET', headers };
}
