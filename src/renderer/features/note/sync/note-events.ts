import { isAppError } from '../../../../contract/errors';
import { failedWith } from '../../../../contract/failed-with';
import type { NoteEvent } from '../../../../contract/notes';
import { failureText } from '../../../base/text/error-words';
import { t } from '../../../base/text/text';
import { type LinkState, settled } from './link-state';
import { retryAfter } from './note-stream';

/** What the core tells of a note, but for its changes. */
export function receiveEvent(link: LinkState, event: Exclude<NoteEvent, { kind: 'updates' }>): void {
  const { parts, sync, report } = link;
  switch (event.kind) {
    case 'opened':
    case 'rejoined':
      link.stream.succeeded();
      link.missing.back();
      parts.onProblem(null);
      if (event.kind === 'opened') sync.opened(event);
      else sync.rejoined(event);
      if (event.save.kind === 'saved') sync.saved(event.file);
      parts.onReady(event.readOnly);
      report.tell(event.save);
      settled(link);
      return;
    case 'save':
      if (event.save.kind === 'saved') {
        sync.saved(event.file);
        report.accepted();
      }
      report.tell(event.save);
      return;
    case 'conflict':
      parts.onConflict(t(`note.conflict.${event.what}`, { message: event.message }));
      return;
    case 'access':
      parts.onReady(event.readOnly);
      return;
    case 'leaving':
      leaveVault(link);
      return;
    case 'renamed':
      link.path = event.path;
      parts.onRenamed(event.path, event.byOthers);
  }
}

/** Takes no more keys, and ends the stream once the core has what there is; where the note is still there, it goes on. */
function leaveVault({ parts, sync, stream, waits, closing }: LinkState): void {
  const current = stream.current();
  parts.onReady(true);
  parts.onProblem(t('note.leaving'));
  const end = () => {
    if (sync.hasPending() && stream.current() === current) return;
    waits.remove(end);
    if (stream.current() !== current) return;
    current.abort();
    setTimeout(() => !closing.signal.aborted && stream.current() === current && sync.lost(), retryAfter[0]);
  };
  waits.add(end);
  end();
}

/** The stream of events failed. What is returned is waited for before it is tried again. */
export function onStreamFailure(link: LinkState, error: unknown): Promise<void> | undefined {
  const { parts, sync, report, missing } = link;
  if (failedWith('notes.follow', error, 'vault.not-found') && sync.version() !== null)
    return missing.gone(failureText(error));
  // A lost connection is said once for the whole window.
  if (isAppError(error, 'connection.lost')) showBefore(link);
  else {
    const message = isAppError(error) ? failureText(error) : t('note.notFollowed');
    parts.onProblem(message);
    const code = isAppError(error) ? error.code : 'internal';
    if (sync.version() !== null) report.tell({ kind: 'failed', code, message });
  }
  return undefined;
}

/** The core is away: what was here before is shown, and takes keys. */
export function showBefore({ parts, sync }: LinkState): void {
  const { seenBefore } = parts;
  if (sync.version() !== null || !seenBefore) return;
  sync.resume({ ...seenBefore, clientId: parts.clientId });
  parts.onReady(false);
}
