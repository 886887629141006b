import { resolve } from 'node:path';
import { createApp } from '../core/app';
import { createHandlers } from '../core/handlers';
import { vaultImage } from '../core/hosting';
import { keepPrivate } from '../files';
import { createImageAddresses } from './access';
import { createNodeHost } from './host';
import type { Page } from './http';
import { type Serving, serve } from './serve';

/** The Node host around a page that a development server makes. Only `scripts/dev.mjs` starts it. */
export async function startDevelopmentHost({
  appRoot,
  vault,
  port,
  middleware,
}: {
  appRoot: string;
  vault: string | undefined;
  /** Of the start before. */
  port: number | undefined;
  middleware: (...args: [...Parameters<Page>, next: () => void]) => void;
}): Promise<Serving> {
  keepPrivate();
  const node = await createNodeHost({ appRoot, version: 'development', environment: process.env });
  const imageAddresses = createImageAddresses();
  const host = { ...node, showsViews: true, imageAddress: imageAddresses.addressOf };
  const app = await createApp(host);
  if (vault) await app.openVault(resolve(vault));
  const serving = await serve({
    handlers: createHandlers(app),
    page: (request, response) =>
      new Promise((done) => {
        response.once('close', () => done(true));
        middleware(request, response, () => done(false));
      }),
    picture: (path) => vaultImage(app.vault, path),
    imageAddresses,
    views: app.views,
    dataFolder: host.dataFolder,
    whenMadeAnew: app.dataFolder.whenMadeAnew,
    ...(port !== undefined && { port }),
    log: host.log.named('serve'),
  });
  return {
    ...serving,
    async close() {
      await serving.close();
      await app.close();
    },
  };
}
