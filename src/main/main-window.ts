import type { BrowserWindow, WebContents } from 'electron';
import { pageOrigin } from './scheme';

/** The app's one window: made when there is something to show, else brought to the front. */
export interface MainWindow {
  current(): BrowserWindow | undefined;
  /** The page opens the note that its address names. */
  show(notePath?: string | null): void;
  showLink(link: string): void;
}

export function createMainWindow({
  create,
  prepare,
}: {
  create: () => BrowserWindow;
  /** Before a page is loaded into it. */
  prepare: (webContents: WebContents) => void;
}): MainWindow {
  let window: BrowserWindow | undefined;

  function showAt(place: string): void {
    if (window) {
      if (place) void window.loadURL(`${pageOrigin}/${place}`);
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
      return;
    }
    window = create();
    window.on('closed', () => {
      window = undefined;
    });
    prepare(window.webContents);
    void window.loadURL(`${pageOrigin}/${place}`);
  }

  return {
    current: () => window,
    show: (notePath = null) => showAt(notePath === null ? '' : `#note=${encodeURIComponent(notePath)}`),
    showLink: (link) => showAt(`#link=${encodeURIComponent(link)}`),
  };
}
