import type { Dialog, WebContents } from 'electron';

/** A page with words that are nowhere else does not want to go; in a browser the browser asks. */
export function askBeforeLoss({
  webContents,
  dialog,
}: {
  webContents: Pick<WebContents, 'on'>;
  dialog: Pick<Dialog, 'showMessageBoxSync'>;
}): void {
  webContents.on('will-prevent-unload', (event) => {
    const answer = dialog.showMessageBoxSync({
      type: 'question',
      message: 'Leave without saving?',
      detail: 'Something that you typed or did in this window is not saved yet, and may be lost.',
      buttons: ['Stay', 'Leave'],
      defaultId: 0,
      cancelId: 0,
    });
    if (answer === 1) event.preventDefault();
  });
}
