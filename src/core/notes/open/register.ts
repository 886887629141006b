import { type Clock, type createLifetime, type Log, within } from '../../foundation';
import type { Vault } from '../../vault';
import type { Recovered } from '../journal/journals';
import { createHolders, isDeleted, type KeepFor } from './holders';
import { createMovedByOthers } from './moved-by-others';
import { type OpenNote, type OpenNoteParts, openNote, reopenNote } from './open-note';
import { createOwnMoves } from './own-moves';
import { createPlaces, type OpenEntry } from './places';
import { followVaultChanges } from './vault-changes';

/** Which session stands for which note, from opening to gone: one session a note, and never one of a note that is no more. */
export interface Register {
  /** Joins the session that `sessionId` means if it is open, wherever its note is by now, else that of `path`. */
  hold(path: string, sessionId: string | null): Promise<{ entry: OpenEntry; release(): void }>;
  at(path: string): OpenEntry | undefined;
  /** Those that are open. */
  all(): readonly OpenEntry[];
  bySession(sessionId: string): OpenEntry | undefined;
  /** Its note is no more, or is another's by now. */
  isGone(sessionId: string): boolean;
  /** Resolves when what is being opened or closed at `path` is. */
  settled(path: string): Promise<OpenEntry | undefined>;
  /** Takes up the session of an app that died; false where its note is not there any more. */
  reopen(path: string, journal: Recovered): Promise<boolean>;
  close(entry: OpenEntry): Promise<void>;
  closeAll(): Promise<void>;
}

/** One note is not to hold up the start of all. */
const longestReopenMs = 1_500;

/** One spelling for one note: two sessions of one file would work against each other. */
export const cleanPath = (path: string) =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');

interface RegisterParts {
  readonly parts: Omit<OpenNoteParts, 'onReplaced' | 'onMoved'> & {
    readonly vault: Vault;
    readonly clock: Clock;
    readonly log: Log;
  };
  readonly keep: KeepFor;
  readonly lifetime: ReturnType<typeof createLifetime>;
  /** Before a note is opened: what an app that died had of it and could not be read when it was looked for. */
  readonly takeUpLate: () => Promise<void>;
}

/** One closure, since whether a note is opened, taken up again or waited for is all decided by the same places. */
export function createRegister({ parts, keep, lifetime, takeUpLate }: RegisterParts): Register {
  const { vault, clock, log, observer } = parts;
  const places = createPlaces();
  const holders = createHolders({ places, keep, vault, clock, log });
  const movedByOthers = createMovedByOthers({ places, holders, vault, observer, log });
  const noteParts: OpenNoteParts = {
    ...parts,
    onReplaced({ sessionId }) {
      const entry = places.bySession(sessionId);
      if (entry) holders.drop(entry, 'replaced', true);
    },
    onMoved: movedByOthers.onMoved,
  };

  function put(open: OpenNote): OpenEntry {
    const entry: OpenEntry = { open, holders: 0, cancelLinger: () => undefined };
    places.byPath.set(open.session.path, { kind: 'open', entry });
    let wasDeleted = isDeleted(entry);
    open.session.save.onChange(() => {
      if (wasDeleted === isDeleted(entry)) return;
      wasDeleted = isDeleted(entry);
      holders.linger(entry);
    });
    return entry;
  }

  function begin(path: string): Promise<OpenEntry> {
    let isChanged = false;
    const opening = openNote(noteParts, path).then(
      (open) => {
        const entry = put(open);
        if (isChanged) void open.saver.look();
        return entry;
      },
      (error: unknown) => {
        places.byPath.delete(path);
        throw error;
      },
    );
    const onChange = () => {
      isChanged = true;
    };
    places.byPath.set(path, { kind: 'opening', opening, onChange });
    return opening;
  }

  async function take(path: string): Promise<OpenEntry> {
    await takeUpLate();
    for (;;) {
      const move = places.moveAt(path);
      const place = places.byPath.get(path);
      if (move) await move.done;
      else if (place?.kind === 'open') return place.entry;
      else if (place?.kind === 'closing') await place.closed;
      else if (place?.kind === 'opening') await place.opening;
      else if (!movedByOthers.followTo(path)) await begin(path);
    }
  }

  lifetime.add(vault.beforeOwnChange(createOwnMoves({ places, holders })));
  followVaultChanges({ places, holders, vault, keep, lifetime });

  return {
    async hold(path, sessionId) {
      const former = sessionId === null ? undefined : places.bySession(sessionId);
      return holders.join(former?.open.session.life === 'open' ? former : await take(cleanPath(path)));
    },
    at: places.at,
    all: places.all,
    bySession: places.bySession,
    isGone: holders.isGone,
    async settled(path) {
      const place = places.byPath.get(path);
      if (place?.kind === 'closing') await place.closed;
      if (place?.kind === 'opening') await place.opening.catch(() => undefined);
      return places.at(path);
    },
    async reopen(path, journal) {
      const open = await reopenNote(noteParts, path, journal);
      if (!open) return false;
      // First it is known to be open: what it saves is no change by somebody else.
      holders.linger(put(open));
      // Where another program goes on writing it, it is saved later, as any open note.
      await within(
        open.saver.look().then(() => open.saver.save()),
        longestReopenMs,
      );
      return true;
    },
    close: holders.close,
    async closeAll() {
      while (places.byPath.size > 0) {
        await places.restUnder('').catch(() => undefined);
        await Promise.all(places.all().map(holders.close));
      }
    },
  };
}
