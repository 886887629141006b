import { constants, statSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename, join, resolve as resolvePath } from 'node:path';
import { AppError } from '../../contract/errors';
import type { Brought, VaultState } from '../../contract/vault';
import {
  expandHome,
  type FileMark,
  fileFailure,
  fileId,
  inodeOf,
  inVaultTerms,
  isOpenForWriting,
  type RootFolder,
  rootFolder,
  safePath,
} from '../../files';
import { type Clock, createObservable, createOneAtATime, type Log } from '../foundation';
import type { Trust } from '../trust';
import { createFiles, decode, type Files, type Replaced } from './files/files';
import { createReplacedFiles, type LateWrite, type ReplacedFiles } from './files/replaced-files';
import { createSuccessors } from './files/successors';
import { createListeners } from './listeners';
import { createTree, type Tree } from './tree/tree';
import { type Found, isShown, kindOf, look as lookAt, settingsFolder } from './tree/walk';
import type { OwnChange, PlannedChange, Vault } from './vault';
import { createObserver, type DiskChange, type Observer } from './watch/observe';
import { createReturnWatch, type Instead, movedBeside } from './watch/return-watch';
import { createSweeps, type Sweeps } from './watch/sweeps';

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
  /** Another one where its disk gave it another number when it came back. */
  home: RootFolder;
  files: Files;
  replaced: ReplacedFiles;
  observer: Observer;
  sweeps: Sweeps;
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
  const state = createObservable<VaultState>({ kind: 'none' });
  const diskListeners = createListeners<DiskChange>();
  const ownListeners = createListeners<OwnChange>();
  const lateListeners = createListeners<LateWrite>();
  const planListeners = new Set<(planned: PlannedChange) => Promise<(done: boolean) => void>>();
  const inOrder = createOneAtATime();
  const returns = createReturnWatch(clock);
  const successors = createSuccessors();
  let opened: Opened | null = null;
  let reviewWaits = false;
  // One tree for all vaults, so that followers stay when the vault changes.
  const tree: Tree = createTree(clock);

  function present(): Opened {
    if (!opened) throw new AppError('vault.none', 'No vault is open.', {});
    return opened;
  }

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
    if (opened?.observer === observer) await reviewWritable(opened);
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
    const before = state.get();
    if (!vault || before.kind !== 'open') return;
    log.warn('vault lost', { root: vault.root });
    leaveFolder(vault);
    const { path: root, name } = before;
    const lost = { root, id: vault.home.id, entries: [...tree.entries()] };
    let lostState: Extract<VaultState, { kind: 'lost' }> = {
      ...{ kind: 'lost', path: root, name, instead: 'nothing', movedTo: null },
    };
    const show = (changes: { instead?: Exclude<Instead, 'vault'>; movedTo?: string | null }) => {
      const next = { ...lostState, ...changes };
      const isSame = next.instead === lostState.instead && next.movedTo === lostState.movedTo;
      if (isSame || opened !== vault || state.get() !== lostState) return;
      lostState = next;
      state.set(next);
    };
    state.set(lostState);
    void movedBeside(lost).then((movedTo) => show({ movedTo }));
    vault.stopWaiting = returns.wait(lost, {
      onInstead: (instead) => instead !== 'vault' && show({ instead }),
      async onBack() {
        if (opened !== vault) return;
        Object.assign(vault, enterFolder(root));
        const change = await vault.observer.start().catch((error: unknown) => {
          leaveFolder(vault);
          throw error;
        });
        if (opened !== vault) return;
        await announce(vault);
        diskListeners.tell(change);
      },
    });
  }

  async function announce({ root }: Opened): Promise<void> {
    const before = state.get();
    const writable = await isWritable(root);
    const trusted = trust.isTrusted(root);
    const wasTrusted = !trusted && trust.wasTrusted?.(root) === true;
    const contents = await brings(root);
    // It may be gone meanwhile.
    if (state.get() !== before) return;
    state.set({
      kind: 'open',
      path: root,
      name: basename(root),
      trusted,
      ...(wasTrusted && { wasTrusted }),
      brings: contents,
      writable,
    });
  }

  async function reviewWritable({ root }: Opened): Promise<void> {
    const before = state.get();
    if (before.kind !== 'open') return;
    const writable = await isWritable(root);
    if (state.get() === before && writable !== before.writable) state.set({ ...before, writable });
  }

  async function close(): Promise<void> {
    if (opened) leaveFolder(opened);
    opened?.stopWaiting?.();
    opened = null;
    successors.clear();
    tree.clear();
    state.set({ kind: 'none' });
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

  async function open(absolutePath: string): Promise<void> {
    const root = await check(absolutePath);
    await close();
    state.set({ kind: 'opening', path: root });
    const vault: Opened = { root, ...enterFolder(root), stopWaiting: null };
    opened = vault;
    try {
      await vault.observer.start();
    } catch (error) {
      await close();
      throw fileFailure(error, root);
    }
    await announce(vault);
  }

  /** A failure may mean that the whole folder is gone, and is then told as that. */
  async function work<T>(task: (vault: Opened) => Promise<T>): Promise<T> {
    const vault = present();
    try {
      vault.home.check();
      return await task(vault);
    } catch (error) {
      checkStands(vault);
      throw error;
    }
  }

  function checkStands(vault: Opened): void {
    if (vault.home.stands()) return;
    if (opened === vault) lose();
    vault.home.check();
  }

  /** What was read while another folder stood there is not the vault's. */
  async function look<T>(task: (vault: Opened) => Promise<T>): Promise<T> {
    return work(async (vault) => {
      const outcome = await task(vault);
      vault.home.check();
      return outcome;
    });
  }

  /** Folders on the way to `path` that are new in the tree. */
  function newFolders({ root }: Opened, path: string): Found[] {
    const entries: Found[] = [];
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at);
      const there = tree.get(folder) ? null : lookAt(root, folder);
      if (there) entries.push(there);
    }
    return entries;
  }

  const noteWritten = (vault: Opened) => (path: string, mark: FileMark) => {
    if (opened !== vault || !isShown(path)) return;
    const entry = { path, kind: kindOf(path), size: mark.size, modified: mark.mtimeMs };
    const access = lookAt(vault.root, path)?.access ?? '';
    const { ino, birthtimeMs: born } = mark;
    vault.observer.noteOwn([...newFolders(vault, path), { entry, ino, born, access }], []);
  };

  const clean = (path: string) =>
    path
      .split('/')
      .filter((part) => part !== '' && part !== '.')
      .join('/');

  async function create(rawPath: string, data: string | Uint8Array): Promise<{ path: string }> {
    return work((vault) =>
      vault.files.create(clean(rawPath), data, tree.hasTwin, (path, mark) => {
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
    reviewTrust: () => inOrder('vault', () => announce(present())),
    root: () => present().root,
    id: () => (opened?.home.stands() ? opened.home.id : null),
    entries: tree.entries,
    folders: tree.folders,
    followEntries: tree.follow,
    resolve: (path) => look(({ root }) => safePath(root, path)),
    read: async (path) => {
      const { bytes, ...read } = await readRaw(path);
      return { text: decode(bytes, path), ...read };
    },
    readRaw,
    readBytes: (path, limit) => look(({ files }) => files.readBytes(path, limit)),
    mayWrite: (path) => look(({ files }) => files.mayWrite(path)),
    isOpenForWriting: async (path) => isOpenForWriting(join(present().root, path)),
    write: (rawPath, text, expectedVersion) => {
      const path = clean(rawPath);
      return inOrder(`write ${path}`, () =>
        work(async (vault) => {
          let before: Replaced | null = null;
          const result = await vault.files.write(path, text, expectedVersion, (path, mark, replaced) => {
            before = replaced;
            if (replaced) successors.add(replaced.file, fileId(mark));
            for (const each of [path, ...(replaced?.linked ?? [])]) noteWritten(vault)(each, mark);
          });
          const { version, file } = result;
          const {
            file: replaced = null,
            linked = [],
            linksElsewhere = 0,
          } = (before as Replaced | null) ?? {};
          const asString = () =>
            typeof text === 'string' ? text : Buffer.concat(text.pieces).toString('utf8');
          const change = { version, text: asString, file, replaced };
          ownListeners.tell({ kind: 'written', ...change, path, linksElsewhere });
          for (const other of linked) ownListeners.tell({ kind: 'linked', ...change, path: other });
          return result;
        }),
      );
    },
    create,
    writeBytes: create,
    createFolder: (rawPath) =>
      work(async (vault) => {
        const path = clean(rawPath);
        await vault.files.createFolder(path);
        if (isShown(path)) vault.observer.noteOwn(newFolders(vault, `${path}/`), []);
      }),
    rename: (givenFrom, givenTo) =>
      work(async (vault) => {
        const [from, to] = [clean(givenFrom), clean(givenTo)];
        const noteRenamed = () => {
          const moved = tree.under(from);
          const there = moved.flatMap((path) => lookAt(vault.root, to + path.slice(from.length)) ?? []);
          vault.observer.noteOwn([...newFolders(vault, to), ...there], moved);
        };
        await asPlanned({ kind: 'rename', from, to }, () => vault.files.rename(from, to, noteRenamed));
        ownListeners.tell({ kind: 'renamed', from, to });
      }),
    trash: (rawPath) =>
      work(async (vault) => {
        const path = clean(rawPath);
        const absolute = await safePath(vault.root, path);
        if (path === '')
          throw new AppError('vault.outside', 'The vault itself is not put in the trash.', { path });
        if (!lookAt(vault.root, path))
          throw new AppError('vault.not-found', `“${path}” is not there.`, { path });
        await asPlanned({ kind: 'trash', path }, async () => {
          vault.home.check();
          await inVaultTerms(path, () => moveToTrash(absolute));
        });
        const gone = tree.under(path);
        vault.observer.noteOwn([], gone);
        ownListeners.tell({ kind: 'trashed', path });
      }),
    sweep: async () => {
      if (state.get().kind === 'open') await opened?.observer.sweep();
    },
    lookAround: async () => {
      if (state.get().kind === 'open') await opened?.sweeps.ask();
    },
    onDiskChange: diskListeners.add,
    beforeOwnChange(listener) {
      planListeners.add(listener);
      return () => planListeners.delete(listener);
    },
    onOwnChange: ownListeners.add,
    onLateWrite: lateListeners.add,
    findLinked: tree.findLinked,
    isOf({ root, id }) {
      if (!opened) return false;
      const { home } = opened;
      if (id !== null && id === home.id) return true;
      const now = state.get();
      const isTrusted = now.kind === 'open' && now.trusted;
      return root === home.path && (id === null || home.id === null || isTrusted);
    },
    fileAt: (path) => opened && fileAt(opened.root, path),
    succeeds: (file, former) => [...successors.from(former)].includes(file),
    wasElsewhere: (file, path) =>
      [...tree.pathsOf(inodeOf(file)), tree.formerly(file)?.path ?? path].some((other) => other !== path),
    isMovedNote(file, path) {
      const was = tree.formerly(file);
      return (
        was !== null &&
        !was.isNew &&
        was.path !== path &&
        !tree.pathsOf(inodeOf(file)).some((other) => other !== path)
      );
    },
    whereIs(file) {
      if (!opened) return null;
      const { root } = opened;
      for (const one of successors.from(file)) {
        const path = tree.pathsOf(inodeOf(one)).find((candidate) => fileAt(root, candidate) === one);
        if (path !== undefined) return path;
      }
      return null;
    },
  };
}

/** Null also where it can't be looked at: a path that leads in a circle, or is too long. */
function fileAt(root: string, path: string): string | null {
  try {
    const there = statSync(join(root, path), { throwIfNoEntry: false });
    return there?.isFile() ? fileId(there) : null;
  } catch {
    return null;
  }
}

const isWritable = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
