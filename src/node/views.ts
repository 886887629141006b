import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Views } from '../core/views';

/**
 * Views of servers are served under names of their own, `<origin>.localhost`, which browsers lead to this machine by
 * themselves. To a browser each is another site than the page: no cookie of the page goes there, none comes back, and
 * the port is the same, so that one forwarded port is enough.
 */
const viewHost = /^(v[0-9a-f]{32})\.localhost$/;

/** The source of views for the policy of the page that this request asks for. */
export function framesOf({ headers }: IncomingMessage): string {
  return `http://*.localhost:${portOf(headers.host)}`;
}

/** True where the request was for the name of a view, and has been answered. */
export function answerView(
  { method, headers, url }: IncomingMessage,
  response: ServerResponse,
  port: number,
  views: Pick<Views, 'page'>,
): boolean {
  const { host = '' } = headers;
  const origin = viewHost.exec(host.slice(0, host.lastIndexOf(':')))?.[1];
  if (origin === undefined || portOf(host) !== `${port}`) return false;
  // As a frame of the page and nothing else: no script, no worker, no window.
  const isFrame = method === 'GET' && headers['sec-fetch-dest'] === 'iframe';
  const framedBy = `http://127.0.0.1:${port} http://localhost:${port}`;
  const view = isFrame ? views.page(origin, (url ?? '').slice(1), framedBy) : null;
  if (view) response.writeHead(200, view.headers).end(view.bytes);
  else response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('There is no such view.');
  return true;
}

const portOf = (host = '') => host.slice(host.lastIndexOf(':') + 1);
