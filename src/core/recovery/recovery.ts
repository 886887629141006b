import type { RecoveryList, RecoveryPart } from '../../contract/recovery';
import type { VersionDiff } from '../../contract/versions';
import { createPicture } from '../foundation';
import type { NoteSession, Notes, StoredRecovery } from '../notes';
import type { Vault } from '../vault';
import { createPreviews } from '../versions';
import { listRecovered } from './list';

/** Text that has no place in a note by itself: read, compared, put back or discarded. Paths are those of the open vault. */
export interface Recovery {
  follow(signal: AbortSignal): AsyncIterable<RecoveryList>;
  list(): RecoveryList;
  read(id: string, part: RecoveryPart): string;
  /** As much of it as a screen shows. */
  readStart(id: string, part: RecoveryPart): { text: string; cut: boolean };
  compare(id: string, part: RecoveryPart, path: string): Promise<VersionDiff>;
  restore(
    id: string,
    part: RecoveryPart,
    path: string,
    basis: string,
    hunks: readonly number[] | null,
  ): Promise<{ saved: boolean }>;
  restoreAsNew(id: string, part: RecoveryPart): Promise<{ path: string }>;
  discard(id: string): void;
  close(): void;
}

/** Characters. */
const mostShown = 1_000_000;

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
  const previews = createPreviews();
  const revision = createPicture(0);
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
      if (note === from || note.startsWith(`${from}/`))
        store.change(recovery, { note: to + note.slice(from.length) });
    }
  }

  const list = () => listRecovered(store, vault);
  const waitingOf = (id: string) => store.waiting().find((journal) => journal.id === id);

  /** One that waits becomes one that does not: it is not put in a second time when its vault is opened again. */
  function take(id: string): StoredRecovery {
    const journal = waitingOf(id);
    return journal ? store.takeWaiting(journal) : store.find(id);
  }

  function read(id: string, part: RecoveryPart): string {
    const journal = waitingOf(id);
    if (journal && part === 'text') return journal.text;
    return store.read(store.find(id), part);
  }

  async function withSession<T>(path: string, work: (session: NoteSession) => T | Promise<T>): Promise<T> {
    const { session, release } = await notes.hold(path);
    try {
      return await work(session);
    } finally {
      release();
    }
  }

  function markRestored(stored: StoredRecovery, path: string): void {
    store.change(stored, { restored: { at: now(), path } });
    onSettled(stored.place);
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
    read,
    readStart(id, part) {
      const text = read(id, part);
      return { text: text.slice(0, mostShown), cut: text.length > mostShown };
    },
    async compare(id, part, path) {
      const text = read(id, part);
      return withSession(path, async (session) => {
        await session.save();
        return previews.show(await onDiskNow(vault, session), text, text);
      });
    },
    async restore(id, part, path, basis, hunks) {
      const stored = take(id);
      store.read(stored, part);
      return withSession(path, async (session) => {
        previews.apply(session, basis, hunks);
        const { kind } = await session.save();
        if (hunks === null) markRestored(stored, session.path);
        return { saved: kind === 'saved' };
      });
    },
    async restoreAsNew(id, part) {
      const stored = take(id);
      const text = store.read(stored, part);
      const created = await vault.create(stored.note ?? `${stored.name}.md`, text);
      markRestored(stored, created.path);
      return created;
    },
    discard(id) {
      const stored = take(id);
      store.discard(stored);
      onSettled(stored.place);
    },
    close() {
      for (const stop of stops) stop();
    },
  };
}

/** As it would stand on disk, line ends included, where it does. */
async function onDiskNow(vault: Vault, session: NoteSession): Promise<string> {
  const { kind } = session.saveState();
  return kind === 'saved' ? (await vault.read(session.path)).text : session.text();
}
