import { isAppError } from '../../../../contract/errors';
import { failedWith } from '../../../../contract/failed-with';
import { failureText } from '../../../base/text/error-words';
import { t } from '../../../base/text/text';
import { type LinkState, settled } from './link-state';
import type { PushRequest } from './outbox';

/** Milliseconds after which what the core refused is sent again. */
const retryMs = 2_000;

/** Sends the core a batch of what was typed, and tells the sync what became of it. */
export async function pushChanges(link: LinkState, request: PushRequest): Promise<void> {
  const { parts, path, sync, report, closing } = link;
  const { attempt, updates, ...seen } = request;
  try {
    const input = { path, ...seen, updates: [...updates] };
    const answer = await parts.core.call('notes.push', input, { waits: true });
    sync.acknowledged(attempt, answer.version);
    report.accepted();
    settled(link);
  } catch (error) {
    if (closing.signal.aborted || isAppError(error, 'connection.lost')) return;
    const sessionGone = failedWith('notes.push', error, 'note.session-gone');
    if (!sessionGone) {
      report.refused(isAppError(error) ? failureText(error) : t('note.notPushed'));
      setTimeout(() => !closing.signal.aborted && sync.edited(), retryMs);
    }
    sync.refused(attempt, sessionGone);
  }
}
