import { isUnder } from '../../../contract/paths';
import type { VersionAuthor, VersionsState } from '../../../contract/versions';
import {
  type Clock,
  createObservable,
  createOneAtATime,
  type Log,
  type Observable,
  reasonOf,
  stateOf,
} from '../../foundation';
import type { NoteSession } from '../../notes';
import type { DiskChange, Vault } from '../../vault';
import type { KeptVault } from '../keep/kept-vaults';
import { isNote } from '../store/note-list';
import type { KnownNotes } from './calls';
import { createDiskLook } from './disk-look';
import { type Change, type Look, ownLook } from './looks';
import { notAsKept } from './not-as-kept';
import { createNoteSweep, type NoteSweep } from './note-sweep';
import { createWaitingLooks } from './waiting-looks';

/** Milliseconds; reading notes that takes longer is told as a trouble. */
const stuckMs = 15_000;
type Failing = Extract<VersionsState, { kind: 'failing' }>;
const stuck: Failing = {
  kind: 'failing',
  state: 'busy',
  reason: 'Notes on disk do not answer.',
};

/** The versions of notes that are not open. */
export interface DiskKeeper extends Pick<NoteSweep, 'sweep'> {
  onDiskChange(change: DiskChange): void;
  /** The app itself wrote this file, and it is not open. */
  written(path: string, by: readonly VersionAuthor[], isNew: boolean): Promise<void>;
  /** Who deleted this open note; its session may know it first. */
  deletedBy(path: string): Look;
  /** The session of a note that another program deleted is over. */
  closedDeleted(path: string): Promise<void>;
  opened(): void;
  /** What is at or below the path is kept as it is. */
  keepUnder(folder: string): Promise<void>;
  /** Nothing that was seen waits to be looked at. */
  settled(): Promise<void>;
  /** What any program did until now is kept as its own. */
  heard(): Promise<void>;
  /** Which notes there are, and of which it is kept how they are; null where that is not certain. */
  knownNotes(): Promise<KnownNotes | null>;
  readonly trouble: Observable<Failing | null>;
  close(): void;
}

/**
 * Keeps notes that are not open: how they were before somebody else changes, moves or removes them. So that this is known, each
 * note is read once, and again when its size or time is another one. One closure, since all of it is read in one order.
 */
export function createDiskKeeper({
  vault,
  clock,
  log,
  current,
  openNote,
  seenNow,
  largest,
  tells = true,
}: {
  vault: Vault;
  clock: Clock;
  log: Log;
  /** Null: nothing is kept now. */
  current: () => KeptVault | null;
  openNote: (path: string) => Pick<NoteSession, 'save'> | undefined;
  /** Whose change it is that is seen now. */
  seenNow: (path: string) => Change;
  /** Bytes of notes that are read to begin with. */
  largest: () => number;
  /** Whether what is found is kept. */
  tells?: boolean | undefined;
}): DiskKeeper {
  const inOrder = createOneAtATime();
  const trouble = createObservable<Failing | null>(null);
  const isOpen = (path: string) => openNote(path) !== undefined;
  const waiting = createWaitingLooks({ clock, current, isOpen, seenNow, onDue: () => void lookNow() });
  const sweep = createNoteSweep({ vault, clock, log, current, readNotes, largest });
  const look = createDiskLook({ vault, clock, current, isOpen, seenNow, sweep });

  const lookNow = () => readNotes(waiting.take());

  function readNotes(looks: ReadonlyMap<string, Look>): Promise<void> {
    if (!tells) return Promise.resolve();
    return inOrder('disk', async () => {
      const cancel = clock.after(stuckMs, () => trouble.set(stuck));
      try {
        await look(looks);
        if (trouble.get()) trouble.set(null);
      } catch (error) {
        log.warn('notes not looked at for their versions', { error });
        trouble.set({ kind: 'failing', state: stateOf(error), reason: reasonOf(error) });
      } finally {
        cancel();
      }
    });
  }

  async function settled(): Promise<void> {
    if (!waiting.isEmpty()) await lookNow();
    await inOrder('disk', async () => undefined);
  }

  async function heard(): Promise<void> {
    const keptVault = current();
    await vault.sweep();
    const different = keptVault ? notAsKept(vault, await keptVault.store.list(), largest()) : [];
    // A note saves behind what it takes from disk.
    await Promise.all(different.flatMap((path) => openNote(path) ?? []).map((note) => note.save()));
    await settled();
  }

  return {
    onDiskChange: waiting.add,
    async written(path, by, isNew) {
      if (!isNote(path)) return;
      await readNotes(new Map([[path, { by, at: clock.now(), isNew: isNew || null }]]));
    },
    deletedBy: (path) => waiting.takeDeleted(path) ?? { ...seenNow(path), at: clock.now() },
    async closedDeleted(path) {
      if (isNote(path)) await readNotes(new Map([[path, waiting.takeDeleted(path) ?? ownLook(clock.now())]]));
    },
    opened() {
      waiting.forgetDeleted();
      sweep.opened();
    },
    sweep: sweep.sweep,
    async keepUnder(folder) {
      const list = await current()?.store.list();
      if (!list) return;
      const own = ownLook(clock.now());
      const gone = new Set(list.under(folder).map(({ path }) => path));
      const looks = new Map<string, Look>();
      for (const { path, kind, size, modified } of vault.entries()) {
        if (kind !== 'note' || !isUnder(path, folder) || !isNote(path)) continue;
        gone.delete(path);
        const former = list.at(path)?.seen;
        if (former?.bytes !== size || former.modified !== modified) looks.set(path, own);
      }
      for (const path of gone) looks.set(path, own);
      await readNotes(looks);
    },
    settled,
    heard,
    async knownNotes() {
      const keptVault = current();
      if (!keptVault) return null;
      await sweep.sweep();
      await heard();
      await keptVault.queue.settled();
      if (current()?.id !== keptVault.id || keptVault.queue.failure.get() || trouble.get()) return null;
      const list = await keptVault.store.list();
      const there = new Set(vault.entries().map(({ path }) => path));
      const changed = notAsKept(vault, list, Number.POSITIVE_INFINITY);
      const unknown = new Set(changed.filter((path) => !isOpen(path) || !list.at(path)));
      return { had: (path) => there.has(path), isKept: (path) => !unknown.has(path) };
    },
    trouble,
    close() {
      waiting.close();
      sweep.close();
    },
  };
}
