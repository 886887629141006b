import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Handlers } from '../contract/define';
import type { AppOperations } from '../contract/operations';
import type { Log } from '../core/foundation';
import type { VaultPicture } from '../core/hosting';
import type { Views } from '../core/views';
import { type Access, createAccess } from './access';
import { createRequestListener, type Page } from './http';
import { serveSockets } from './sockets';

export interface Serving {
  readonly port: number;
  /** A new address that lets one browser in. */
  invite(): string;
  close(): Promise<void>;
}

/** The page and the bridge on this machine's own address, for whoever was invited. */
export async function serve({
  handlers,
  page,
  picture,
  views,
  port = 0,
  access = createAccess(),
  onWelcome = () => undefined,
  log,
}: {
  handlers: Handlers<AppOperations>;
  page: Page;
  picture: (encodedPath: string) => Promise<VaultPicture | null>;
  views: Pick<Views, 'page'>;
  /** 0: any that is free. */
  port?: number;
  access?: Access;
  onWelcome?: () => void;
  log: Log;
}): Promise<Serving> {
  let bound = port;
  const server = createServer(
    createRequestListener({ access, port: () => bound, page, picture, views, onWelcome, log }),
  );
  const sockets = serveSockets({ server, access, port: () => bound, handlers, log });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  bound = (server.address() as AddressInfo).port;
  log.info('serving', { port: bound });
  return {
    port: bound,
    invite: () => access.invite(bound),
    async close() {
      sockets.close();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
