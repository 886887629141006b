import { rm } from 'node:fs/promises';
import type { VersionsState } from '../../contract/versions';
import { createLifetime, createObservable } from '../foundation';
import { createPreviews } from './compare/previews';
import { createDeadlines } from './deadlines';
import { createKeptVaults } from './keep/kept-vaults';
import { createLists, readList } from './list/lists';
import { createMakers } from './makers';
import { createOpenVault } from './open-vault';
import { createRestores } from './restore/restores';
import { entriesMeant } from './store/forget';
import { folderOf } from './store/store';
import type { Versions, VersionsParts } from './versions';

const day = 86_400_000;
const megabyte = 1_048_576;
const elsewhere: VersionsState = {
  kind: 'failing',
  state: 'busy',
  reason: 'Another folder stands where the vault was.',
};
const longestWait = 2_000;

/** Long, since it joins what makes, lists and restores versions in one place. */
export function createVersions(parts: VersionsParts): Versions {
  const { vault, settings, dataFolder, clock, log } = parts;
  const lifetime = createLifetime();
  const revision = createObservable(0);
  const changed = () => revision.update((n) => n + 1);
  const options = () => settings.get().versions;
  const limits = () => ({ size: options().megabytes * megabyte, age: options().days * day });
  const deadlines = createDeadlines(log, parts.longestWait ?? longestWait);

  const vaults = createKeptVaults({
    ...{ dataFolder, log, limits, clock, onChange: changed },
    onTrouble: parts.onTrouble,
    onTroubleOver: parts.onTroubleOver,
    onLeftOut: () => current() && disk.opened(),
    onToolWrote: parts.onToolWrote,
  });
  lifetime.add(vaults.close);
  const open = createOpenVault({ vault, vaults, keeps: () => options().keep });
  const { here, required, current } = open;

  let creating = 0;
  const makers = createMakers(parts, {
    ...{ life: lifetime, open, deadlines, limits },
    isCreating: () => creating > 0,
    onChange: changed,
  });
  const { sessions, disk, toolCalls } = makers;

  async function settled(): Promise<void> {
    await deadlines.ended();
    sessions.flush(() => true);
    await disk.settled();
    await vaults.settled();
  }

  const restores = createRestores({
    ...{ keptVault: required, settled, vault, log },
    notes: parts.notes,
    previews: createPreviews(),
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
  });

  const state = (): VersionsState => {
    if (!options().keep) return { kind: 'off' };
    const keptVault = current();
    if (!keptVault && vault.state.get().kind === 'open') return elsewhere;
    return keptVault?.queue.failure.get() ?? disk.trouble.get() ?? { kind: 'on' };
  };
  const lists = createLists({ keptVault: here, state, revision, log });

  return {
    observer: makers.observer,
    callBegins: toolCalls.callBegins,
    callEnds: toolCalls.callEnds,
    whileWriting: makers.whileWriting,
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
      await toolCalls.hearAll();
      return { ...(await restores.beforeAnswer(runId)), state: state() };
    },
    restoreBeforeAnswer: restores.restoreBeforeAnswer,
    async keep(path) {
      const keptVault = here();
      if (keptVault) await readList(keptVault.store, log);
      await disk.keepUnder(path);
      await settled();
    },
    async keepAll() {
      await disk.sweep();
      await settled();
    },
    async forgetVault() {
      const { id } = open.forget();
      await vaults.settled();
      await rm(folderOf(dataFolder, id), { recursive: true, force: true });
    },
    async forget(what) {
      await settled();
      await readList(required().store, log);
      let forgotten = 0;
      await required().store.forget((list) => {
        const entries = entriesMeant(list, what);
        forgotten = entries.filter(({ kind }) => kind === 'text').length;
        return entries;
      });
      changed();
      return { forgotten };
    },
    settled,
    async close() {
      await deadlines.ended();
      if (toolCalls.mayHaveChanged()) await toolCalls.hearAll();
      await disk.settled();
      sessions.flush(() => true);
      await vaults.settled();
      await lifetime.close();
    },
  };
}
