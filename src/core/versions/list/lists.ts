import { AppError } from '../../../contract/errors';
import type { DeletedNote, Timeline, TimelineEntry, VersionsState } from '../../../contract/versions';
import type { Log, Observable } from '../../foundation';
import type { KeptVault } from '../keep/kept-vaults';
import { type Entry, type NoteList, type NoteRecord, newestText } from '../store/note-list';
import type { VersionStore } from '../store/store';
import { createStandsAgain } from './stands-again';

const mostListed = 500;

/** For somebody who asks. Throws `versions.damaged`. */
export async function readList(store: Pick<VersionStore, 'list'>, log: Log): Promise<NoteList> {
  try {
    return await store.list();
  } catch (error) {
    log.warn('versions not read', { error });
    throw new AppError('versions.damaged', 'What was kept of this vault’s notes cannot be read.', { id: '' });
  }
}

/** What is kept, as a person reads it. */
export function createLists({
  keptVault,
  state,
  revision,
  log,
}: {
  /** Null: no vault is open. */
  keptVault: () => KeptVault | null;
  state: () => VersionsState;
  /** Another number whenever something was kept. */
  revision: Observable<number>;
  log: Log;
}) {
  const standsAgain = createStandsAgain();

  const list = async (): Promise<NoteList | null> => {
    const store = keptVault()?.store;
    return store ? readList(store, log) : null;
  };

  async function timeline(path: string): Promise<Timeline> {
    const entries = ((await list())?.lastAt(path)?.entries ?? []).toReversed();
    return {
      state: state(),
      entries: entries.slice(0, mostListed).map(asTimeline),
      more: Math.max(0, entries.length - mostListed),
    };
  }

  async function deleted(): Promise<{ state: VersionsState; notes: DeletedNote[] }> {
    const all = await list();
    const store = keptVault()?.store;
    const notes: DeletedNote[] = [];
    for (const record of all?.all() ?? []) {
      const note = asDeleted(record);
      if (all && store && note && !(await standsAgain(all, store, record))) notes.push(note);
    }
    return { state: state(), notes: notes.sort((a, b) => b.at - a.at) };
  }

  async function* followed<T>(readNow: () => Promise<T>, signal: AbortSignal): AsyncGenerator<T> {
    let last = '';
    for await (const _ of revision.follow(signal)) {
      const item = await readNow();
      const now = JSON.stringify(item);
      if (now !== last) yield item;
      last = now;
    }
  }

  return {
    followed,
    timeline,
    deleted,
    followTimeline: (path: string, signal: AbortSignal) => followed(() => timeline(path), signal),
    followDeleted: (signal: AbortSignal) => followed(deleted, signal),
  };
}

function asTimeline(entry: Entry): TimelineEntry {
  const { id, at, path, by } = entry;
  const facts = { id, at, path, by };
  switch (entry.kind) {
    case 'text': {
      const { cause, bytes, added, removed } = entry;
      return { kind: 'text', ...facts, cause, bytes, added, removed };
    }
    case 'moved':
      return { kind: 'moved', ...facts, from: entry.from };
    case 'gone':
      return { kind: 'gone', ...facts, how: entry.how };
  }
}

function asDeleted(record: NoteRecord): DeletedNote | null {
  const text = newestText(record);
  if (!record.isGone || !text) return null;
  // Of one whose place was taken while nobody looked it is not known when it went.
  const last = record.entries.findLast(({ kind }) => kind === 'gone') ?? record.entries.at(-1);
  const how = last?.kind === 'gone' ? last.how : 'deleted';
  return {
    id: text.id,
    path: record.path,
    at: last?.at ?? text.at,
    how,
    by: last?.by ?? [],
    bytes: text.bytes,
  };
}
