import type { BrowserWindow, BrowserWindowConstructorOptions, Screen, Session } from 'electron';
import { isView, pageOrigin } from './scheme';
import { readWindowState, writeWindowState } from './window-state';

/** A page can do nothing but talk to the core through its port. */
export function createWindow({
  BrowserWindow: Window,
  screen,
  statePath,
  preloadPath,
  iconPath,
  isInstalled,
}: {
  BrowserWindow: new (options: BrowserWindowConstructorOptions) => BrowserWindow;
  screen: Pick<Screen, 'getAllDisplays'>;
  statePath: string;
  preloadPath: string;
  iconPath: string;
  /** Not a program that is being developed. */
  isInstalled: boolean;
}): BrowserWindow {
  const remembered = readWindowState(statePath, screen.getAllDisplays());
  const window = new Window({
    width: 1280,
    height: 800,
    ...remembered?.bounds,
    minWidth: 640,
    minHeight: 480,
    title: 'Interlinear',
    icon: iconPath,
    show: false,
    webPreferences: {
      preload: preloadPath,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      devTools: !isInstalled,
      spellcheck: spellsBySystem,
    },
  });
  if (remembered?.maximized) window.maximize();
  keepInside(window);
  // Views of servers: the one way out that no policy of a page covers.
  window.webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  window.once('ready-to-show', () => window.show());
  window.on('close', () =>
    writeWindowState(statePath, { bounds: window.getNormalBounds(), maximized: window.isMaximized() }),
  );
  return window;
}

/** No other page in this window, no other window from this page. Addresses open through the core, which checks them. */
function keepInside({ webContents }: BrowserWindow): void {
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  webContents.on('will-navigate', (event) => {
    if (!isOurs(event.url)) event.preventDefault();
  });
  webContents.on('will-redirect', (event) => {
    if (!isOurs(event.url)) event.preventDefault();
  });
  // The policy of the page says so, too; a frame inside a view goes where the view's own policy lets it.
  webContents.on('will-frame-navigate', (event) => {
    const isOfPage = event.frame?.parent === webContents.mainFrame;
    if (!event.isMainFrame && isOfPage && !isView(event.url)) event.preventDefault();
  });
  webContents.on('will-attach-webview', (event) => event.preventDefault());
}

export function isOurs(url: string): boolean {
  return url === pageOrigin || url.startsWith(`${pageOrigin}/`);
}

/** Elsewhere dictionaries would be fetched from a server of others. */
const spellsBySystem = process.platform === 'darwin';

/** Copying text is all that a page may do with the system. */
export function denyPermissions(
  session: Pick<
    Session,
    'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler'
  >,
): void {
  const allowed = (permission: string) => permission === 'clipboard-sanitized-write';
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(allowed(permission)));
  session.setPermissionCheckHandler((_contents, permission) => allowed(permission));
  session.setDevicePermissionHandler(() => false);
}
