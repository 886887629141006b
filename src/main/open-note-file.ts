import type { Dialog } from 'electron';
import type { App } from '../core/app';
import type { Log } from '../core/foundation';
import { openAskingFirst } from './open-asking-first';
import { placeOfNote } from './open-file';

/** Shows a note of the system, in the vault that it belongs to. */
export function openNoteFile(
  {
    app,
    dialog,
    log,
    show,
  }: {
    app: Pick<App, 'vault' | 'openVault' | 'recentVaults'>;
    dialog: Pick<Dialog, 'showMessageBox'>;
    log: Log;
    show: (note?: string | null) => void;
  },
  path: string,
): void {
  const state = app.vault.state.get();
  const open = state.kind === 'open' ? state.path : null;
  const recent = app.recentVaults().map((vault) => vault.path);
  const place = placeOfNote(path, open, recent);
  const opening =
    place.vault === open ? Promise.resolve(true) : openAskingFirst({ app, dialog }, place.vault);
  opening.then(
    (opened) => show(opened ? place.note : null),
    (error: unknown) => {
      log.warn('note not opened', { error });
      show();
    },
  );
}
