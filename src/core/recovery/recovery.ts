import { isUnder, movedPath } from '../../contract/paths';
import type { RecoveryList, RecoveryPart } from '../../contract/recovery';
import { createObservable } from '../foundation';
import { type Notes, readLines, type StoredRecovery } from '../notes';
import type { Vault } from '../vault';
import { listRecovered } from './list';
import { goneThen } from './place';
import { createRestoring, type Restoring } from './restore';
import { createRecoveredTexts } from './texts';

/** Text that has no place in a note by itself: read, compared, put back or discarded. Paths are those of the open vault. */
export interface Recovery extends Restoring {
  follow(signal: AbortSignal): AsyncIterable<RecoveryList>;
  list(): RecoveryList;
  read(id: string, part: RecoveryPart): string;
  /** As much of it as a screen shows. */
  readStart(id: string, part: RecoveryPart): { text: string; cut: boolean };
  /** What is gone already is discarded, too. */
  discard(id: string): void;
  /** The note that was at `from` says this again: the same words are not offered any more. */
  stands(from: string, text: string): void;
  close(): void;
}

/** Characters. */
const mostShown = 1_000_000;

/** Long, since it is one list of operations. */
export function createRecovery({
  vault,
  notes,
  now,
  onSettled,
}: {
  vault: Vault;
  notes: Notes;
  now: () => number;
  /** Nothing has to be said of it any more. */
  onSettled: (place: string) => void;
}): Recovery {
  const { recovery: store } = notes;
  const texts = createRecoveredTexts(store);
  const restoring = createRestoring({ vault, notes, texts, onRestored: markRestored });
  const revision = createObservable(0);
  const changed = () => revision.update((number) => number + 1);
  const stops = [
    store.revision.onChange(changed),
    vault.state.onChange(changed),
    vault.onDiskChange(changed),
    vault.onOwnChange((change) => {
      if (change.kind === 'renamed') follow(change.from, change.to);
      if (change.kind !== 'written') changed();
    }),
  ];

  /** Where the notes of recovered texts are is known as long as the app itself moves them. */
  function follow(from: string, to: string): void {
    for (const recovery of store.list()) {
      const { note } = recovery;
      if (note === null || recovery.vault === null || !vault.isOf(recovery.vault)) continue;
      if (isUnder(note, from)) store.change(recovery, { note: movedPath(note, from, to) });
    }
  }

  const list = () => listRecovered(store, vault);

  function markRestored(stored: StoredRecovery, path: string): void {
    store.change(stored, { restored: { at: now(), path } });
    onSettled(stored.place);
  }

  /** Apart from line ends: a window knows none but its own. */
  function isText(stored: StoredRecovery, text: string): boolean {
    try {
      return readLines(store.read(stored, 'text')).doc.eq(readLines(text).doc);
    } catch {
      return false;
    }
  }

  return {
    list,
    async *follow(signal) {
      let last = '';
      for await (const _ of revision.follow(signal)) {
        const item = list();
        const text = JSON.stringify(item);
        if (text !== last) yield item;
        last = text;
      }
    },
    read: texts.read,
    readStart(id, part) {
      const text = texts.read(id, part);
      return { text: text.slice(0, mostShown), cut: text.length > mostShown };
    },
    ...restoring,
    discard(id) {
      if (!texts.has(id)) return;
      const stored = texts.take(id);
      store.discard(stored);
      onSettled(stored.place);
    },
    stands(from, text) {
      for (const stored of store.list()) {
        const isOfNote = stored.note === from && (stored.vault === null || vault.isOf(stored.vault));
        if (!isOfNote || !goneThen.has(stored.reason) || !isText(stored, text)) continue;
        store.discard(stored);
        onSettled(stored.place);
      }
    },
    close() {
      for (const stop of stops) stop();
    },
  };
}
