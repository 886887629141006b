import type { RunPicture } from '../../contract/chat';
import { AppError } from '../../contract/errors';
import type { Settings } from '../../contract/settings';
import type { DeletedNote, Timeline, TimelineEntry, VersionsState } from '../../contract/versions';
import {
  type Clock,
  createLifetime,
  createPicture,
  type FileTrouble,
  type Log,
  type Picture,
  within,
} from '../foundation';
import type { Notes } from '../notes';
import type { Vault } from '../vault';
import { removeAbandoned } from './abandoned';
import { createCallsUnderWay } from './calls';
import { createDiskKeeper, goneRecords, type KeptVault } from './disk';
import type { Versions } from './door';
import { type Entry, isUnder, type NoteList, newestText } from './note-list';
import { createPreviews } from './previews';
import { createKeepQueue, movedRecord } from './queue';
import { createRestores } from './restores';
import { createSessionKeeper } from './sessions';
import { createStore, folderOf } from './store';

export interface VersionsParts {
  readonly vault: Vault;
  readonly notes: () => Notes;
  readonly runs: () => Picture<RunPicture[]>;
  readonly settings: Picture<Settings>;
  /** Absolute; the versions are in a folder of it. */
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly onTrouble: (trouble: FileTrouble) => void;
  /** Versions can be kept again. */
  readonly onTroubleOver: () => void;
}

const day = 86_400_000;
const megabyte = 1_048_576;
const mostListed = 500;
/** Milliseconds that a call waits for notes to be read, and a note for its trash. */
const longestWait = 2_000;

