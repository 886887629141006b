import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Log } from '../core/foundation';
import { createPageFiles, pictureHeaders, type VaultPicture } from '../core/hosting';
import type { Views } from '../core/views';
import type { Access } from './access';
import { answerView, framesOf } from './views';

/** Answers a request that may be answered; false: there is no such page. */
export type Page = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

export function createRequestListener({
  access,
  port,
  page,
  picture,
  views,
  onWelcome,
  log,
}: {
  access: Access;
  port: () => number;
  page: Page;
  /** The part after `/files/`, still percent-encoded. */
  picture: (encodedPath: string) => Promise<VaultPicture | null>;
  views: Pick<Views, 'page'>;
  /** An invitation was used up. */
  onWelcome: () => void;
  log: Log;
}): RequestListener {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('referrer-policy', 'no-referrer');
    if (answerView(request, response, port(), views)) return;
    response.setHeader('cross-origin-resource-policy', 'same-origin');
    const verdict = access.check(request, port());
    if (verdict.kind === 'refused') {
      log.warn('request refused', { reason: verdict.reason });
      return end(response, 403, 'Open the address that interlinear printed; each lets one browser in.');
    }
    if (verdict.kind === 'welcome') {
      response.setHeader('set-cookie', verdict.cookie);
      response.setHeader('location', '/');
      onWelcome();
      return end(response, 303, '');
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, 405, 'Only GET.');
    const path = pathOf(request);
    if (path.startsWith('/files/')) {
      const found = await picture(path.slice('/files/'.length));
      if (!found) return end(response, 404, 'There is no such picture.');
      response.writeHead(200, pictureHeaders(found));
      response.end(found.bytes);
      return;
    }
    if (!(await page(request, response))) end(response, 404, 'There is no such page.');
  }

  return (request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error('request failed', { error });
      if (!response.headersSent) end(response, 500, 'Something went wrong.');
      else response.destroy();
    });
  };
}

export function createStaticPage(folder: string): Page {
  const files = createPageFiles(folder);
  return async (request, response) => {
    const file = await files(pathOf(request), framesOf(request));
    if (!file) return false;
    response.writeHead(200, file.headers);
    response.end(file.bytes);
    return true;
  };
}

/** Anything can stand in a request's first line. */
function pathOf({ url }: IncomingMessage): string {
  return URL.parse(url ?? '/', 'http://host')?.pathname ?? '';
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(text);
}
