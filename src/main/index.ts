import { mkdirSync } from 'node:fs';
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
import { createFileLog, keepRunning, takeInstanceLock, vaultPicture } from '../core/hosting';
import { connectPage } from './bridge';
import { createElectronHost } from './host';
import { followLinks } from './links';
import { menuTemplate } from './menu';
import { createNotifications } from './notifications';
import { handleScheme, pageOrigin, registerScheme } from './scheme';
import { createTray } from './tray';
import { createWindow, denyPermissions } from './window';

const appRoot = resolve(import.meta.dirname, '../..');
const dataFolder = process.env.INTERLINEAR_DATA ?? electronApp.getPath('userData');
mkdirSync(dataFolder, { recursive: true });
electronApp.setPath('userData', dataFolder);
registerScheme(protocol);
electronApp.enableSandbox();

// Electron's own lock brings the first window to the front; ours also sees an app in a browser.
const instance = electronApp.requestSingleInstanceLock() ? takeInstanceLock(dataFolder) : undefined;
if (instance?.kind === 'taken') void start(instance.lock.release);
else void leave(instance?.where ?? null, instance === undefined);

async function leave(where: string | null, shownElsewhere: boolean): Promise<void> {
  await electronApp.whenReady();
  if (!shownElsewhere)
    dialog.showErrorBox('Interlinear already runs', where ?? 'Another program holds its data.');
  electronApp.quit();
}

async function start(release: () => void): Promise<void> {
  let link: string | null = null;
  let showLink = (given: string) => {
    link = given;
  };
  let showAgain: () => void = () => undefined;
  // Before anything is waited for: on macOS the link that starts the app comes as an event.
  followLinks({
    app: electronApp,
    isInstalled: electronApp.isPackaged,
    words: process.argv.slice(1),
    onLink: (given) => showLink(given),
    onSecond: () => showAgain(),
  });
  const log = createFileLog(join(dataFolder, 'logs'));
  let window: BrowserWindow | undefined;
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
  const handlers = createHandlers(app);
  denyPermissions(session.defaultSession);
  handleScheme({
    protocol,
    pageFolder: join(appRoot, 'out/renderer'),
    developmentServer: electronApp.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL,
    net,
    picture: (path) => vaultPicture(app.vault, path),
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
    });
    window.on('closed', () => {
      window = undefined;
    });
    connectPage({ webContents: window.webContents, MessageChannelMain, handlers, log });
    void window.loadURL(`${pageOrigin}/${place}`);
  }

  function newConversation(): void {
    app.vault.create('New conversation.md', '#User : ').then(
      ({ path }) => show(path),
      () => show(),
    );
  }

  const quit = () => electronApp.quit();
  const ignore = () => undefined;
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, { newConversation })));
  const removeTray = createTray({
    tray: new Tray(nativeImage.createFromPath(join(appRoot, 'resources/tray.png'))),
    buildMenu: (template) => Menu.buildFromTemplate(template),
    app,
    actions: {
      show: () => show(),
      openNote: show,
      newConversation,
      start: (id) => void app.mcp.start(id).catch(ignore),
      stop: (id) => void app.mcp.stop(id).catch(ignore),
      restart: (id) => void app.mcp.restart(id).catch(ignore),
      setEnabled: (id, enabled) => void app.mcp.setEnabled(id, enabled).catch(ignore),
      setPaused: app.mcp.setPaused,
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
        release();
        quit();
      });
  });
  const [last] = app.recentVaults();
  if (last) app.openVault(last.path).catch((error: unknown) => log.warn('last vault not opened', { error }));
  if (link === null) show();
  else showLink(link);
}
