import type { App as ElectronApp } from 'electron';
import type { App } from '../core/app';
import type { Log } from '../core/foundation';

/** Quitting waits until everything is saved. */
export function closeBeforeQuit({
  electronApp,
  app,
  log,
  onQuit,
  onClosed,
}: {
  electronApp: Pick<ElectronApp, 'on' | 'quit'>;
  app: Pick<App, 'close'>;
  log: Log;
  /** At once. */
  onQuit: () => void;
  onClosed: () => void;
}): void {
  let closed = false;
  electronApp.on('before-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    onQuit();
    app
      .close()
      .catch((error: unknown) => log.error('closing failed', { error }))
      .finally(() => {
        closed = true;
        onClosed();
        electronApp.quit();
      });
  });
}
