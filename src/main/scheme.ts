import type { Net, Protocol } from 'electron';
import { createPageFiles, pictureHeaders, type VaultPicture } from '../core/hosting';

export const pageOrigin = 'app://interlinear';

/** Must run before the app is ready. */
export function registerScheme(protocol: Pick<Protocol, 'registerSchemesAsPrivileged'>): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** Serves the page and the vault's pictures; the page has no other origin and no file system. */
export function handleScheme({
  protocol,
  pageFolder,
  developmentServer,
  net,
  picture,
}: {
  protocol: Pick<Protocol, 'handle'>;
  pageFolder: string;
  /** Address of a development server that makes the page instead. */
  developmentServer: string | undefined;
  net: Pick<Net, 'fetch'>;
  picture: (encodedPath: string) => Promise<VaultPicture | null>;
}): void {
  const files = developmentServer === undefined ? createPageFiles(pageFolder) : undefined;
  protocol.handle('app', async (request) => {
    const { host, pathname, search } = new URL(request.url);
    if (host !== 'interlinear') return notFound();
    if (pathname.startsWith('/files/')) {
      const found = await picture(pathname.slice('/files/'.length));
      return found ? new Response(found.bytes, { headers: pictureHeaders(found) }) : notFound();
    }
    if (files === undefined) return net.fetch(new URL(pathname + search, developmentServer).href);
    const file = await files(pathname);
    return file ? new Response(file.bytes, { headers: file.headers }) : notFound();
  });
}

function notFound(): Response {
  return new Response('There is no such page.', { status: 404 });
}
