import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { orCancelled } from '../../foundation';

/** Where the browser brings the answer: on this computer only, once, and only with the word that was agreed on. */
export interface Callback {
  readonly url: string;
  /** The answer that carries `state`. The page in the browser waits until `finish` says what happened. */
  answer(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  finish(outcome: { ok: boolean; text: string }): void;
  close(): void;
}

const path = '/callback';

/** `port` null: any free one. Rejects where a wanted port is taken. */
export async function openCallback(port: number | null): Promise<Callback> {
  let expected: string | null = null;
  let waiting: ServerResponse | null = null;
  let give: (params: URLSearchParams) => void = () => undefined;
  const answered = new Promise<URLSearchParams>((resolve) => {
    give = resolve;
  });

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const target = request.url ?? '/';
    // Some of what may be asked is no address: `//`.
    if (!URL.canParse(target, address)) return void response.writeHead(404, headers).end();
    const url = new URL(target, address);
    // A page elsewhere may send a browser here under another name.
    const isForUs = request.headers.host === new URL(address).host;
    if (!isForUs || request.method !== 'GET' || url.pathname !== path)
      return void response.writeHead(404, headers).end();
    if (waiting !== null || expected === null || url.searchParams.get('state') !== expected)
      return void response
        .writeHead(400, headers)
        .end(page(false, 'This is not the answer that is waited for.'));
    waiting = response;
    give(url.searchParams);
  }

  const server = createServer(receive);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port ?? 0, '127.0.0.1', resolve);
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url: address + path,
    answer(state, signal) {
      expected = state;
      return orCancelled(answered, signal);
    },
    finish({ ok, text }) {
      waiting?.writeHead(ok ? 200 : 400, headers).end(page(ok, text));
    },
    close() {
      server.close();
      // What is still being read by the browser gets a moment.
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 1_000).unref();
    },
  };
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  connection: 'close',
};

const page = (ok: boolean, text: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Interlinear</title>
<style>body{font:16px/1.5 system-ui;max-width:32rem;margin:20vh auto;padding:0 1rem}</style>
<h1>${ok ? 'Signed in' : 'Not signed in'}</h1><p>${escaped(text)}</p></html>`;

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