export function createVersions(parts: VersionsParts): Versions {
  const { vault, settings, dataFolder, clock, log } = parts;
  const lifetime = createLifetime();
  const revision = createPicture(0);
  const vaults = new Map<string, KeptVault>();
  const calls = createCallsUnderWay(clock.now);
  const previews = createPreviews();
  const options = () => settings.get().versions;
  const limits = () => ({ size: options().megabytes * megabyte, age: options().days * day });
  const changed = () => revision.update((n) => n + 1);

  function open(root: string): KeptVault {
    const known = vaults.get(root);
    if (known) return known;
    const folder = folderOf(dataFolder, root);
    const store = createStore({
      folder,
      root,
      log,
      limits,
      now: clock.now,
      onDamage: (file, lines) =>
        parts.onTrouble({
          file,
          state: 'damaged',
          reason: '',
          keptAs: null,
          lost: [`${lines} ${lines === 1 ? 'version' : 'versions'}`],
        }),
    });
    const queue = createKeepQueue({ store, log, onKept: changed });
    const told = { state: '' };
    queue.failure.onChange((failure) => {
      changed();
      if (failure && told.state !== failure.state)
        parts.onTrouble({ file: folder, ...failure, keptAs: null, lost: [] });
      else if (!failure) parts.onTroubleOver();
      told.state = failure?.state ?? '';
    });
    const kept = { root, store, queue };
    vaults.set(root, kept);
    return kept;
  }

  const root = () => (vault.state.get().kind === 'open' ? vault.root() : null);
  const opened = (): KeptVault => open(vault.root());
  const current = () => {
    const at = root();
    return at === null || !options().keep ? null : open(at);
  };

  const sessions = createSessionKeeper({
    clock,
    log,
    queue: () => current()?.queue ?? null,
    interval: () => options().interval,
    runOf: (runId) =>
      parts
        .runs()
        .get()
        .find((run) => run.runId === runId),
    diskAuthors: calls.authorsOf,
  });
  lifetime.add(sessions.close);
  const disk = createDiskKeeper({
    vault,
    clock,
    log,
    current,
    isOpen: (path) => parts.notes().opened(path) !== undefined,
    authorsOf: calls.authorsOf,
    largest: () => limits().size,
  });
  lifetime.add(disk.close);

  /** Tools may have changed files of which nothing was heard yet. */
  let isChangedByCalls = false;
  const hearAll = async () => {
    await inTime(vault.sweep());
    await disk.settled();
  };

  let creating = 0;
  const restores = createRestores({
    kept: opened,
    settled,
    vault,
    notes: parts.notes,
    previews,
    now: clock.now,
    async onCreate(work) {
      creating++;
      try {
        return await work();
      } finally {
        creating--;
      }
    },
  });

  async function settled(): Promise<void> {
    sessions.flush(() => true);
    await disk.settled();
    for (const { queue } of vaults.values()) await queue.settled();
  }

  function followVault(): void {
    lifetime.add(
      vault.state.onChange((state) => {
        if (state.kind !== 'open' || !options().keep) return;
        const kept = open(state.path);
        disk.opened();
        kept.store.prune().catch((error: unknown) => log.warn('versions not pruned', { error }));
        removeAbandoned(dataFolder, folderOf(dataFolder, state.path), clock.now() - limits().age, log);
        changed();
      }),
    );
    lifetime.add(vault.onDiskChange(disk.onDiskChange));
    lifetime.add(
      vault.onOwnChange((change) => {
        const kept = current();
        if (!kept) return;
        const at = clock.now();
        if (change.kind === 'renamed')
          kept.queue.add((list) =>
            list
              .under(change.from)
              .map((record) =>
                movedRecord(record, change.to + record.path.slice(change.from.length), at, [{ kind: 'you' }]),
              ),
          );
        const isFile = change.kind === 'created' ? creating === 0 : change.kind === 'written';
        if (isFile && 'path' in change && !parts.notes().opened(change.path))
          void disk.written(change.path, [{ kind: 'you' }], change.kind === 'created');
      }),
    );
    lifetime.add(
      vault.beforeOwnChange(async (planned) => {
        const kept = current();
        if (!kept || planned.kind !== 'trash') return () => undefined;
        const { path } = planned;
        sessions.flush((open) => isUnder(open, path));
        await inTime(disk.keepUnder(path));
        return (done) => {
          if (done)
            kept.queue.add((list) =>
              list
                .under(path)
                .flatMap((record) => goneRecords(list, record, clock.now(), [{ kind: 'you' }], 'trashed')),
            );
        };
      }),
    );
  }
  followVault();

  /** A disk that does not answer costs versions, nothing else. */
  const inTime = (work: Promise<unknown>) =>
    within(
      work.catch((error: unknown) => log.warn('versions not kept in time', { error })),
      longestWait,
    );

  let ended = new Set<string>();
  let stopRuns: (() => void) | null = null;
  function followRuns(): void {
    stopRuns ??= parts.runs().onChange((runs) => {
      const over = runs.filter(({ finishedAt }) => finishedAt !== null).map(({ runId }) => runId);
      for (const runId of over) if (!ended.has(runId)) sessions.runEnded(runId);
      ended = new Set(over);
    });
  }
  lifetime.add(() => stopRuns?.());

  const state = (): VersionsState =>
    options().keep ? (current()?.queue.failure.get() ?? { kind: 'on' }) : { kind: 'off' };

  async function timeline(path: string): Promise<Timeline> {
    const list = await listOf();
    const entries = (list?.lastAt(path)?.entries ?? []).toReversed();
    return {
      state: state(),
      entries: entries.slice(0, mostListed).map(asTimeline),
      more: Math.max(0, entries.length - mostListed),
    };
  }

  async function deleted(): Promise<{ state: VersionsState; notes: DeletedNote[] }> {
    const list = await listOf();
    const notes = list ? [...list.all()].flatMap((record) => asDeleted(record) ?? []) : [];
    return { state: state(), notes: notes.sort((a, b) => b.at - a.at) };
  }

  /** Null: it cannot be read now, which the state says. */
  async function listOf(): Promise<NoteList | null> {
    try {
      return root() === null ? null : await opened().store.list();
    } catch (error) {
      log.warn('versions not read', { error });
      throw new AppError('versions.damaged', 'What was kept of this vault’s notes cannot be read.', {
        id: '',
      });
    }
  }

  async function* followed<T>(read: () => Promise<T>, signal: AbortSignal): AsyncGenerator<T> {
    let last = '';
    for await (const _ of revision.follow(signal)) {
      const item = await read();
      const now = JSON.stringify(item);
      if (now !== last) yield item;
      last = now;
    }
  }

  return {
    observer: {
      ...sessions.observer,
      changing(note, hand) {
        followRuns();
        sessions.observer.changing(note, hand);
      },
    },
    async callBegins(call) {
      if (!current()) return;
      if (!call.readOnly) {
        await inTime(disk.sweep());
        isChangedByCalls = true;
      }
      calls.begin(call);
    },
    callEnds: calls.end,
    whileWriting: calls.whileWriting,
    followTimeline: (path, signal) => followed(() => timeline(path), signal),
    timeline: async (path) => {
      await settled();
      return timeline(path);
    },
    read: async (_path, id) => (await restores.find(id)).text,
    changes: (_path, id) => restores.changes(id),
    preview: restores.preview,
    restore: (path, _id, basis, hunks) => restores.restore(path, basis, hunks),
    followDeleted: (signal) => followed(deleted, signal),
    deleted: async () => {
      await settled();
      return deleted();
    },
    restoreDeleted: restores.restoreDeleted,
    answers: restores.answers,
    async beforeAnswer(runId) {
      await hearAll();
      return restores.beforeAnswer(runId);
    },
    restoreBeforeAnswer: restores.restoreBeforeAnswer,
    async keep(path) {
      await disk.keepUnder(path);
      await settled();
    },
    async keepAll() {
      await disk.sweep();
      await settled();
    },
    settled,
    async close() {
      if (isChangedByCalls) await hearAll();
      await disk.settled();
      sessions.flush(() => true);
      for (const { queue } of vaults.values()) await queue.settled();
      await lifetime.close();
    },
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

function asDeleted(record: Parameters<typeof newestText>[0]): DeletedNote | null {
  const text = newestText(record);
  const last = record.entries.at(-1);
  if (!record.isGone || !text) return null;
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
