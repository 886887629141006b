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
import { movingMs, type NoteSession } from '../../notes';
import type { DiskChange, Vault } from '../../vault';
import type { KeptVault } from '../keep/kept-vaults';
import { createLatelyGone, type Found, goneRecords, matchMoves, movedRecord } from '../keep/moves';
import { movesByFile } from '../keep/moves-by-file';
import { isNote, isUnder, type NoteList, type NoteRecord } from '../store/note-list';
import type { VersionStore } from '../store/store';
import type { KnownNotes } from './calls';
import { type Change, fileAt, type Look, ownLook, together } from './looks';
import { createReader } from './read-notes';

/** Milliseconds without another change of a note, after which notes are read; whatever happens they are after `longestMs`. */
const settleMs = 400;
const longestMs = 2_000;
/** Milliseconds; reading notes that takes longer is told as a trouble. */
const stuckMs = 15_000;
/** After a vault was opened: until then there is more urgent work. */
const sweepAfterMs = 2_500;
const readTogether = 500;
type Failing = Extract<VersionsState, { kind: 'failing' }>;
const stuck: Failing = {
  kind: 'failing',
  state: 'busy',
  reason: 'Notes on disk do not answer.',
};

/**
 * Keeps notes that are not open: how they were before somebody else changes, moves or removes them. So that this is known, each
 * note is read once, and again when its size or time is another one.
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
}) {
  const inOrder = createOneAtATime();
  const trouble = createObservable<Failing | null>(null);
  const isOpen = (path: string) => openNote(path) !== undefined;
  const reader = createReader(vault, isOpen);
  const latelyGone = createLatelyGone(clock);
  let waiting = new Map<string, Look>();
  let waitingSince = 0;
  /** Who deleted open notes: that they are gone is kept when their sessions know it. */
  const deletedOpen = new Map<string, Look>();
  let cancelLook: (() => void) | null = null;
  let cancelSweep: (() => void) | null = null;
  /** Since then a note that is not known is a new one. */
  let sweptOnce = false;
  let openedAt = 0;
  let swept: { readonly id: string; readonly done: Promise<void> } | null = null;

  function onDiskChange({ changed, removed }: DiskChange): void {
    const place = current();
    const notes = [...changed, ...removed].filter(isNote);
    if (!place || notes.length === 0) return;
    const at = clock.now();
    if (waiting.size === 0) waitingSince = at;
    for (const path of notes) {
      const former = waiting.get(path);
      const look: Look = { ...seenNow(path), at, file: fileAt(place.root, path) };
      waiting.set(path, former ? together(former, look) : look);
      if (look.file === null && isOpen(path)) deletedOpen.set(path, look);
      else deletedOpen.delete(path);
    }
    cancelLook?.();
    cancelLook = clock.after(
      Math.max(0, Math.min(settleMs, waitingSince + longestMs - at)),
      () => void lookNow(),
    );
  }

  function takeDeleted(path: string): Look | undefined {
    const look = deletedOpen.get(path);
    deletedOpen.delete(path);
    return look;
  }

  function lookNow(): Promise<void> {
    cancelLook?.();
    cancelLook = null;
    const looks = waiting;
    waiting = new Map();
    return looked(looks);
  }

  function looked(looks: ReadonlyMap<string, Look>): Promise<void> {
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

  /** Reads what stands there, and says what became of what was known. Throws what reading the versions throws. */
  async function look(looks: ReadonlyMap<string, Look>): Promise<void> {
    const place = current();
    if (!place || looks.size === 0 || vault.state.get().kind !== 'open') return;
    // Open notes have told where they are.
    await place.queue.settled();
    const list = await place.store.list();
    const [present, missing] = await reader([...looks.keys()], list);
    if (current()?.id !== place.id) return;
    const missingRecords = missing.flatMap((path) => list.at(path) ?? []);
    // What is new may be one of these.
    const isOneLost = missingRecords.length < missing.length;
    const byFile = await movedFiles(present, list, place.store);
    const gone = missingRecords.filter((record) => !byFile.has(record));
    const pushedOut = list.pushedOut(sweptOnce ? clock.now() - movingMs : openedAt);
    const rest = present.filter((one) => ![...byFile.values()].includes(one));
    const others = pushedOut.filter((record) => !byFile.has(record));
    const byText = await matchMoves(rest, gone, latelyGone.of(place.id), others, list, place.store);
    const moved = new Map([...byFile, ...byText]);
    const cameTo = new Set([...moved.values()].map(({ path }) => path));
    for (const [record, { path }] of moved) {
      const { at, by } = lookOf(path);
      const wasGone = latelyGone.take(record) || pushedOut.includes(record);
      const move = movedRecord(record, path, at, by);
      place.queue.add((now) => (wasGone && !now.byId(record.note)?.isGone ? [] : [move]));
    }
    for (const { path, text, seen } of present) {
      const { by, at, isNew } = lookOf(path);
      const there = list.at(path);
      const isFirst = (!there || moved.has(there)) && !cameTo.has(path);
      const isMade = isNew === null ? sweptOnce : isNew && !isOneLost;
      const cause = isFirst ? (isMade ? 'created' : 'found') : 'changed';
      place.queue.keep({ path, text, by, cause, at, seen });
    }
    for (const record of gone) {
      if (moved.has(record)) continue;
      const { note, path } = record;
      const { by, at } = lookOf(path);
      place.queue.add((now) => goneRecords(now, { note, path }, at, by));
      latelyGone.add(place.id, record);
    }

    function lookOf(path: string): Look {
      const look = looks.get(path) ?? ownLook(clock.now());
      const { file } = look;
      // What was read may be more than what was seen.
      if (!place || file === undefined || file === fileAt(place.root, path)) return look;
      return together(look, { ...seenNow(path), at: look.at, file });
    }
  }

  async function movedFiles(
    present: readonly Found[],
    list: NoteList,
    store: VersionStore,
  ): Promise<Map<NoteRecord, Found>> {
    const notes = new Map<NoteRecord, { readonly file: string }>();
    for (const { seen } of present) {
      const { file } = seen;
      for (const record of file === undefined ? [] : list.withFile(file))
        if (file !== undefined) notes.set(record, { file });
    }
    const moves = await movesByFile(notes, list, vault, store);
    return new Map(
      [...moves].flatMap(([record, to]) => {
        const one = present.find(({ path }) => path === to);
        return one ? [[record, one] as const] : [];
      }),
    );
  }

  /** All notes that are not as they were kept, a part after the other: what is seen meanwhile comes in between. */
  async function sweepNow(): Promise<void> {
    const place = current();
    if (!place || vault.state.get().kind !== 'open') return;
    const list = await place.store.list();
    const own = ownLook(clock.now());
    const paths = notAsKept(list);
    for (let at = 0; at < paths.length && current()?.id === place.id; at += readTogether) {
      const part = paths.slice(at, at + readTogether);
      await looked(new Map(part.map((path) => [path, own])));
      // Texts wait for the disk, not in memory.
      await place.queue.settled();
    }
    sweptOnce = true;
  }

  /** First those that are gone and those that are new: the one may be the other. */
  function notAsKept(list: NoteList, most = largest()): string[] {
    const notes = vault.entries().filter(({ kind, path }) => kind === 'note' && isNote(path));
    const there = new Set(notes.map(({ path }) => path));
    const live = [...list.all()].filter(({ isGone }) => !isGone);
    const gone = live.filter(({ path }) => !there.has(path)).map(({ path }) => path);
    const fresh: string[] = [];
    const changed: string[] = [];
    let room = most;
    for (const { path, size, modified } of [...notes].sort((a, b) => b.modified - a.modified)) {
      const record = list.at(path);
      if (record?.seen?.bytes === size && record.seen.modified === modified) continue;
      room -= size;
      if (room > 0) (record ? changed : fresh).push(path);
    }
    return [...gone, ...fresh, ...changed];
  }

  function sweep(): Promise<void> {
    cancelSweep?.();
    cancelSweep = null;
    const place = current();
    if (!place) return Promise.resolve();
    if (swept?.id !== place.id) {
      swept = { id: place.id, done: sweepNow().catch(failed) };
    }
    return swept.done;
  }

  /** Nothing that was seen waits to be looked at. */
  async function settled(): Promise<void> {
    if (waiting.size > 0) await lookNow();
    await inOrder('disk', async () => undefined);
  }

  /** What any program did until now is kept as its own. */
  async function heard(): Promise<void> {
    const place = current();
    await vault.sweep();
    const open = place ? notAsKept(await place.store.list()).flatMap((path) => openNote(path) ?? []) : [];
    // A note saves behind what it takes from disk.
    await Promise.all(open.map((note) => note.save()));
    await settled();
  }

  const failed = (error: unknown) => log.warn('notes not read for their versions', { error });

  return {
    onDiskChange,
    /** The app itself wrote this file, and it is not open. */
    async written(path: string, by: readonly VersionAuthor[], isNew: boolean): Promise<void> {
      if (!isNote(path)) return;
      await looked(new Map([[path, { by, at: clock.now(), isNew: isNew || null }]]));
    },
    /** Who deleted this open note; its session may know it first. */
    deletedBy: (path: string): Look => takeDeleted(path) ?? { ...seenNow(path), at: clock.now() },
    /** The session of a note that another program deleted is over. */
    async closedDeleted(path: string): Promise<void> {
      if (isNote(path)) await looked(new Map([[path, takeDeleted(path) ?? ownLook(clock.now())]]));
    },
    opened(): void {
      deletedOpen.clear();
      cancelSweep?.();
      swept = null;
      sweptOnce = false;
      openedAt = clock.now();
      cancelSweep = clock.after(sweepAfterMs, () => void sweep());
    },
    /** Every note is known as it is now, as far as there is room for it. */
    sweep,
    /** What is at or below the path is kept as it is. */
    async keepUnder(folder: string): Promise<void> {
      const list = await current()?.store.list();
      if (!list) return;
      const own = ownLook(clock.now());
      const gone = new Set(list.under(folder).map(({ path }) => path));
      const looks = new Map<string, Look>();
      for (const { path, kind, size, modified } of vault.entries()) {
        if (kind !== 'note' || !isUnder(path, folder) || !isNote(path)) continue;
        gone.delete(path);
        const seen = list.at(path)?.seen;
        if (seen?.bytes !== size || seen.modified !== modified) looks.set(path, own);
      }
      for (const path of gone) looks.set(path, own);
      await looked(looks);
    },
    settled,
    heard,
    /** Which notes there are, and of which it is kept how they are; null where that is not certain. */
    async known(): Promise<KnownNotes | null> {
      const place = current();
      if (!place) return null;
      await sweep();
      await heard();
      await place.queue.settled();
      if (current()?.id !== place.id || place.queue.failure.get() || trouble.get()) return null;
      const list = await place.store.list();
      const there = new Set(vault.entries().map(({ path }) => path));
      const changed = notAsKept(list, Number.POSITIVE_INFINITY);
      const unknown = new Set(changed.filter((path) => !isOpen(path) || !list.at(path)));
      return { had: (path) => there.has(path), isKept: (path) => !unknown.has(path) };
    },
    trouble: trouble as Observable<Failing | null>,
    close(): void {
      cancelLook?.();
      cancelSweep?.();
      waiting = new Map();
    },
  };
}
