import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Handlers } from '../contract/define';
import type { AppOperations } from '../contract/operations';
import type { Log } from '../core/foundation';
import type { VaultImage } from '../core/hosting';
import type { Views } from '../core/views';
import { createAccess, type ImageAddresses } from './access';
import { createRequestListener, type Page } from './http';
import { listen } from './listen';
import { serveSockets } from './sockets';

export interface Serving {
  readonly port: number;
  /** Without a secret: for bookmarks, and for browsers that are known. */
  readonly address: string;
  /** An address that lets one browser in, once, for so many milliseconds; without them for a minute. */
  invite(): string;
  close(): Promise<void>;
}

/** The page and the bridge on this machine's own address, for browsers that were invited. */
export async function serve({
  handlers,
  page,
  picture,
  imageAddresses,
  views,
  dataFolder,
  whenMadeAnew,
  port: chosenPort,
  onEntered = () => undefined,
  log,
}: {
  handlers: Handlers<AppOperations>;
  page: Page;
  picture: (encodedPath: string) => Promise<VaultImage | null>;
  imageAddresses: ImageAddresses;
  views: Pick<Views, 'page'>;
  /** Remembers browsers and the port. */
  dataFolder: string;
  /** Calls when what is kept there has to be written again. */
  whenMadeAnew: (putBack: () => void) => () => void;
  /** Instead of the remembered one; 0: any that is free. */
  port?: number;
  /** A browser came in. */
  onEntered?: () => void;
  log: Log;
}): Promise<Serving> {
  const access = createAccess(dataFolder);
  const leaving = [whenMadeAnew(access.putBack)];
  let port = 0;
  const server = createServer(createRequestListener({ page, picture, imageAddresses, views, log }));
  const sockets = serveSockets({ server, access, port: () => port, handlers, onEntered, log });
  function leave(): void {
    for (const end of leaving) end();
    sockets.close();
  }
  try {
    const place = await listen(server, dataFolder, chosenPort);
    port = place.port;
    leaving.push(whenMadeAnew(place.putBack));
  } catch (error) {
    leave();
    throw error;
  }
  log.info('serving', { port });
  const address = `http://127.0.0.1:${port}/`;
  return {
    port,
    address,
    invite: () => `${address}#invitation=${access.invite()}`,
    async close() {
      leave();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
