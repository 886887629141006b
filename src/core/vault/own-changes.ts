import { AppError } from '../../contract/errors';
import { movedPath } from '../../contract/paths';
import { type FileMark, fileId, inVaultTerms, safePath } from '../../files';
import type { Successors } from './files/successors';
import type { Replaced } from './files/text-writer';
import type { FolderGuard } from './folder-guard';
import type { Current, Opened } from './opened';
import type { Tree } from './tree/tree';
import { type Found, isShown, kindOf, look as lookAt } from './tree/walk';
import type { OwnChange, PlannedChange, Vault } from './vault';

/** What the app itself does to files of the vault: in the tree at once, and told. */
export type OwnChanges = Pick<Vault, 'write' | 'create' | 'writeBytes' | 'createFolder' | 'rename' | 'trash'>;

/** One list of operations: each is told in the moment in which it has happened. */
export function createOwnChanges({
  current,
  tree,
  successors,
  work,
  inOrder,
  moveToTrash,
  plans,
  onOwnChange,
}: {
  current: Current;
  tree: Tree;
  successors: Pick<Successors, 'add'>;
  work: FolderGuard['work'];
  inOrder: <T>(key: string, work: () => Promise<T>) => Promise<T>;
  moveToTrash: (absolutePath: string) => Promise<void>;
  /** Who is told before a note is renamed or trashed. */
  plans: ReadonlySet<Parameters<Vault['beforeOwnChange']>[0]>;
  onOwnChange: (change: OwnChange) => void;
}): OwnChanges {
  const noteWritten = (vault: Opened) => (path: string, mark: FileMark) => {
    if (current.vault !== vault || !isShown(path)) return;
    const entry = { path, kind: kindOf(path), size: mark.size, modified: mark.mtimeMs };
    const access = lookAt(vault.root, path)?.access ?? '';
    const { ino, birthtimeMs: born } = mark;
    vault.observer.noteOwn([...newFolders(tree, vault, path), { entry, ino, born, access }], []);
  };

  async function create(rawPath: string, data: string | Uint8Array): Promise<{ path: string }> {
    return work((vault) =>
      vault.files.create(clean(rawPath), data, tree.hasTwin, (path, mark) => {
        noteWritten(vault)(path, mark);
        if (current.vault === vault) onOwnChange({ kind: 'created', path });
      }),
    );
  }

  /** Who heard of it last hears first how it ended. */
  async function asPlanned(planned: PlannedChange, change: () => Promise<void>): Promise<void> {
    const ends: ((isDone: boolean) => void)[] = [];
    let isDone = false;
    try {
      for (const listener of [...plans]) ends.unshift(await listener(planned));
      await change();
      isDone = true;
    } finally {
      for (const end of ends) end(isDone);
    }
  }

  return {
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
          onOwnChange({ kind: 'written', ...change, path, linksElsewhere });
          for (const other of linked) onOwnChange({ kind: 'linked', ...change, path: other });
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
        if (isShown(path)) vault.observer.noteOwn(newFolders(tree, vault, `${path}/`), []);
      }),
    rename: (rawFrom, rawTo) =>
      work(async (vault) => {
        const [from, to] = [clean(rawFrom), clean(rawTo)];
        const noteRenamed = () => {
          const moved = tree.under(from);
          const there = moved.flatMap((path) => lookAt(vault.root, movedPath(path, from, to)) ?? []);
          vault.observer.noteOwn([...newFolders(tree, vault, to), ...there], moved);
        };
        await asPlanned({ kind: 'rename', from, to }, () => vault.files.rename(from, to, noteRenamed));
        onOwnChange({ kind: 'renamed', from, to });
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
        onOwnChange({ kind: 'trashed', path });
      }),
  };
}

/** Folders on the way to `path` that are new in the tree. */
function newFolders(tree: Pick<Tree, 'get'>, { root }: Opened, path: string): Found[] {
  const entries: Found[] = [];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const folder = path.slice(0, at);
    const there = tree.get(folder) ? null : lookAt(root, folder);
    if (there) entries.push(there);
  }
  return entries;
}

export const clean = (path: string) =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
