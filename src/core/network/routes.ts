import { rootCertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import { expandHome, largestSetting, readFileAtSync } from '../../files';
import { checkedLookup, type Reaching } from './reaching';
import { type Fetch, withinOrigin } from './redirects';

/** What stands between this computer and the rest: proxies and authorities of the person's own. */
export interface NetworkSource {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A PEM file with certificates to trust besides the usual ones; empty: none. */
  readonly caFile: () => string;
}

interface Route {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
  readonly caFiles: readonly string[];
}

/** No proxy is on the way to this computer. */
const ownComputer = ['localhost', '127.0.0.1', '[::1]'];

/** As a machine has one way out, so has the process: providers and servers share it. */
let source: NetworkSource = { environment: {}, caFile: () => '' };
const fetches = new Map<'plain' | 'secure', { readonly key: string; readonly made: Promise<Fetch> }>();

export function setNetwork(next: NetworkSource): void {
  source = next;
}

function routeNow({ environment, caFile }: NetworkSource): Route {
  const variable = (name: string) => environment[name.toLowerCase()] ?? environment[name] ?? '';
  const noProxy = variable('NO_PROXY').trim();
  const isOff = noProxy === '*';
  return {
    httpProxy: isOff ? '' : asAddress(variable('HTTP_PROXY')),
    httpsProxy: isOff ? '' : asAddress(variable('HTTPS_PROXY')),
    noProxy: [noProxy, ...ownComputer].join(','),
    caFiles: [environment.NODE_EXTRA_CA_CERTS ?? '', expandHome(caFile().trim())].filter(
      (path) => path !== '',
    ),
  };
}

/** `proxy.example:3128` is how many write it. */
function asAddress(proxy: string): string {
  const text = proxy.trim();
  return text === '' || text.includes('://') ? text : `http://${text}`;
}

/** Built anew when a setting or the environment changed; with nothing in between it is Node's own `fetch`. */
function currentFetch(input: Parameters<Fetch>[0]): Promise<Fetch> {
  const route = routeTo(input);
  const way = isPlain(input) ? 'plain' : 'secure';
  const key = JSON.stringify(route);
  const before = fetches.get(way);
  if (before?.key === key) return before.made;
  const direct = route.httpProxy === '' && route.httpsProxy === '' && route.caFiles.length === 0;
  const fetching: Promise<Fetch> = direct
    ? Promise.resolve((input, init) => fetch(input, init))
    : routed(route);
  fetches.set(way, { key, made: fetching });
  // A file that was missing may be there the next time.
  fetching.catch(() => fetches.delete(way));
  return fetching;
}

const isPlain = (input: Parameters<Fetch>[0]) =>
  (input instanceof Request ? input.url : String(input)).startsWith('http:');

/** Certificates are for what is encrypted: a missing file stops nothing else. */
function routeTo(input: Parameters<Fetch>[0]): Route {
  const route = routeNow(source);
  const needsNone = isPlain(input) && !route.httpProxy.startsWith('https:');
  return needsNone ? { ...route, caFiles: [] } : route;
}

async function routed(
  { httpProxy, httpsProxy, noProxy, caFiles }: Route,
  reaching?: Reaching,
): Promise<Fetch> {
  const ca = caFiles.length === 0 ? {} : { ca: [...rootCertificates, ...caFiles.map(readCertificates)] };
  // Half a library, loaded only by those who need it. Its own fetch, since Node's may be too old for its agent.
  const { EnvHttpProxyAgent, fetch: routedFetch } = await import('undici');
  const dispatcher: Dispatcher = new EnvHttpProxyAgent({
    httpProxy,
    httpsProxy,
    noProxy,
    proxyTunnel: false,
    // Not for what goes through a proxy, which finds the names itself.
    connect: { ...ca, ...(reaching && { lookup: checkedLookup(reaching) }) },
    requestTls: ca,
    proxyTls: ca,
  });
  return (async (input: string, init?: Parameters<typeof routedFetch>[1]) => {
    try {
      return await routedFetch(input, { ...init, dispatcher });
    } catch (error) {
      throw proxyRefusal(error) ?? error;
    }
  }) as unknown as Fetch;
}

function readCertificates(path: string): string {
  try {
    return readFileAtSync(path, largestSetting).toString('utf8');
  } catch (error) {
    throw Object.assign(new Error(`The certificates in ${path} cannot be read.`, { cause: error }), {
      code: 'ECAFILE',
    });
  }
}

function proxyRefusal(error: unknown): Error | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth++) {
    const status = /^Proxy response \((\d+)\)|Proxy Authentication Required \((407)\)/.exec(at.message);
    if (!status) continue;
    const words = `The proxy refused the connection (status ${status[1] ?? status[2]}).`;
    return Object.assign(new Error(words, { cause: error }), { code: 'EPROXY' });
  }
  return null;
}

/** The same way, to where the addresses that a name turns out to have are allowed; they are asked for and used in one step. */
export function fetchReaching(reaching: Reaching): Fetch {
  const cache = new Map<string, Promise<Fetch>>();
  return async (input, init) => {
    const route = routeTo(input);
    const key = JSON.stringify(route);
    const fetch = cache.get(key) ?? routed(route, reaching);
    cache.set(key, fetch);
    fetch.catch(() => cache.delete(key));
    return (await fetch)(input, init);
  };
}

/** The way to everything outside, for providers and servers alike. */
export const networkFetch: Fetch = withinOrigin(async (input, init) =>
  (await currentFetch(input))(input, init),
);
