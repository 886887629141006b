import type { SeenState } from '../../contract/notes';
import type { Notes } from './notes';
import type { NoteSession } from './session/note-session';

/** Runs what reads or changes an open note, which is held open for as long. */
export async function withSession<T>(
  notes: Pick<Notes, 'hold'>,
  path: string,
  work: (session: NoteSession) => T | Promise<T>,
  seen?: SeenState | null,
): Promise<T> {
  const { session, release } = await notes.hold(path, seen);
  try {
    return await work(session);
  } finally {
    release();
  }
}
