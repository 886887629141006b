import { rm } from 'node:fs/promises';
import type { Run } from '../../contract/chat';
import { AppError } from '../../contract/errors';
import type { Settings } from '../../contract/settings';
import type { VersionsState } from '../../contract/versions';
import {
  type Clock,
  createLifetime,
  createObservable,
  type FileTrouble,
  type Log,
  type Observable,
  within,
} from '../foundation';
import type { Notes } from '../notes';
import type { Vault } from '../vault';
import { createPreviews } from './compare/previews';
import { createKeptVaults } from './keep/kept-vaults';
import { movesWhileOff, seenAtRest } from './keep/moves-by-file';
import { createLists, readList } from './list/lists';
import { createRestores } from './restore/restores';
import { removeAbandoned } from './store/abandoned';
import { entriesMeant } from './store/forget';
import { newestText } from './store/note-list';
import { folderOf } from './store/store';
import type { Versions } from './versions';
import { createCallsUnderWay, type KnownNotes } from './watch/calls';
import { createDiskKeeper } from './watch/disk';
import { followVault } from './watch/follow-vault';
import { writtenAt } from './watch/looks';
import { createSessionKeeper } from './watch/sessions';

export interface VersionsParts {
  readonly vault: Vault;
  readonly notes: () => Notes;
  readonly runs: () => Observable<Run[]>;
  readonly settings: Observable<Settings>;
  /** Absolute; the versions are in a folder of it. */
  readonly dataFolder: string;
  /** Whether what is found in the vault is kept; left out: it is. */
  readonly tellsOfDisk?: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly onTrouble: (trouble: FileTrouble) => void;
  /** Versions can be kept again. */
  readonly onTroubleOver: () => void;
  /** The note that was at `from` stands in the vault again with this text; left out: nobody is told. */
  readonly onStands?: (from: string, text: string) => void;
  /** Milliseconds that a call waits for notes to be read, and a note for its trash. */
  readonly longestWait?: number;
}

const day = 86_400_000;
const megabyte = 1_048_576;
const elsewhere: VersionsState = {
  kind: 'failing',
  state: 'busy',
  reason: 'Another folder stands where the vault was.',
};
const longestWait = 2_000;

