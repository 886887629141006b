import { basename } from 'node:path';
import { AppError } from '../../contract/errors';
import type { Chat, RetryLater } from '../chat';
import { type Clock, type Database, throwUnlessSeen } from '../foundation';
import type { Mcp } from '../mcp';
import type { Notes } from '../notes';
import { isOfVault, type Notices } from '../notices';
import type { SettingsStore } from '../settings';
import type { Trust } from '../trust';
import { takeOverRows, type Vault, vaultKey } from '../vault';
import { followLostFolder } from './lost-folder';

const remembered = 12;

/** Opening and leaving vaults, with all that follows a vault: its sessions, its servers, its place in the list. */
export interface VaultVisits {
  /**
   * `absolutePath` replaces the vault that is open; the folder that was opened. Throws `vault.busy` where that would stop an
   * answer, unless `force` says that it may.
   */
  openVault(absolutePath: string, options?: { force?: boolean }): Promise<string>;
  openSampleVault(options?: { force?: boolean }): Promise<string>;
  /** Lets its folder go, so that its disk can be taken out. Throws as `openVault`. */
  closeVault(options?: { force?: boolean }): Promise<void>;
  recentVaults(): { path: string; name: string }[];
  /**
   * Says whether what the vault at `path` brings may run: of it, what has one of the `agreed` fingerprints. Throws
   * `settings.changed` where another one is open.
   */
  trustVault(path: string, trusted: boolean, agreed: readonly string[]): Promise<void>;
}

/** Long, since opening, leaving and trusting a vault take the same steps, one at a time and in one order. */
export function createVaultVisits({
  vault,
  notes,
  mcp,
  chat,
  retryLater,
  settings,
  trust,
  database,
  notices,
  clock,
  copySample,
  inOrder,
}: {
  vault: Vault;
  notes: Notes;
  mcp: Mcp;
  chat: Chat;
  retryLater: RetryLater;
  settings: SettingsStore;
  trust: Trust;
  database: Database;
  notices: Pick<Notices, 'withdraw'>;
  clock: Clock;
  /** Where it is, once it is there. */
  copySample: () => Promise<string>;
  inOrder: <T>(key: string, work: () => Promise<T>) => Promise<T>;
}): VaultVisits {
  async function tellServers(): Promise<void> {
    const state = vault.state.get();
    await mcp.useVault(
      state.kind === 'open' ? { root: vault.root(), pins: trust.pinsOf(vault.root()) } : null,
    );
  }

  function refuseWhileWriting(): void {
    const live = chat.runs.get().filter(({ finishedAt }) => finishedAt === null);
    if (live.length === 0) return;
    const paths = [...new Set(live.map(({ path }) => path))];
    throw new AppError('vault.busy', `An answer is being written in ${paths.join(', ')}.`, { notes: paths });
  }

  async function leave(next: () => Promise<void>, force: boolean): Promise<string | null> {
    if (!force) refuseWhileWriting();
    const state = vault.state.get();
    await chat.stopAll();
    await notes.leaveVault(next);
    return state.kind === 'open' ? state.path : null;
  }

  async function close(force: boolean): Promise<void> {
    await leave(vault.close, force);
    notices.withdraw(isOfVault);
    await tellServers();
  }

  async function enter(absolutePath: string, force: boolean): Promise<string> {
    const next = await vault.check(absolutePath);
    const former = await leave(() => vault.open(next), force);
    if (former !== null && former !== vault.root()) notices.withdraw(isOfVault);
    const recovered = await notes.recover();
    const root = vault.root();
    takeOverRows(database, vault, ['usage', 'tool_tasks', 'hook_runs', 'hook_seen']);
    await chat.markLeft(root, recovered);
    const { recentVaults } = settings.current.get();
    try {
      settings.change({
        recentVaults: [root, ...recentVaults.filter((path) => path !== root)].slice(0, remembered),
      });
    } catch {
      // Settings that can't be written keep no vault shut.
    }
    // Returns before the servers are up: the notes can be read and written meanwhile.
    await tellServers();
    resumeTasks();
    retryLater.resume();
    return root;
  }

  /** Not before the servers of the vault may run: until then they are unknown. */
  function resumeTasks(): void {
    const waits = mcp.servers.get().problems.some(({ kind }) => kind === 'waits');
    if (!waits) chat.resumeTasks(vaultKey(vault));
  }

  followLostFolder(vault, clock, () => void inOrder('vault', tellServers));

  return {
    openVault: (absolutePath, { force = false } = {}) => inOrder('vault', () => enter(absolutePath, force)),
    openSampleVault: ({ force = false } = {}) =>
      inOrder('vault', async () => {
        if (!force) refuseWhileWriting();
        return enter(await copySample(), force);
      }),
    closeVault: ({ force = false } = {}) => inOrder('vault', () => close(force)),
    recentVaults: () => settings.current.get().recentVaults.map((path) => ({ path, name: basename(path) })),
    trustVault: (path, trusted, agreed) =>
      inOrder('vault', async () => {
        throwUnlessSeen(path, vault.root());
        const state = vault.state.get();
        const things = state.kind === 'open' ? state.contributions : [];
        trust.setTrusted(vault.root(), trusted);
        trust
          .pinsOf(vault.root())
          ?.agree(
            things.filter(
              ({ consent, fingerprint }) => consent.kind === 'given' || agreed.includes(fingerprint),
            ),
          );
        await vault.reviewTrust();
        await tellServers();
        resumeTasks();
      }),
  };
}
