import type { Clock } from '../../foundation';
import { movingMs } from '../../notes';
import type { Vault } from '../../vault';
import type { KeptVault } from '../keep/kept-vaults';
import { createLatelyGone, type Found, goneRecords, matchMoves, movedRecord } from '../keep/moves';
import { movesByFile } from '../keep/moves-by-file';
import type { NoteList, NoteRecord } from '../store/note-list';
import type { VersionStore } from '../store/store';
import { type Change, fileAt, type Look, ownLook, together } from './looks';
import type { NoteSweep } from './note-sweep';
import { createReader } from './read-notes';

/** Reads what stands there, and says what became of what was known. Throws what reading the versions throws. */
export function createDiskLook({
  vault,
  clock,
  current,
  isOpen,
  seenNow,
  sweep,
}: {
  vault: Vault;
  clock: Clock;
  /** Null: nothing is kept now. */
  current: () => KeptVault | null;
  isOpen: (path: string) => boolean;
  /** Whose change it is that is seen now. */
  seenNow: (path: string) => Change;
  sweep: Pick<NoteSweep, 'isOver' | 'openedAt'>;
}): (looks: ReadonlyMap<string, Look>) => Promise<void> {
  const reader = createReader(vault, isOpen);
  const latelyGone = createLatelyGone(clock);

  return async (looks) => {
    const keptVault = current();
    if (!keptVault || looks.size === 0 || vault.state.get().kind !== 'open') return;
    // Open notes have told where they are.
    await keptVault.queue.settled();
    const list = await keptVault.store.list();
    const [present, missing, tooLong] = await reader([...looks.keys()], list);
    if (current()?.id !== keptVault.id) return;
    const lookOf = (path: string): Look => {
      const look = looks.get(path) ?? ownLook(clock.now());
      const { file } = look;
      // What was read may be more than what was seen.
      if (file === undefined || file === fileAt(keptVault.root, path)) return look;
      return together(look, { ...seenNow(path), at: look.at, file });
    };
    for (const path of tooLong) keptVault.queue.tooLong(path, lookOf(path).by);
    const missingRecords = missing.flatMap((path) => list.at(path) ?? []);
    // What is new may be one of these.
    const isOneLost = missingRecords.length < missing.length;
    const byFile = await movedFiles(present, list, vault, keptVault.store);
    const gone = missingRecords.filter((record) => !byFile.has(record));
    const pushedOut = list.pushedOut(sweep.isOver() ? clock.now() - movingMs : sweep.openedAt());
    const rest = present.filter((one) => ![...byFile.values()].includes(one));
    const others = pushedOut.filter((record) => !byFile.has(record));
    const byText = await matchMoves(rest, gone, latelyGone.of(keptVault.id), others, list, keptVault.store);
    const moved = new Map([...byFile, ...byText]);
    const cameTo = new Set([...moved.values()].map(({ path }) => path));
    for (const [record, { path }] of moved) {
      const { at, by } = lookOf(path);
      const wasGone = latelyGone.take(record) || pushedOut.includes(record);
      const move = movedRecord(record, path, at, by);
      keptVault.queue.add((now) => (wasGone && !now.byId(record.note)?.isGone ? [] : [move]));
    }
    for (const { path, text, seen } of present) {
      const { by, at, isNew } = lookOf(path);
      const there = list.at(path);
      const isFirst = (!there || moved.has(there)) && !cameTo.has(path);
      const isMade = isNew === null ? sweep.isOver() : isNew && !isOneLost;
      const cause = isFirst ? (isMade ? 'created' : 'found') : 'changed';
      keptVault.queue.keep({ path, text, by, cause, at, seen });
    }
    for (const record of gone) {
      if (moved.has(record)) continue;
      const { note, path } = record;
      const { by, at } = lookOf(path);
      keptVault.queue.add((now) => goneRecords(now, { note, path }, at, by));
      latelyGone.add(keptVault.id, record);
    }
  };
}

async function movedFiles(
  present: readonly Found[],
  list: NoteList,
  vault: Vault,
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
