import { join, resolve } from 'node:path';
import {
  BrowserWindow,
  dialog,
  app as electronApp,
  Menu,
  MessageChannelMain,
  Notification,
  nativeImage,
  net,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
} from 'electron';
import Store from 'electron-store';
import { createApp } from '../core/app';
import { createHandlers } from '../core/handlers';
import {
  createFileLog,
  type InstanceLock,
  keepPause,
  keepRunning,
  takeInstanceLock,
  vaultImage,
} from '../core/hosting';
import { dataFolderOf, keepPrivate, preparePrivateFolder } from '../files';
import { connectPage } from './bridge';
import { addContextMenu } from './context-menu';
import { takeFormerData } from './former-data';
import { createElectronHost } from './host';
import { openAddresses } from './links';
import { reviveLostPage } from './lost-page';
import { createMainWindow } from './main-window';
import { menuTemplate } from './menu';
import { createNotifications } from './notifications';
import { openNoteFile } from './open-note-file';
import { createOpenRequests } from './open-requests';
import { closeBeforeQuit } from './quit';
import { handleScheme, registerScheme } from './scheme';
import { createTray } from './tray';
import { askBeforeLoss } from './unsaved-words';
import { createWindow, denyPermissions } from './window';

const appRoot = resolve(import.meta.dirname, '../..');
keepPrivate();
const dataFolder = dataFolderOf(process.env);
// Chromium's own data has its own folder; one beside another data folder stays with that.
if (process.env.INTERLINEAR_DATA) electronApp.setPath('userData', join(dataFolder, 'chromium'));
preparePrivateFolder(dataFolder);
registerScheme(protocol);
electronApp.enableSandbox();

// Electron's own lock brings the first window to the front; ours also sees an app in a browser.
const instance = electronApp.requestSingleInstanceLock() ? takeInstanceLock(dataFolder) : undefined;
if (instance?.kind === 'taken') start(instance.lock).catch((error) => failed(error, instance.lock.release));
else void leave(instance?.where ?? null, instance === undefined);

/** Nothing is shown yet that could say it. */
async function failed(error: unknown, release: () => void): Promise<void> {
  createFileLog(join(dataFolder, 'logs')).error('the app did not start', { error });
  release();
  await electronApp.whenReady();
  const reason = error instanceof Error ? error.message : String(error);
  dialog.showErrorBox('Interlinear could not start', `${reason}\n\nIts data is in ${dataFolder}.`);
  electronApp.exit(1);
}

async function leave(where: string | null, shownElsewhere: boolean): Promise<void> {
  await electronApp.whenReady();
  if (!shownElsewhere)
    dialog.showErrorBox('Interlinear already runs', where ?? 'Another program holds its data.');
  electronApp.quit();
}

/** Long, since it is one list, in order, of what an app of Electron is joined from. */
async function start(lock: InstanceLock): Promise<void> {
  const requests = createOpenRequests();
  // Before anything is waited for: on macOS the link that starts the app comes as an event.
  openAddresses({
    app: electronApp,
    isInstalled: electronApp.isPackaged,
    words: process.argv.slice(1),
    workingFolder: process.cwd(),
    onLink: requests.link,
    onNote: requests.note,
    onSecond: requests.app,
  });
  const log = createFileLog(join(dataFolder, 'logs'));
  takeFormerData(electronApp.getPath('userData'), dataFolder, log);
  await electronApp.whenReady();

  const iconPath = join(appRoot, 'resources/icon.png');
  const window = createMainWindow({
    create: () =>
      createWindow({
        BrowserWindow,
        screen,
        statePath: join(dataFolder, 'window.json'),
        preloadPath: join(appRoot, 'out/preload/index.cjs'),
        iconPath,
        isInstalled: electronApp.isPackaged,
      }),
    prepare(webContents) {
      addContextMenu(webContents, (template) => Menu.buildFromTemplate(template).popup());
      reviveLostPage({ webContents, dialog, quit, log });
      askBeforeLoss({ webContents, dialog });
      connectPage({ webContents, MessageChannelMain, handlers, log });
    },
  });
  const { show } = window;
  const quit = () => electronApp.quit();
  const host = await createElectronHost({
    electron: { app: electronApp, dialog, shell, safeStorage, Store },
    appRoot,
    dataFolder,
    environment: process.env,
    log,
    window: window.current,
  });
  const app = await createApp(host);
  keepRunning(log, app);
  app.dataFolder.whenMadeAnew(lock.putBack);
  keepPause(dataFolder, app, log);
  const handlers = createHandlers(app);
  denyPermissions(session.defaultSession);
  handleScheme({
    protocol,
    pageFolder: join(appRoot, 'out/renderer'),
    developmentServer: electronApp.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL,
    net,
    picture: (path) => vaultImage(app.vault, path),
    views: app.views,
  });

  function newConversation(): void {
    app.vault.create('New conversation.md', '#User : ').then(
      ({ path }) => show(path),
      () => show(),
    );
  }

  Menu.setApplicationMenu(
    Menu.buildFromTemplate(menuTemplate(process.platform, { newConversation }, electronApp.isPackaged)),
  );
  const removeTray = createTray({
    tray: new Tray(nativeImage.createFromPath(join(appRoot, 'resources/tray.png'))),
    buildMenu: (template) => Menu.buildFromTemplate(template),
    app,
    actions: {
      show: () => show(),
      openNote: show,
      newConversation,
      quit,
    },
  });
  const stopNotifications = createNotifications({
    Notification,
    app,
    isWatched: () => window.current()?.isFocused() ?? false,
    show,
  });

  requests.connect({
    show: () => show(),
    showLink: window.showLink,
    showNote: (path) => openNoteFile({ app, dialog, log, show }, path),
  });
  electronApp.on('activate', () => show());
  electronApp.on('window-all-closed', () => {
    // The tray keeps the core; on a desktop without one the app would be out of reach.
    if (process.platform === 'linux') quit();
  });
  closeBeforeQuit({
    ...{ electronApp, app, log },
    onQuit() {
      stopNotifications();
      removeTray();
    },
    onClosed: lock.release,
  });
  const [last] = app.recentVaults();
  if (last)
    await app.openVault(last.path).catch((error: unknown) => log.warn('last vault not opened', { error }));
  requests.showFirst();
}
