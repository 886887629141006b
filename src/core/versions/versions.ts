import { rm } from 'node:fs/promises';
import type { RunPicture } from '../../contract/chat';
import { AppError } from '../../contract/errors';
import type { Settings } from '../../contract/settings';
import type { ForgetWhat, VersionsState } from '../../contract/versions';
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
import { createDiskKeeper } from './disk';
import type { Versions } from './door';
import { followVault } from './follow-vault';
import { createKeptVaults } from './kept-vaults';
import { createLists } from './lists';
import type { Entry, NoteList, NoteRecord } from './note-list';
import { createPreviews } from './previews';
import { createRestores } from './restores';
import { createSessionKeeper } from './sessions';
import { folderOf } from './store';

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
/** Milliseconds that a call waits for notes to be read, and a note for its trash. */
const longestWait = 2_000;

export function createVersions(parts: VersionsParts): Versions {
  const { vault, settings, dataFolder, clock, log } = parts;
  const lifetime = createLifetime();
  const revision = createPicture(0);
  const calls = createCallsUnderWay(clock.now);
  const previews = createPreviews();
  const options = () => settings.get().versions;
  const limits = () => ({ size: options().megabytes * megabyte, age: options().days * day });
  const changed = () => revision.update((n) => n + 1);

  const vaults = createKeptVaults({
    ...{ dataFolder, log, limits, now: clock.now, onChange: changed },
    onTrouble: parts.onTrouble,
    onTroubleOver: parts.onTroubleOver,
  });
  let forgotten: string | null = null;
  /** Null: none is open, or another folder stands in its place. */
  const here = () => {
    const id = vault.state.get().kind === 'open' ? vault.id() : null;
    return id === null ? null : vaults.open(vault.root(), id);
  };
  const opened = () => {
    const kept = here();
    if (!kept) throw new AppError('vault.none', 'No vault is open.', {});
    return kept;
  };
  const current = () => {
    const kept = here();
    return kept === null || kept.id === forgotten || !options().keep ? null : kept;
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
    await vaults.settled();
  }

  /** A disk that does not answer costs versions, nothing else. */
  const inTime = (work: Promise<unknown>) =>
    within(
      work.catch((error: unknown) => log.warn('versions not kept in time', { error })),
      longestWait,
    );

  const isOpen = (path: string) => parts.notes().opened(path) !== undefined;
  followVault({
    ...{ vault, life: lifetime, disk, current, now: clock.now, inTime, isOpen },
    keepsOpen: sessions.flush,
    isCreating: () => creating > 0,
  });
  lifetime.add(
    vault.state.onChange((state) => {
      const kept = here();
      if (state.kind !== 'open' || !kept || !options().keep) return;
      disk.opened();
      const { store } = kept;
      store.prune().catch((error: unknown) => log.warn('versions not pruned', { error }));
      removeAbandoned(dataFolder, folderOf(dataFolder, kept.id), clock.now() - limits().age, log);
      changed();
    }),
  );

  let wasKept = options().keep;
  lifetime.add(
    settings.onChange(() => {
      const { keep } = options();
      if (keep === wasKept) return;
      wasKept = keep;
      if (current()) disk.opened();
      changed();
    }),
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

  const lists = createLists({ kept: here, state, revision, log });

  return {
    observer: {
      ...sessions.observer,
      changing(note, hand) {
        followRuns();
        return sessions.observer.changing(note, hand);
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
    followTimeline: lists.followTimeline,
    timeline: async (path) => {
      await settled();
      return lists.timeline(path);
    },
    read: async (_path, id) => (await restores.find(id)).text,
    changes: (_path, id) => restores.changes(id),
    preview: restores.preview,
    restore: (path, _id, basis, hunks) => restores.restore(path, basis, hunks),
    followDeleted: lists.followDeleted,
    deleted: async () => {
      await settled();
      return lists.deleted();
    },
    restoreDeleted: restores.restoreDeleted,
    answers: restores.answers,
    followRestorable: (path, signal) => lists.followed(() => restores.restorable(path), signal),
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
    async forgetVault() {
      forgotten = opened().id;
      await vaults.settled();
      await rm(folderOf(dataFolder, forgotten), { recursive: true, force: true });
    },
    async forget(what) {
      await settled();
      let forgotten = 0;
      await opened().store.forget((list) => {
        const entries = entriesMeant(list, what);
        forgotten = entries.filter(({ kind }) => kind === 'text').length;
        return entries;
      });
      changed();
      return { forgotten };
    },
    settled,
    async close() {
      if (isChangedByCalls) await hearAll();
      await disk.settled();
      sessions.flush(() => true);
      await vaults.settled();
      await lifetime.close();
    },
  };
}

function entriesMeant(list: NoteList, what: ForgetWhat): Entry[] {
  const all = [...list.all()];
  const wholly = (records: readonly NoteRecord[]) => records.flatMap(({ entries }) => entries);
  switch (what.kind) {
    case 'all':
      return wholly(all);
    case 'note':
      return wholly(all.filter(({ path }) => path === what.path));
    case 'deleted':
      return wholly(
        all.filter(
          ({ isGone, entries }) => isGone && (what.id === null || entries.some(({ id }) => id === what.id)),
        ),
      );
    case 'version': {
      const record = all.find(({ entries }) => entries.some(({ id }) => id === what.id));
      const texts = record?.entries.filter(({ kind }) => kind === 'text') ?? [];
      // Of a note without a text there is nothing to tell.
      if (record && texts.every(({ id }) => id === what.id)) return record.entries;
      return texts.filter(({ id }) => id === what.id);
    }
  }
}
