import type { Dialog, WebContents } from 'electron';
import type { Log } from '../core/foundation';

/** A page that dies again so soon after it was loaded anew is not loaded again without a word. */
const tooSoon = 60_000;

/**
 * When the process of the page dies the core lives on, with every note, so the page is loaded anew and goes on where it
 * was. One that dies again and again is asked about.
 */
export function reviveLostPage({
  webContents,
  dialog,
  quit,
  log,
  now = Date.now,
}: {
  webContents: Pick<WebContents, 'on' | 'reload'>;
  dialog: Pick<Dialog, 'showMessageBox'>;
  quit: () => void;
  log: Log;
  now?: () => number;
}): void {
  let last = Number.NEGATIVE_INFINITY;
  webContents.on('render-process-gone', async (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    log.error('the page is gone', { reason, exitCode });
    const again = now() - last < tooSoon;
    last = now();
    if (again) {
      const { response } = await dialog.showMessageBox({
        type: 'error',
        message: 'The window stopped working',
        detail: 'Your notes are safe: what you typed is kept outside the window.',
        buttons: ['Load again', 'Quit'],
        defaultId: 0,
        cancelId: 0,
      });
      if (response === 1) return quit();
    }
    webContents.reload();
  });
}
