import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Log } from '../core/foundation';
import { createPageFiles, pictureHeaders, type VaultImage } from '../core/hosting';
import type { Views } from '../core/views';
import { type ImageAddresses, refusalOf } from './access';
import { answerView, framesOf } from './views';

/** Answers a request that may be answered; false: there is no such page. */
export type Page = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

export function createRequestListener({
  page,
  picture,
  imageAddresses,
  views,
  log,
}: {
  page: Page;
  /** The part after `/files/`, still percent-encoded. */
  picture: (encodedPath: string) => Promise<VaultImage | null>;
  imageAddresses: ImageAddresses;
  views: Pick<Views, 'page'>;
  log: Log;
}): RequestListener {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('referrer-policy', 'no-referrer');
    if (answerView(request, response, views)) return;
    response.setHeader('cross-origin-resource-policy', 'same-origin');
    const reason = refusalOf(request);
    if (reason !== null) {
      log.warn('request refused', { reason });
      return end(response, 403, 'Open the address that interlinear printed.');
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, 405, 'Only GET.');
    const address = addressOf(request);
    if (address?.pathname.startsWith('/files/')) {
      const image = imageAddresses.isOurs(address)
        ? await picture(address.pathname.slice('/files/'.length))
        : null;
      if (!image) return end(response, 404, 'There is no such picture.');
      response.writeHead(200, pictureHeaders(image));
      response.end(image.bytes);
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
    const file = await files(addressOf(request)?.pathname ?? '', framesOf(request));
    if (!file) return false;
    response.writeHead(200, file.headers);
    response.end(file.bytes);
    return true;
  };
}

/** Anything can stand in a request's first line. */
function addressOf({ url }: IncomingMessage): URL | null {
  return URL.parse(url ?? '/', 'http://host');
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(text);
}
