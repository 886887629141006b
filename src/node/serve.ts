import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Handlers } from '../contract/define';
import type { AppOperations } from '../contract/operations';
import type { Log } from '../core/foundation';
import type { VaultPicture } from '../core/hosting';
import type { Views } from '../core/views';
import { createAccess, type PictureAddresses } from './access';
import { createRequestListener, type Page } from './http';
import { listen } from './listen';
import { serveSockets } from './sockets';

export interface Serving {
  readonly port: number;
  /** Without a secret: for bookmarks, and for browsers that are known. */
  readonly address: string;
  /** An address that lets one browser in, once, for so many milliseconds; without them for a minute. */
  invite(lifetime?: number): string;
  close(): Promise<void>;
}

/** The page and the bridge on this machine's own address, for browsers that were invited. */
export async function serve({
  handlers,
  page,
  picture,
  pictureAddresses,
  views,
  dataFolder,
  port: wanted,
  onEntered = () => undefined,
  log,
}: {
  handlers: Handlers<AppOperations>;
  page: Page;
  picture: (encodedPath: string) => Promise<VaultPicture | null>;
  pictureAddresses: PictureAddresses;
  views: Pick<Views, 'page'>;
  /** Remembers browsers and the port. */
  dataFolder: string;
  /** Instead of the remembered one; 0: any that is free. */
  port?: number;
  /** A browser came in. */
  onEntered?: () => void;
  log: Log;
}): Promise<Serving> {
  const access = createAccess(dataFolder);
  let port = 0;
  const server = createServer(createRequestListener({ page, picture, pictureAddresses, views, log }));
  const sockets = serveSockets({ server, access, port: () => port, handlers, onEntered, log });
  try {
    port = await listen(server, dataFolder, wanted);
  } catch (error) {
    sockets.close();
    throw error;
  }
  log.info('serving', { port });
  const address = `http://127.0.0.1:${port}/`;
  return {
    port,
    address,
    invite: (lifetime) => `${address}#invitation=${access.invite(lifetime)}`,
    async close() {
      sockets.close();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
