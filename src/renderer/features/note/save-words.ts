import { deserializeError } from '../../../contract/errors';
import type { SaveState } from '../../../contract/notes';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';

type Unsaved = Extract<SaveState, { kind: 'waiting' | 'failed' | 'read-only' }>;

/** Why a note is not saved, and where its text is meanwhile. */
export function unsavedText(save: Unsaved, path: string): string {
  const message = save.kind === 'read-only' ? save.reason : save.message;
  const where = save.keptIn === undefined ? '' : t(`note.save.in.${save.keptIn}`);
  return t('note.save', { message, what: whatFailed(save, path, message), where });
}

function whatFailed(save: Unsaved, path: string, message: string): string {
  if (save.kind === 'waiting') return t('note.save.waiting', { message });
  const code = save.kind === 'failed' ? save.code : 'vault.read-only';
  return failureText(deserializeError({ code, message, details: { path } }));
}

/** Whether what went wrong with a change of the note is just that it is not saved. */
export function isSaid(
  problem: string | null,
  { message }: Extract<SaveState, { kind: 'failed' }>,
  path: string,
) {
  return problem === message || problem === t('error.note.not-kept', { path, message });
}
