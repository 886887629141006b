import { openFence, turnAt } from '../../../markdown';
import type { NoteSession } from '../../notes';
import type { SettingsStore } from '../../settings';
import type { NoteReading } from './note-reading';

/**
 * A blank turn for the person, where an answer that ends at `end` is the last thing in the note, whatever way it ended:
 * what they go on with below it is not the model's.
 */
export function openNextTurn(
  session: NoteSession,
  runId: string,
  { end, tag }: { end: number; tag: string },
  { reading, settings }: { reading: NoteReading; settings: Pick<SettingsStore, 'current'> },
): void {
  const text = session.text();
  if (text.slice(end).trim() !== '') return;
  const turn = turnAt(reading.parse(text, [tag]), end);
  // A stopped one may have left nothing.
  if (turn?.role !== 'assistant' || text.slice(turn.contentFrom, end).trim() === '') return;
  const fence = openFence(text.slice(0, end));
  const user = settings.current.get().tags.user[0] ?? 'User';
  session.edit(runId, { from: end, insert: `${fence && `\n${fence}`}\n\n#${user} : ` });
}
