import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { join, resolve as resolvePath } from 'node:path';
import { AppError } from '../../contract/errors';
import { isUnder } from '../../contract/paths';
import type { ContributionEntry, VaultState } from '../../contract/vault';
import {
  expandHome,
  fileFailure,
  isOpenForWriting,
  type RootFolder,
  rootFolder,
  safePath,
} from '../../files';
import { type Clock, createObservable, createOneAtATime, type Log } from '../foundation';
import type { Trust } from '../trust';
import { createFilePlaces } from './file-places';
import { createFiles, decode } from './files/files';
import { createReplacedFiles, type LateWrite } from './files/replaced-files';
import { createSuccessors } from './files/successors';
import { createFolderGuard } from './folder-guard';
import { createListeners } from './listeners';
import { createLoss } from './lost-vault';
import type { Current, Opened } from './opened';
import { clean, createOwnChanges } from './own-changes';
import { createReview } from './review';
import { createTree, type Tree } from './tree/tree';
import { isShown, settingsFolder } from './tree/walk';
import type { OwnChange, Vault } from './vault';
import { createObserver, type DiskChange, type Observer } from './watch/observe';
import { createSweeps } from './watch/sweeps';

export interface VaultParts {
  readonly log: Log;
  readonly clock: Clock;
  readonly trust: Pick<Trust, 'isTrusted'> & Partial<Pick<Trust, 'wasTrusted'>>;
  /** What the folder brings that can run; left out: nothing that the person has to hear of. */
  readonly contributions?: (root: string) => Promise<ContributionEntry[]>;
  readonly moveToTrash: (absolutePath: string) => Promise<void>;
  /** Whether the system watches whole trees by itself. */
  readonly recursiveWatch?: boolean;
}

/** Long, since it joins all that is done in one folder, and is one list of operations. */
export function createVault({
  log,
  clock,
  trust,
  contributions = async () => [],
  moveToTrash,
  recursiveWatch = process.platform === 'darwin' || process.platform === 'win32',
}: VaultParts): Vault {
  const current: Current = { vault: null, state: createObservable<VaultState>({ kind: 'none' }) };
  const { state } = current;
  const diskListeners = createListeners<DiskChange>();
  const ownListeners = createListeners<OwnChange>();
  const lateListeners = createListeners<LateWrite>();
  const plans = new Set<Parameters<Vault['beforeOwnChange']>[0]>();
  const inOrder = createOneAtATime();
  const successors = createSuccessors();
  // One tree for all vaults, so that followers stay when the vault changes.
  const tree: Tree = createTree(clock);
  const review = createReview({ current, trust, contributions, inOrder, log });
  const lose = createLoss({
    ...{ current, tree, clock, log, enter: enterFolder, leave: leaveFolder },
    announce: review.announce,
    onBack: diskListeners.tell,
  });
  const { present, work, look } = createFolderGuard(current, lose);

  /** What has to be made anew for a folder that came back. */
  function enterFolder(root: string): Pick<Opened, 'home' | 'files' | 'replaced' | 'observer' | 'sweeps'> {
    const home = rootFolder(root);
    const observer = observe(home);
    const sweeps = createSweeps({ root, clock, sweep: () => sweepWhole(observer) });
    const replaced = createReplacedFiles(clock, lateListeners.tell);
    return { home, files: createFiles(home, replaced, tree.pathsOf), replaced, observer, sweeps };
  }

  async function sweepWhole(observer: Observer): Promise<void> {
    await observer.sweep();
    if (current.vault?.observer === observer) await review.writable(current.vault);
  }

  function leaveFolder({ observer, replaced, sweeps }: Opened): void {
    observer.close();
    replaced.close();
    sweeps.close();
  }

  function observe(home: RootFolder): Observer {
    const root = home.path;
    return createObserver({
      home,
      tree,
      log,
      clock,
      recursive: recursiveWatch,
      onDiskChange(change) {
        diskListeners.tell(change);
        const isOwn = (path: string) => isUnder(path, settingsFolder);
        if ([...change.changed, ...change.removed].some(isOwn)) review.soon(root);
      },
      onRootGone: lose,
    });
  }

  async function close(): Promise<void> {
    if (current.vault) leaveFolder(current.vault);
    current.vault?.stopWaiting?.();
    current.vault = null;
    successors.clear();
    tree.clear();
    state.set({ kind: 'none' });
  }

  async function open(absolutePath: string): Promise<void> {
    const root = await check(absolutePath);
    await close();
    state.set({ kind: 'opening', path: root });
    const vault: Opened = { root, ...enterFolder(root), stopWaiting: null };
    current.vault = vault;
    try {
      await vault.observer.start();
    } catch (error) {
      await close();
      throw fileFailure(error, root);
    }
    await review.announce(vault);
  }

  const readRaw: Vault['readRaw'] = (path) =>
    look(async ({ files, observer }) => {
      const file = await files.readRaw(path);
      // Newer than the last event: who reads it must also hear if it goes again.
      if (isShown(clean(path)) && !tree.get(clean(path))) await observer.refresh([clean(path)]);
      return file;
    });

  return {
    state,
    check,
    open: (path) => inOrder('vault', () => open(path)),
    close: () => inOrder('vault', close),
    reviewTrust: () => inOrder('vault', () => review.announce(present())),
    root: () => present().root,
    id: () => (current.vault?.home.stands() ? current.vault.home.id : null),
    entries: tree.entries,
    folders: tree.folders,
    followEntries: tree.follow,
    resolve: (path) => look(({ root }) => safePath(root, path)),
    read: async (path) => {
      const { bytes, ...facts } = await readRaw(path);
      return { text: decode(bytes, path), ...facts };
    },
    readRaw,
    readBytes: (path, limit) => look(({ files }) => files.readBytes(path, limit)),
    mayWrite: (path) => look(({ files }) => files.mayWrite(path)),
    isOpenForWriting: async (path) => isOpenForWriting(join(present().root, path)),
    ...createOwnChanges({
      ...{ current, tree, successors, work, inOrder, moveToTrash, plans },
      onOwnChange: ownListeners.tell,
    }),
    ...createFilePlaces(current, tree, successors),
    sweep: async () => {
      if (state.get().kind === 'open') await current.vault?.observer.sweep();
    },
    lookAround: async () => {
      if (state.get().kind === 'open') await current.vault?.sweeps.ask();
    },
    onDiskChange: diskListeners.add,
    beforeOwnChange(listener) {
      plans.add(listener);
      return () => plans.delete(listener);
    },
    onOwnChange: ownListeners.add,
    onLateWrite: lateListeners.add,
    findLinked: tree.findLinked,
    isOf({ root, id }) {
      if (!current.vault) return false;
      const { home } = current.vault;
      if (id !== null && id === home.id) return true;
      const now = state.get();
      const isTrusted = now.kind === 'open' && now.trusted;
      return root === home.path && (id === null || home.id === null || isTrusted);
    },
  };
}

async function check(absolutePath: string): Promise<string> {
  const root = resolvePath(expandHome(absolutePath));
  const failed = (error: unknown) => {
    throw fileFailure(error, root);
  };
  const stats = await stat(root).catch(failed);
  if (!stats.isDirectory())
    throw new AppError('vault.not-a-folder', `“${root}” is a file, not a folder.`, { path: root });
  await access(root, constants.R_OK | constants.X_OK).catch(failed);
  return root;
}
