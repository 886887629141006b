import { constants, statSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename, join, resolve as resolvePath } from 'node:path';
import { AppError } from '../../contract/errors';
import type { Brought, VaultState } from '../../contract/vault';
import { expandHome, type FileMark, fileFailure, fileId, folderId, safePath } from '../../files';
import { type Clock, createOneAtATime, createPicture, type Log } from '../foundation';
import type { Trust } from '../settings';
import type { DiskChange, OwnChange, PlannedChange, Vault } from './door';
import { createFiles, type Files } from './files';
import { createListeners } from './listeners';
import { createObserver, type Observer } from './observe';
import { createReturnWatch } from './return-watch';
import { createTree, type Tree } from './tree';
import { type Found, isShown, kindOf, look, settingsFolder } from './walk';

export interface VaultParts {
  readonly log: Log;
  readonly clock: Clock;
  readonly trust: Pick<Trust, 'isTrusted'> & Partial<Pick<Trust, 'wasTrusted'>>;
  /** What the folder brings that can run; left out: nothing that the person has to hear of. */
  readonly brings?: (root: string) => Promise<Brought[]>;
  readonly moveToTrash: (absolutePath: string) => Promise<void>;
  /** Whether the system watches whole trees by itself. */
  readonly recursiveWatch?: boolean;
}

/** All that belongs to one folder while it is the vault. */
interface Opened {
  readonly root: string;
  /** Which folder it is; another one when another one has come back in its place. */
  id: string | null;
  readonly device: number;
  readonly files: Files;
  observer: Observer;
  stopWaiting: (() => void) | null;
}

