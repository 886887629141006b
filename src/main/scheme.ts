import type { Net, Protocol } from 'electron';
import { createPageFiles, pictureHeaders, type VaultImage } from '../core/hosting';
import type { Views } from '../core/views';

export const pageOrigin = 'app://interlinear';

/** Views of servers come by a scheme of their own, so that none shares an origin with the page. */
const viewScheme = 'server-view';

export const isView = (url: string) => url.startsWith(`${viewScheme}://`);

/** Must run before the app is ready. */
export function registerScheme(protocol: Pick<Protocol, 'registerSchemesAsPrivileged'>): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
    { scheme: viewScheme, privileges: { standard: true, secure: true } },
  ]);
}

/** Serves the page, the vault's pictures and open views; the page has no other origin and no file system. */
export function handleScheme({
  protocol,
  pageFolder,
  developmentServer,
  net,
  picture,
  views,
}: {
  protocol: Pick<Protocol, 'handle'>;
  pageFolder: string;
  /** Address of a development server that makes the page instead. */
  developmentServer: string | undefined;
  net: Pick<Net, 'fetch'>;
  picture: (encodedPath: string) => Promise<VaultImage | null>;
  views: Pick<Views, 'page'>;
}): void {
  const files = developmentServer === undefined ? createPageFiles(pageFolder) : undefined;
  protocol.handle('app', async (request) => {
    const { host, pathname, search } = new URL(request.url);
    if (host !== 'interlinear') return notFound();
    if (pathname.startsWith('/files/')) {
      const image = await picture(pathname.slice('/files/'.length));
      return image ? new Response(image.bytes, { headers: pictureHeaders(image) }) : notFound();
    }
    if (files === undefined) return net.fetch(new URL(pathname + search, developmentServer).href);
    const file = await files(pathname, `${viewScheme}:`);
    return file ? new Response(file.bytes, { headers: file.headers }) : notFound();
  });
  protocol.handle(viewScheme, (request) => {
    const { host, pathname } = new URL(request.url);
    const view = request.method === 'GET' ? views.page(host, pathname.slice(1), 'app:') : null;
    return view ? new Response(view.bytes, { headers: view.headers }) : notFound();
  });
}

function notFound(): Response {
  return new Response('There is no such page.', { status: 404 });
}
