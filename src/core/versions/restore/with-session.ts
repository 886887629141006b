import type { NoteSession, Notes } from '../../notes';

/** Runs what changes an open note, which is opened for as long. */
export async function withSession<T>(
  notes: Pick<Notes, 'hold'>,
  path: string,
  work: (session: NoteSession) => T | Promise<T>,
): Promise<T> {
  const { session, release } = await notes.hold(path);
  try {
    return await work(session);
  } finally {
    release();
  }
}