export function createVersions(parts: VersionsParts): Versions {
  const { vault, settings, dataFolder, clock, log } = parts;
  const lifetime = createLifetime();
  const revision = createObservable(0);
  const calls = createCallsUnderWay({
    now: clock.now,
    writtenAt: (path) => writtenAt(vault.root(), path),
  });
  const previews = createPreviews();
  const options = () => settings.get().versions;
  const limits = () => ({ size: options().megabytes * megabyte, age: options().days * day });
  const changed = () => revision.update((n) => n + 1);

  const vaults = createKeptVaults({
    ...{ dataFolder, log, limits, clock, onChange: changed },
    onTrouble: parts.onTrouble,
    onTroubleOver: parts.onTroubleOver,
    onLeftOut: () => current() && disk.opened(),
  });
  lifetime.add(vaults.close);
  let forgotten: string | null = null;
  /** Null: none is open, or another folder stands in its place. */
  const here = () => {
    const id = vault.state.get().kind === 'open' ? vault.id() : null;
    return id === null ? null : vaults.open(vault.root(), id);
  };
  const opened = () => {
    const place = here();
    if (!place) throw new AppError('vault.none', 'No vault is open.', {});
    return place;
  };
  const current = () => {
    const place = here();
    return place === null || place.id === forgotten || !options().keep ? null : place;
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
    diskAuthors: (path) => [...calls.seenNow(path).by],
    files: vault,
    atRest: (record) => seenAtRest(record, newestText(record)?.object, vault),
  });
  lifetime.add(sessions.close);
  const disk = createDiskKeeper({
    vault,
    clock,
    log,
    current,
    openNote: (path) => parts.notes().opened(path),
    seenNow: calls.seenNow,
    largest: () => limits().size,
    tells: parts.tellsOfDisk,
  });
  lifetime.add(disk.close);
  lifetime.add(disk.trouble.onChange(changed));

  /** Tools may have changed files of which nothing was heard yet. */
  let isChangedByCalls = false;
  const hearAll = async () => {
    await inTime(disk.heard());
    await disk.settled();
  };
  const ending = new Set<Promise<unknown>>();

  let creating = 0;
  const restores = createRestores({
    place: opened,
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
    onStands: parts.onStands ?? (() => undefined),
    log,
  });

  async function settled(): Promise<void> {
    await Promise.all(ending);
    sessions.flush(() => true);
    await disk.settled();
    await vaults.settled();
  }

  /** A disk that does not answer costs versions, nothing else. */
  const inTime = (work: Promise<unknown>) =>
    within(
      work.catch((error: unknown) => log.warn('versions not kept in time', { error })),
      parts.longestWait ?? longestWait,
    );

  /** What it finds damaged is told before the app is gone. */
  function whenClosing(work: Promise<unknown>): void {
    const ended = inTime(work).finally(() => ending.delete(ended));
    ending.add(ended);
  }

  const isOpen = (path: string) => parts.notes().opened(path) !== undefined;
  followVault({
    ...{ vault, life: lifetime, disk, current, now: clock.now, inTime, isOpen },
    keepsOpen: sessions.flush,
    isCreating: () => creating > 0,
  });
  let openId: string | null = null;
  lifetime.add(
    vault.state.onChange(() => {
      const place = here();
      const isOpenAlready = place !== null && place.id === openId;
      openId = place?.id ?? null;
      if (!place || isOpenAlready || !options().keep) return;
      // Before anything of this time: what is told of a note is told by its place.
      sessions.followed(null);
      const left = parts.notes().leftOpen();
      if (place.store.isBegun() && parts.tellsOfDisk !== false)
        place.queue.add(async (list) => {
          const moves = await movesWhileOff(list, left, vault, place.store, clock.now());
          sessions.followed(moves);
          return moves.records;
        });
      disk.opened();
      whenClosing(place.store.prune());
      removeAbandoned(dataFolder, folderOf(dataFolder, place.id), clock.now() - limits().age, log);
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

  const state = (): VersionsState => {
    if (!options().keep) return { kind: 'off' };
    const place = current();
    if (!place && vault.state.get().kind === 'open') return elsewhere;
    return place?.queue.failure.get() ?? disk.trouble.get() ?? { kind: 'on' };
  };

  const lists = createLists({ place: here, state, revision, log });

  return {
    observer: {
      ...sessions.observer,
      changing(note, hand) {
        followRuns();
        return sessions.observer.changing(note, hand);
      },
      deleted: (note, isDeleted) => sessions.deleted(note, isDeleted ? disk.deletedBy(note.path) : null),
      async closed(note, end) {
        await sessions.observer.closed(note, end);
        if (end === 'deleted') await disk.closedDeleted(note.path);
      },
    },
    async callBegins(call) {
      if (!current()) return;
      if (call.readOnly) return;
      isChangedByCalls = true;
      let before: KnownNotes | null = null;
      const notesBefore = disk.known().then((notes) => {
        before = notes;
      });
      await inTime(notesBefore);
      calls.begin(call, before);
    },
    callEnds(callId) {
      calls.answered(callId);
      const hearing = inTime(disk.heard()).finally(() => calls.end(callId));
      whenClosing(hearing);
      return hearing;
    },
    whileWriting: calls.whileWriting,
    followTimeline: lists.followTimeline,
    timeline: async (path) => {
      await settled();
      return lists.timeline(path);
    },
    read: (_path, id) => restores.read(id),
    changes: (_path, id) => restores.changes(id),
    preview: restores.preview,
    restore: (path, _id, basis, hunks) => restores.restore(path, basis, hunks),
    followDeleted: lists.followDeleted,
    deleted: async () => {
      await settled();
      return lists.deleted();
    },
    restoreDeleted: restores.restoreDeleted,
    writeAgain: restores.writeAgain,
    answers: restores.answers,
    followRestorable: (path, signal) => lists.followed(() => restores.restorable(path), signal),
    async beforeAnswer(runId) {
      await hearAll();
      return { ...(await restores.beforeAnswer(runId)), state: state() };
    },
    restoreBeforeAnswer: restores.restoreBeforeAnswer,
    async keep(path) {
      const place = here();
      if (place) await readList(place.store, log);
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
      await readList(opened().store, log);
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
      await Promise.all(ending);
      if (isChangedByCalls) await hearAll();
      await disk.settled();
      sessions.flush(() => true);
      await vaults.settled();
      await lifetime.close();
    },
  };
}
