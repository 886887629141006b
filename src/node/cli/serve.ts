import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createHandlers } from '../../core/handlers';
import { keepRunning, takeInstanceLock, vaultPicture } from '../../core/hosting';
import { createStaticPage } from '../http';
import { hasDisplay, openWindow } from '../open-browser';
import { serve as serveHost } from '../serve';
import { type CommandLine, exitCodes } from './command-line';

export interface ServeOptions {
  readonly port?: number;
  readonly open: boolean;
}

/** Serves the app to browsers on this machine until it is interrupted. */
export async function serve(
  vault: string | undefined,
  { port, open }: ServeOptions,
  commandLine: CommandLine,
): Promise<number> {
  const { out, err, environment, interrupted } = commandLine;
  const pageFolder = join(commandLine.appRoot, 'out/renderer');
  if (!existsSync(join(pageFolder, 'index.html'))) {
    err('The page is not built yet. Run: npm run build\n');
    return exitCodes.notFound;
  }
  const host = { ...(await commandLine.openHost()), showsViews: true };
  const instance = takeInstanceLock(host.dataFolder);
  if (instance.kind === 'elsewhere') {
    err(
      `Interlinear already runs${instance.where ? ` at ${instance.where}` : ''}, with data in ${host.dataFolder}.\n`,
    );
    return exitCodes.running;
  }
  try {
    const app = await commandLine.createApp(host);
    const leaveFaults = keepRunning(host.log, app);
    try {
      if (vault !== undefined) await app.openVault(resolve(vault));
      else if (app.vault.state.get().kind === 'none') {
        const last = app.recentVaults().find(({ path }) => existsSync(path));
        if (last) await app.openVault(last.path);
        else await app.openSampleVault();
      }
      const serving = await serveHost({
        handlers: createHandlers(app),
        page: createStaticPage(pageFolder),
        picture: (path) => vaultPicture(app.vault, path),
        views: app.views,
        ...(port !== undefined && { port }),
        onWelcome: () => out(`For another window: ${serving.invite()}\n`),
        log: host.log.named('serve'),
      });
      instance.lock.announce(`http://127.0.0.1:${serving.port}`);
      const address = serving.invite();
      out(`Interlinear is at ${address}\n`);
      if (open && hasDisplay(environment)) {
        await openWindow(address, environment).catch(() =>
          err('No browser was found; open the address yourself.\n'),
        );
      }
      await untilFired(interrupted);
      await serving.close();
      return exitCodes.ok;
    } finally {
      await app.close();
      leaveFaults();
    }
  } finally {
    instance.lock.release();
  }
}

function untilFired(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
