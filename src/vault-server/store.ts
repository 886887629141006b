import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../contract/errors';
import { durableWrite, safePath, safeSegments } from '../files';
import { findHeadings, readFrontMatter } from '../markdown';
import { ToolFailure, toFailure } from './failures';
import { createLock } from './lock';

export interface VaultFile {
  /** Relative to the vault, with forward slashes. */
  readonly path: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

export interface NoteHead {
  readonly title: string;
  /** `type` of the front matter. */
  readonly type: string | null;
}

export interface Document {
  readonly path: string;
  readonly text: string;
  readonly hash: string;
}

/** The files of one vault. Hidden files and folders are no part of it: they hold settings, some of which run programs. */
export interface Store {
  list(folder?: string): Promise<VaultFile[]>;
  head(file: VaultFile): Promise<NoteHead>;
  read(path: string): Promise<Document>;
  /** Null: not there. */
  find(path: string): Promise<Document | null>;
  /** Runs `change` on the present text, alone among all writers that take the vault's lock; the answer is what was there before. */
  update(
    path: string,
    change: (before: Document | null) => string,
  ): Promise<{ before: Document | null; after: Document }>;
  /** A file that belongs to the app, such as `.interlinear/workspaces.json`. Null: not there. */
  readSetting(name: string): Promise<string | null>;
}

const largestFile = 20 * 1024 * 1024;
const largestWrite = 5 * 1024 * 1024;
const headBytes = 8192;
const writable = /\.(?:md|markdown|txt)$/i;

export function createStore({ root }: { root: string }): Store {
  const heads = new Map<string, NoteHead & { modified: number; size: number }>();
  const alone = createLock({ file: () => safePath(root, '.interlinear/vault-server.lock') });

  async function locate(path: string): Promise<string> {
    if (safeSegments(path).some((segment) => segment.startsWith('.'))) throw outside(path);
    return safePath(root, path);
  }

  async function list(folder = ''): Promise<VaultFile[]> {
    const files: VaultFile[] = [];
    const walk = async (path: string): Promise<void> => {
      const entries = await readdir(join(root, ...path.split('/')), { withFileTypes: true });
      await Promise.all(
        entries.map(async (entry) => {
          if (entry.name.startsWith('.') || entry.name === 'node_modules') return;
          const inner = path === '' ? entry.name : `${path}/${entry.name}`;
          if (entry.isDirectory()) return walk(inner);
          const file = await look(inner, entry.isSymbolicLink());
          if (file) files.push(file);
        }),
      );
    };
    await locate(folder);
    await walk(safeSegments(folder).join('/'));
    return files.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Null for what can't be shown: gone meanwhile, a link that leads outside or to a folder, a name no path may have. */
  async function look(path: string, isLink: boolean): Promise<VaultFile | null> {
    try {
      const place = isLink ? await locate(path) : join(root, ...safeSegments(path));
      const found = await stat(place);
      return found.isFile() ? { path, size: found.size, modified: Math.round(found.mtimeMs) } : null;
    } catch {
      return null;
    }
  }

  async function head(file: VaultFile): Promise<NoteHead> {
    const known = heads.get(file.path);
    if (known && known.modified === file.modified && known.size === file.size) return known;
    const read = {
      ...(await readHead(await locate(file.path), file.path)),
      modified: file.modified,
      size: file.size,
    };
    heads.set(file.path, read);
    return read;
  }

  async function read(path: string): Promise<Document> {
    const place = await locate(path);
    const found = await stat(place);
    if (found.isDirectory()) throw new ToolFailure('validation', `“${path}” is a folder.`);
    if (found.size > largestFile) {
      throw new ToolFailure(
        'too_large',
        `“${path}” has ${found.size} bytes; at most ${largestFile} can be read.`,
      );
    }
    const bytes = await readFile(place);
    return { path, text: decode(path, bytes), hash: hashOf(bytes) };
  }

  async function find(path: string): Promise<Document | null> {
    try {
      return await read(path);
    } catch (error) {
      if (toFailure(error).code === 'not_found') return null;
      throw error;
    }
  }

  async function update(
    path: string,
    change: (before: Document | null) => string,
  ): Promise<{ before: Document | null; after: Document }> {
    const place = await locate(path);
    if (!writable.test(path)) {
      throw new ToolFailure('validation', 'Only notes can be written (.md, .markdown or .txt).', {
        field: 'path',
      });
    }
    return alone(async () => {
      const before = await find(path);
      const text = change(before);
      const bytes = Buffer.from(text, 'utf8');
      if (bytes.length > largestWrite) {
        throw new ToolFailure(
          'too_large',
          `The note would have ${bytes.length} bytes; at most ${largestWrite} are allowed.`,
        );
      }
      const after = { path, text, hash: hashOf(bytes) };
      if (before?.hash === after.hash) return { before, after };
      if (!before) await mkdir(dirname(place), { recursive: true });
      // Another program may have written while the change was made.
      if ((await find(path))?.hash !== before?.hash) {
        throw new ToolFailure('conflict', `“${path}” was changed by another program just now.`, {
          hint: 'Read it again and repeat the change.',
        });
      }
      await durableWrite(place, bytes);
      return { before, after };
    });
  }

  async function readSetting(name: string): Promise<string | null> {
    try {
      return await readFile(await safePath(root, `.interlinear/${name}`), 'utf8');
    } catch (error) {
      if (toFailure(error).code === 'not_found') return null;
      throw error;
    }
  }

  return { list, head, read, find, update, readSetting };
}

async function readHead(place: string, path: string): Promise<NoteHead> {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
  if (!/\.(?:md|markdown)$/i.test(path)) return { title: name, type: null };
  const handle = await open(place, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const text = buffer.toString('utf8', 0, bytesRead).replaceAll('\r\n', '\n');
    const { title, type } = readFrontMatter(text)?.values ?? {};
    const heading = findHeadings(text).find((each) => each.level === 1)?.title;
    return {
      title: typeof title === 'string' && title !== '' ? title : (heading ?? name),
      type: typeof type === 'string' ? type : null,
    };
  } finally {
    await handle.close();
  }
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolFailure('validation', `“${path}” is not text (UTF-8).`);
  }
}

function hashOf(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex').slice(0, 16);
}

function outside(path: string): AppError<'vault.outside'> {
  return new AppError('vault.outside', `“${path.slice(0, 200)}” is not a path inside the vault.`, {
    path: path.slice(0, 200),
  });
}
