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
import { followLinks } from './links';
import { reviveLostPage } from './lost-page';
import { menuTemplate } from './menu';
import { createNotifications } from './notifications';
import { openAskingFirst } from './open-asking-first';
import { placeOfNote } from './open-file';
import { handleScheme, pageOrigin, registerScheme } from './scheme';
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

async function start(lock: InstanceLock): Promise<void> {
  let first: (() => void) | null = null;
  let showLink = (given: string): void => {
    first = () => showLink(given);
  };
  let showNote = (path: string): void => {
    first = () => showNote(path);
  };
  let showAgain: () => void = () => undefined;
  // Before anything is waited for: on macOS the link that starts the app comes as an event.
  followLinks({
    app: electronApp,
    isInstalled: electronApp.isPackaged,
    words: process.argv.slice(1),
    workingFolder: process.cwd(),
    onLink: (given) => showLink(given),
    onNote: (path) => showNote(path),
    onSecond: () => showAgain(),
  });
  const log = createFileLog(join(dataFolder, 'logs'));
  let window: BrowserWindow | undefined;
  takeFormerData(electronApp.getPath('userData'), dataFolder, log);
  await electronApp.whenReady();

  const host = await createElectronHost({
    electron: { app: electronApp, dialog, shell, safeStorage, Store },
    appRoot,
    dataFolder,
    environment: process.env,
    log,
    window: () => window,
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

  const iconPath = join(appRoot, 'resources/icon.png');
  /** The page opens the note that its address names. */
  const show = (notePath: string | null = null) =>
    showAt(notePath === null ? '' : `#note=${encodeURIComponent(notePath)}`);

  function showAt(place: string): void {
    if (window) {
      if (place) void window.loadURL(`${pageOrigin}/${place}`);
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
      return;
    }
    window = createWindow({
      BrowserWindow,
      screen,
      statePath: join(dataFolder, 'window.json'),
      preloadPath: join(appRoot, 'out/preload/index.cjs'),
      iconPath,
      isInstalled: electronApp.isPackaged,
    });
    window.on('closed', () => {
      window = undefined;
    });
    const { webContents } = window;
    addContextMenu(webContents, (template) => Menu.buildFromTemplate(template).popup());
    reviveLostPage({ webContents, dialog, quit, log });
    askBeforeLoss({ webContents, dialog });
    connectPage({ webContents, MessageChannelMain, handlers, log });
    void window.loadURL(`${pageOrigin}/${place}`);
  }

  function newConversation(): void {
    app.vault.create('New conversation.md', '#User : ').then(
      ({ path }) => show(path),
      () => show(),
    );
  }

  const quit = () => electronApp.quit();
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
    isWatched: () => window?.isFocused() ?? false,
    show,
  });

  showAgain = show;
  showLink = (given) => showAt(`#link=${encodeURIComponent(given)}`);
  electronApp.on('activate', () => show());
  electronApp.on('window-all-closed', () => {
    // The tray keeps the core; on a desktop without one the app would be out of reach.
    if (process.platform === 'linux') quit();
  });
  let closed = false;
  electronApp.on('before-quit', (event) => {
    if (closed) return;
    // Quitting waits until everything is saved.
    event.preventDefault();
    stopNotifications();
    removeTray();
    app
      .close()
      .catch((error: unknown) => log.error('closing failed', { error }))
      .finally(() => {
        closed = true;
        lock.release();
        quit();
      });
  });
  showNote = (path) => {
    const state = app.vault.state.get();
    const open = state.kind === 'open' ? state.path : null;
    const place = placeOfNote(
      path,
      open,
      app.recentVaults().map((known) => known.path),
    );
    const opening =
      place.vault === open ? Promise.resolve(true) : openAskingFirst({ app, dialog }, place.vault);
    opening.then(
      (opened) => show(opened ? place.note : null),
      (error: unknown) => {
        log.warn('note not opened', { error });
        show();
      },
    );
  };
  const [last] = app.recentVaults();
  if (last)
    await app.openVault(last.path).catch((error: unknown) => log.warn('last vault not opened', { error }));
  const showFirst = first ?? show;
  showFirst();
}
