import { z } from 'zod';

/** What a view may do and where it may reach. */
export interface ViewPolicy {
  /** Directives of a Content-Security-Policy, without who may frame the page. */
  readonly directives: readonly string[];
  /** Every place outside that it lets in, for showing. */
  readonly reaches: readonly string[];
}

const most = 32;
const List = z.array(z.unknown()).catch([]);
const Csp = z.object({
  connectDomains: List,
  resourceDomains: List,
  frameDomains: List,
  baseUriDomains: List,
});

const origin =
  /^(https|wss):\/\/(?:\*\.)?((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9]))(?::\d{1,5})?\/?$/;
/** Names of this computer or of a network at home, which nobody outside may reach through a page of ours. */
const inner = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|arpa|test|invalid)$/;

/**
 * The policy for a page of a server: nothing but itself, and the https origins that its server listed. Whatever is not
 * plainly such an origin is left out. Of scripts written in the page only those listed run, and what they make from text:
 * a frame inside the page has its policy, too, and could run whatever else is let in here.
 */
export function viewPolicy(csp: unknown, scripts: readonly string[] = []): ViewPolicy {
  const { data } = Csp.safeParse(csp ?? {});
  const connect = origins(data?.connectDomains, ['https', 'wss']);
  const load = origins(data?.resourceDomains, ['https']);
  const frame = origins(data?.frameDomains, ['https']);
  const base = origins(data?.baseUriDomains, ['https']);
  const directive = (name: string, ...sources: string[]) =>
    [name, ...(sources.length > 0 ? sources : ["'none'"])].join(' ');
  return {
    directives: [
      directive('default-src'),
      directive('script-src', ...scripts, "'unsafe-eval'", ...load),
      directive('style-src', "'unsafe-inline'", ...load),
      directive('img-src', 'data:', 'blob:', ...load),
      directive('media-src', 'data:', 'blob:', ...load),
      directive('font-src', 'data:', ...load),
      directive('connect-src', 'data:', 'blob:', ...connect),
      directive('worker-src', 'blob:'),
      directive('frame-src', ...frame),
      directive('base-uri', ...base),
      directive('object-src'),
      directive('form-action'),
      // Browsers that do not know it leave it out.
      "webrtc 'block'",
      // An origin that nobody shares, not even a frame that the page makes for itself.
      'sandbox allow-scripts allow-forms',
    ],
    reaches: [...new Set([...connect, ...load, ...frame])],
  };
}

function origins(listed: readonly unknown[] | undefined, schemes: readonly string[]): string[] {
  const good = (listed ?? []).slice(0, most).flatMap((entry) => {
    if (typeof entry !== 'string' || entry.length > 255) return [];
    const match = origin.exec(entry.toLowerCase());
    if (!match || !schemes.includes(match[1] ?? '') || inner.test(match[2] ?? '')) return [];
    return [entry.toLowerCase().replace(/\/$/, '')];
  });
  return [...new Set(good)];
}
