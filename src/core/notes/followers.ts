import { AppError } from '../../contract/errors';
import type { NoteEvent, SeenState } from '../../contract/notes';
import type { Clock } from '../foundation';
import { kindOf, refuseOtherVault, type Vault } from '../vault';
import type { OpenNote } from './open/open-note';
import { cleanPath, type Register } from './open/register';
import type { EndedSessions } from './session/ended-sessions';
import { follow } from './session/follow';
import type { Session } from './session/session';

/** Who follows open notes, and what becomes of them when another vault is opened. */
export interface Followers {
  /** Throws `vault.none` while a vault is left. */
  hold(path: string, seenState?: SeenState | null): Promise<{ open: OpenNote; release(): void }>;
  follow(path: string, seenState: SeenState | null, signal: AbortSignal): AsyncIterable<NoteEvent>;
  /** A window may come back to this session. */
  expect(sessionId: string): void;
  /** What it had taken is kept for a window that may come back to it. */
  onEnded(session: Session, isReplaced: boolean): void;
  /** Followers hand over what they hold, then all is saved and closed; `enter` opens the other vault. */
  leave(enter: () => Promise<void>): Promise<void>;
  /** Resolves when no vault is being left. */
  entered(): Promise<void>;
}

/** How long a window may take to hand over what it holds before the vault is left. */
const handOverMs = 5_000;

export function createFollowers({
  vault,
  register,
  endedSessions,
  clock,
}: {
  vault: Vault;
  register: () => Register;
  endedSessions: EndedSessions;
  clock: Clock;
}): Followers {
  /** The sessions that a window may come back to. */
  const expected = new Set<string>();
  const following = new Set<Promise<void>>();
  let leaving = new AbortController();
  let entered = Promise.resolve();

  /** Where the note of a follower is whose session is over: nobody told it of moves since. */
  function placeOf(path: string, seenState: SeenState | null): string {
    if (
      !seenState?.file ||
      register().bySession(seenState.sessionId) ||
      vault.fileAt(path) === seenState.file
    )
      return path;
    const to = vault.whereIs(seenState.file);
    return to !== null && kindOf(to) === 'note' ? to : path;
  }

  async function hold(path: string, seenState: SeenState | null = null) {
    if (leaving.signal.aborted) throw new AppError('vault.none', 'Another vault is being opened.', {});
    const { entry, release } = await register().hold(placeOf(path, seenState), seenState?.sessionId ?? null);
    return { open: entry.open, release };
  }

  return {
    hold,
    async *follow(path, seenState, signal) {
      refuseOtherVault(vault, seenState?.vault, path);
      const { open, release } = await hold(path, seenState);
      const over = Promise.withResolvers<void>();
      following.add(over.promise);
      try {
        const { session } = open;
        expected.add(session.sessionId);
        const another = seenState !== null && register().isGone(seenState.sessionId);
        const isFormer = seenState !== null && seenState.sessionId !== session.sessionId;
        const fate = isFormer ? endedSessions.since(seenState) : null;
        const ends = { leaving: leaving.signal, ended: open.ended };
        yield* follow(session, seenState, clock, ends, signal, { at: cleanPath(path), another, fate });
      } finally {
        release();
        following.delete(over.promise);
        over.resolve();
      }
    },
    expect: (sessionId) => void expected.add(sessionId),
    onEnded({ sessionId, epoch, note }, isReplaced) {
      if (expected.delete(sessionId)) endedSessions.add(sessionId, epoch, note.history, isReplaced);
    },
    async leave(enter) {
      const over = Promise.withResolvers<void>();
      entered = over.promise;
      leaving.abort();
      try {
        const limit = Promise.withResolvers<void>();
        const cancel = clock.after(handOverMs, () => limit.resolve());
        await Promise.race([Promise.all([...following]), limit.promise]);
        cancel();
        await register().closeAll();
        await enter();
      } finally {
        leaving = new AbortController();
        over.resolve();
      }
    },
    entered: () => entered,
  };
}