export function createVault({
  log,
  clock,
  trust,
  brings = async () => [],
  moveToTrash,
  recursiveWatch = process.platform === 'darwin' || process.platform === 'win32',
}: VaultParts): Vault {
  const state = createPicture<VaultState>({ kind: 'none' });
  const diskListeners = createListeners<DiskChange>();
  const ownListeners = createListeners<OwnChange>();
  const planListeners = new Set<(planned: PlannedChange) => Promise<(done: boolean) => void>>();
  const inOrder = createOneAtATime();
  const returns = createReturnWatch(clock);
  let opened: Opened | null = null;
  let reviewWaits = false;
  // One tree for all vaults, so that followers stay when the vault changes.
  const tree: Tree = createTree();

  function present(): Opened {
    if (!opened) throw new AppError('vault.none', 'No vault is open.', {});
    return opened;
  }

  function observe(root: string): Observer {
    return createObserver({
      root,
      id: folderId(root),
      tree,
      log,
      clock,
      recursive: recursiveWatch,
      onDiskChange(change) {
        diskListeners.tell(change);
        const isOwn = (path: string) => path === settingsFolder || path.startsWith(`${settingsFolder}/`);
        if ([...change.changed, ...change.removed].some(isOwn)) reviewSoon(root);
      },
      onRootGone: lose,
    });
  }

  /** What the folder brings may be something else by now. */
  function reviewSoon(root: string): void {
    if (reviewWaits) return;
    reviewWaits = true;
    void inOrder('vault', async () => {
      reviewWaits = false;
      const before = state.get();
      if (before.kind !== 'open' || opened?.root !== root) return;
      const now = await brings(root);
      if (state.get() === before && JSON.stringify(now) !== JSON.stringify(before.brings))
        state.set({ ...before, brings: now });
    }).catch((error: unknown) => log.warn('what the folder brings not read', { error }));
  }

  function lose(): void {
    const vault = opened;
    if (!vault || state.get().kind !== 'open') return;
    log.warn('vault lost', { root: vault.root });
    vault.observer.close();
    state.set({ kind: 'lost', path: vault.root, reason: 'The folder is not there any more.' });
    vault.stopWaiting = returns.wait(vault, async () => {
      if (opened !== vault) return;
      vault.id = folderId(vault.root);
      vault.observer = observe(vault.root);
      const change = await vault.observer.start();
      await announce(vault);
      diskListeners.tell(change);
    });
  }

  async function announce({ root }: Opened): Promise<void> {
    const before = state.get();
    const writable = await access(root, constants.W_OK).then(
      () => true,
      () => false,
    );
    const trusted = trust.isTrusted(root);
    const wasTrusted = !trusted && trust.wasTrusted?.(root) === true;
    const brought = await brings(root);
    // It may be gone meanwhile.
    if (state.get() !== before) return;
    state.set({
      kind: 'open',
      path: root,
      name: basename(root),
      trusted,
      ...(wasTrusted && { wasTrusted }),
      brings: brought,
      writable,
    });
  }

  async function close(): Promise<void> {
    opened?.observer.close();
    opened?.stopWaiting?.();
    opened = null;
    tree.replaceAll([]);
    state.set({ kind: 'none' });
  }

  async function check(absolutePath: string): Promise<{ root: string; device: number }> {
    const root = resolvePath(expandHome(absolutePath));
    const failed = (error: unknown) => {
      throw fileFailure(error, root);
    };
    const stats = await stat(root).catch(failed);
    if (!stats.isDirectory())
      throw new AppError('vault.not-a-folder', `“${root}” is a file, not a folder.`, { path: root });
    await access(root, constants.R_OK | constants.X_OK).catch(failed);
    return { root, device: stats.dev };
  }

  async function open(absolutePath: string): Promise<void> {
    const { root, device } = await check(absolutePath);
    await close();
    state.set({ kind: 'opening', path: root });
    const vault = {
      root,
      id: folderId(root),
      device,
      files: createFiles(root),
      observer: observe(root),
      stopWaiting: null,
    };
    opened = vault;
    try {
      await vault.observer.start();
    } catch (error) {
      await close();
      throw fileFailure(error, root);
    }
    await announce(vault);
  }

  /** File work of the app: a failure may mean that the whole folder is gone. */
  async function work<T>(task: (vault: Opened) => Promise<T>): Promise<T> {
    const vault = present();
    try {
      return await task(vault);
    } catch (error) {
      if (!statSync(vault.root, { throwIfNoEntry: false })?.isDirectory()) lose();
      throw error;
    }
  }

  /** Folders on the way to `path` that are new in the tree. */
  function newFolders({ root }: Opened, path: string): Found[] {
    const found: Found[] = [];
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at);
      const there = tree.get(folder) ? null : look(root, folder);
      if (there) found.push(there);
    }
    return found;
  }

  const noteWritten = (vault: Opened) => (path: string, mark: Pick<FileMark, 'size' | 'mtimeMs' | 'ino'>) => {
    if (opened !== vault || !isShown(path)) return;
    const entry = { path, kind: kindOf(path), size: mark.size, modified: mark.mtimeMs };
    vault.observer.noteOwn([...newFolders(vault, path), { entry, ino: mark.ino }], []);
  };

  const clean = (path: string) =>
    path
      .split('/')
      .filter((part) => part !== '' && part !== '.')
      .join('/');

  async function create(given: string, data: string | Uint8Array): Promise<{ path: string }> {
    return work((vault) =>
      vault.files.create(clean(given), data, tree.hasTwin, (path, mark) => {
        noteWritten(vault)(path, mark);
        if (opened === vault) ownListeners.tell({ kind: 'created', path });
      }),
    );
  }

  /** Who heard of it last hears first how it ended. */
  async function asPlanned(planned: PlannedChange, change: () => Promise<void>): Promise<void> {
    const ends: ((done: boolean) => void)[] = [];
    let done = false;
    try {
      for (const listener of [...planListeners]) ends.unshift(await listener(planned));
      await change();
      done = true;
    } finally {
      for (const end of ends) end(done);
    }
  }

  return {
    state,
    check: async (path) => (await check(path)).root,
    open: (path) => inOrder('vault', () => open(path)),
    close: () => inOrder('vault', close),
    reviewTrust: () => inOrder('vault', () => announce(present())),
    root: () => present().root,
    id: () => (opened && opened.id === folderId(opened.root) ? opened.id : null),
    entries: tree.entries,
    folders: tree.folders,
    followEntries: tree.follow,
    resolve: (path) => work(({ root }) => safePath(root, path)),
    read: (path) =>
      work(async ({ files, observer }) => {
        const read = await files.read(path);
        // Newer than the last event: who reads it must also hear if it goes again.
        if (isShown(clean(path)) && !tree.get(clean(path))) await observer.refresh([clean(path)]);
        return read;
      }),
    readBytes: (path, limit) => work(({ files }) => files.readBytes(path, limit)),
    mayWrite: (path) => work(({ files }) => files.mayWrite(path)),
    write: (given, text, expectedVersion) => {
      const path = clean(given);
      return inOrder(`write ${path}`, () =>
        work(async (vault) => {
          let replaced: string | null = null;
          const written = await vault.files.write(path, text, expectedVersion, (path, mark, before) => {
            replaced = before;
            noteWritten(vault)(path, mark);
          });
          const { version, file } = written;
          ownListeners.tell({ kind: 'written', path, version, text, file, replaced });
          return written;
        }),
      );
    },
    create,
    writeBytes: create,
    createFolder: (given) =>
      work(async (vault) => {
        const path = clean(given);
        await vault.files.createFolder(path);
        if (isShown(path)) vault.observer.noteOwn(newFolders(vault, `${path}/`), []);
      }),
    rename: (givenFrom, givenTo) =>
      work(async (vault) => {
        const [from, to] = [clean(givenFrom), clean(givenTo)];
        await asPlanned({ kind: 'rename', from, to }, () => vault.files.rename(from, to));
        const moved = tree.under(from);
        const there = moved.flatMap((path) => look(vault.root, to + path.slice(from.length)) ?? []);
        vault.observer.noteOwn([...newFolders(vault, to), ...there], moved);
        ownListeners.tell({ kind: 'renamed', from, to });
      }),
    trash: (given) =>
      work(async (vault) => {
        const path = clean(given);
        const absolute = await safePath(vault.root, path);
        if (path === '')
          throw new AppError('vault.outside', 'The vault itself is not put in the trash.', { path });
        if (!look(vault.root, path))
          throw new AppError('vault.not-found', `“${path}” is not there.`, { path });
        await asPlanned({ kind: 'trash', path }, () => moveToTrash(absolute));
        const gone = tree.under(path);
        vault.observer.noteOwn([], gone);
        ownListeners.tell({ kind: 'trashed', path });
      }),
    sweep: async () => {
      if (state.get().kind === 'open') await opened?.observer.sweep();
    },
    onDiskChange: diskListeners.add,
    beforeOwnChange(listener) {
      planListeners.add(listener);
      return () => planListeners.delete(listener);
    },
    onOwnChange: ownListeners.add,
    findLinked: tree.findLinked,
    fileAt(path) {
      const there = opened && statSync(join(opened.root, path), { throwIfNoEntry: false });
      return there?.isFile() ? fileId(there) : null;
    },
    whereIs(file) {
      if (!opened) return null;
      for (const path of tree.pathsOf(Number(file.split(':')[0]))) {
        const there = statSync(join(opened.root, path), { throwIfNoEntry: false });
        if (there && fileId(there) === file) return path;
      }
      return null;
    },
  };
}
