import type { RecoveryList, RecoveryPart } from '../../contract/recovery';
import type { VersionDiff } from '../../contract/versions';
import { createObservable, createOneAtATime } from '../foundation';
import { type NoteSession, type Notes, readLines, type StoredRecovery } from '../notes';
import type { Vault } from '../vault';
import { createPreviews } from '../versions';
import { listRecovered } from './list';
import { goneThen } from './place';

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
  /** What is gone already is discarded, too. */
  discard(id: string): void;
  /** The note that was at `from` says this again: the same words are not offered any more. */
  stands(from: string, text: string): void;
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
      if (note === from || note.startsWith(`${from}/`))
        store.change(recovery, { note: to + note.slice(from.length) });
    }
  }

  const list = () => listRecovered(store, vault);
  const waitingOf = (id: string) => store.waiting().find((journal) => journal.id === id);

  /** What has waited, by the id that it had then. */
  const taken = new Map<string, string>();

  /** One that waits becomes one that does not: it is not put in a second time when its vault is opened again. */
  function take(id: string): StoredRecovery {
    const journal = waitingOf(id);
    if (!journal) return store.find(taken.get(id) ?? id);
    const stored = store.takeWaiting(journal);
    taken.set(id, stored.id);
    return stored;
  }

  /** Who asks second for what is just being put back finds it there. */
  const inOrder = createOneAtATime();

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

  async function restore(
    ...[id, part, path, basis, hunks]: Parameters<Recovery['restore']>
  ): Promise<{ saved: boolean }> {
    const stored = take(id);
    store.read(stored, part);
    return withSession(path, async (session) => {
      previews.apply(session, basis, hunks);
      const { kind } = await session.save();
      if (hunks === null) markRestored(stored, session.path);
      return { saved: kind === 'saved' };
    });
  }

  async function restoreAsNew(id: string, part: RecoveryPart): Promise<{ path: string }> {
    const stored = take(id);
    const text = store.read(stored, part);
    const former = stored.restored?.path;
    if (former !== undefined && (await says(former, text))) return { path: former };
    const created = await vault.create(stored.note ?? `${stored.name}.md`, text);
    markRestored(stored, created.path);
    return created;
  }

  /** Apart from line ends: a window knows none but its own. */
  function isText(stored: StoredRecovery, text: string): boolean {
    try {
      return readLines(store.read(stored, 'text')).doc.eq(readLines(text).doc);
    } catch {
      return false;
    }
  }

  const says = (path: string, text: string): Promise<boolean> =>
    vault.read(path).then(
      (there) => there.text === text,
      () => false,
    );

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
    restore: (...wish) => inOrder('restores', () => restore(...wish)),
    restoreAsNew: (id, part) => inOrder('restores', () => restoreAsNew(id, part)),
    discard(id) {
      const isThere = waitingOf(id) || store.list().some((one) => one.id === (taken.get(id) ?? id));
      if (!isThere) return;
      const stored = take(id);
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

/** As it would stand on disk, line ends included, where it does. */
async function onDiskNow(vault: Vault, session: NoteSession): Promise<string> {
  const { kind } = session.saveState();
  return kind === 'saved' ? (await vault.read(session.path)).text : session.text();
}
