import type { Dialog } from 'electron';
import { isAppError } from '../contract/errors';
import type { App } from '../core/app';

/** Opens a vault that was asked for from outside the window. False: an answer is being written, and it is to go on. */
export async function openAskingFirst(
  { app, dialog }: { app: Pick<App, 'openVault'>; dialog: Pick<Dialog, 'showMessageBox'> },
  vault: string,
): Promise<boolean> {
  try {
    await app.openVault(vault);
    return true;
  } catch (error) {
    if (!isAppError(error, 'vault.busy')) throw error;
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: 'Stop the answer?',
      detail: `${error.message} Stop it and open the other vault, ${vault}?`,
      buttons: ['Cancel', 'Stop and open'],
      defaultId: 0,
      cancelId: 0,
    });
    if (response !== 1) return false;
    await app.openVault(vault, { force: true });
    return true;
  }
}
