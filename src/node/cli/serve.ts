import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createHandlers } from '../../core/handlers';
import { keepPause, keepRunning, takeInstanceLock, vaultImage } from '../../core/hosting';
import { typedPath } from '../../files';
import { createImageAddresses, writeInvitationFile } from '../access';
import { createStaticPage } from '../http';
import { hasDisplay, openWindow } from '../open-browser';
import { type Serving, serve as serveHost } from '../serve';
import { type CommandLine, exitCodes } from './command-line';
import { printDataTroubles } from './data-troubles';

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
  const { err, environment, interrupted } = commandLine;
  const pageFolder = join(commandLine.appRoot, 'out/renderer');
  if (!existsSync(join(pageFolder, 'index.html'))) {
    err('The page is not built yet. Run: npm run build\n');
    return exitCodes.notFound;
  }
  const imageAddresses = createImageAddresses();
  const host = {
    ...(await commandLine.openHost()),
    showsViews: true,
    imageAddress: imageAddresses.addressOf,
  };
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
    const leaveTroubles = printDataTroubles(app.notices.list, err);
    app.dataFolder.whenMadeAnew(instance.lock.putBack);
    keepPause(host.dataFolder, app, host.log);
    try {
      if (vault !== undefined) await app.openVault(typedPath(vault));
      else if (app.vault.state.get().kind === 'none') {
        const last = app.recentVaults().find(({ path }) => existsSync(path));
        if (last) await app.openVault(last.path);
        else await app.openSampleVault();
      }
      const opened: { remove?: () => void } = {};
      const serving = await serveHost({
        handlers: createHandlers(app),
        page: createStaticPage(pageFolder),
        picture: (path) => vaultImage(app.vault, path),
        imageAddresses,
        views: app.views,
        dataFolder: host.dataFolder,
        whenMadeAnew: app.dataFolder.whenMadeAnew,
        ...(port !== undefined && { port }),
        onEntered: () => opened.remove?.(),
        log: host.log.named('serve'),
      });
      try {
        instance.lock.announce(serving.address);
        printAddress(serving, commandLine);
        if (open && hasDisplay(environment)) {
          const page = writeInvitationFile(host.dataFolder, serving.invite());
          opened.remove = page.remove;
          await openWindow(page.address, environment).catch(() =>
            err('No browser was found; open the address yourself.\n'),
          );
        }
        await untilFired(interrupted);
        opened.remove?.();
        return exitCodes.ok;
      } finally {
        await serving.close();
      }
    } finally {
      await app.close();
      leaveFaults();
      leaveTroubles();
    }
  } finally {
    instance.lock.release();
  }
}

/** Where no invitation can be written, as on a full disk, browsers that came before still get in. */
function printAddress({ address, invite }: Serving, { isTerminal, out, err }: CommandLine): void {
  if (!isTerminal) {
    // What is kept somewhere, as a service's journal is, lets nobody in.
    out(`Interlinear is at ${address}\nTo let a browser in: interlinear browsers invite\n`);
    return;
  }
  try {
    out(`Interlinear is at ${invite()}\n`);
    out('That lets one browser in, once, within a minute. For another: interlinear browsers invite\n');
  } catch (error) {
    out(`Interlinear is at ${address}\n`);
    err(`Only browsers that came before get in: an invitation could not be written. ${messageOf(error)}\n`);
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function untilFired(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
