import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Views } from '../core/views';

/**
 * Views of servers are served under names of their own, `<origin>.localhost`, which browsers lead to this machine by
 * themselves. To a browser each is another site than the page, and the port is the same, so that one forwarded port, under
 * whatever number, is enough. Who may see a view was told its address: 256 random bits, while it is open.
 */
const viewHost = /^(v[0-9a-f]{32})\.localhost:(\d{1,5})$/;

/** The source of views for the policy of the page that this request asks for. */
export function framesOf({ headers }: IncomingMessage): string {
  return `http://*.localhost:${portOf(headers.host)}`;
}

/** True where the request was for the name of a view, and has been answered. */
export function answerView(
  { method, headers, url }: IncomingMessage,
  response: ServerResponse,
  views: Pick<Views, 'page'>,
): boolean {
  const { host = '' } = headers;
  const [, origin, port] = viewHost.exec(host) ?? [];
  if (origin === undefined) return false;
  // As a frame of the page and nothing else: no script, no worker, no window.
  const isFrame = method === 'GET' && headers['sec-fetch-dest'] === 'iframe';
  const framedBy = `http://127.0.0.1:${port} http://localhost:${port}`;
  const view = isFrame ? views.page(origin, (url ?? '').slice(1), framedBy) : null;
  if (view) response.writeHead(200, view.headers).end(view.bytes);
  else response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('There is no such view.');
  return true;
}

const portOf = (host = '') => host.slice(host.lastIndexOf(':') + 1);
