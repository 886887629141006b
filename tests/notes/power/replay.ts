import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Op } from './record';

const block = 4096;

/**
 * A disk as it may be after the power was cut behind the first `length` operations. What was synced is there. Of the names of
 * each folder a beginning of what was not synced is, of each file some of what was not.
 */
export function diskAfter(log: readonly Op[], length: number, random: (below: number) => number) {
  const done = log.slice(0, length);
  const names = new Map<string, number | 'folder'>();
  const folderSafe = new Map<string, number>();
  const fileSafe = new Map<number, number>();
  for (const op of done) {
    if (op.kind === 'folder-synced') folderSafe.set(op.path, op.since);
    if (op.kind === 'synced') fileSafe.set(op.id, op.since);
  }
  const cuts = new Map<string, number>();
  /** The operation with this number is the first of the folder that is lost. */
  const cutOf = (folder: string) => {
    const safe = folderSafe.get(folder) ?? 0;
    if (!cuts.has(folder)) cuts.set(folder, random(3) === 0 ? length : safe + random(length - safe + 1));
    return cuts.get(folder)!;
  };
  for (const [at, op] of done.entries()) nameAfter(names, op, at, cutOf);
  const files = new Map<string, Buffer>();
  for (const [path, id] of names)
    if (id !== 'folder') files.set(path, contentAfter(done, id, fileSafe.get(id) ?? 0, random));
  return { files, folders: [...names].filter(([, id]) => id === 'folder').map(([path]) => path) };
}

function nameAfter(
  names: Map<string, number | 'folder'>,
  op: Op,
  at: number,
  cutOf: (folder: string) => number,
): void {
  const isIn = (...paths: string[]) => paths.every((path) => at < cutOf(dirname(path)));
  switch (op.kind) {
    case 'make':
      if (isIn(op.path)) names.set(op.path, op.id);
      return;
    case 'mkdir':
      if (isIn(op.path)) names.set(op.path, 'folder');
      return;
    case 'link': {
      const id = names.get(op.from);
      if (isIn(op.to) && id !== undefined) names.set(op.to, id);
      return;
    }
    case 'remove':
      if (isIn(op.path)) names.delete(op.path);
      return;
    case 'rename': {
      if (!isIn(op.from, op.to)) return;
      for (const [path, id] of [...names]) {
        if (path !== op.from && !path.startsWith(`${op.from}/`)) continue;
        names.delete(path);
        names.set(op.to + path.slice(op.from.length), id);
      }
      return;
    }
    case 'bytes':
    case 'cut':
    case 'synced':
    case 'folder-synced':
    case 'said':
  }
}

function contentAfter(
  done: readonly Op[],
  id: number,
  safe: number,
  random: (below: number) => number,
): Buffer {
  let content = Buffer.alloc(0);
  const put = (at: number, bytes: Buffer) => {
    const next = Buffer.alloc(Math.max(content.length, at + bytes.length));
    content.copy(next);
    bytes.copy(next, at);
    content = next;
  };
  const manner = random(4);
  for (const [at, op] of done.entries()) {
    if (!('id' in op) || op.id !== id) continue;
    if (op.kind === 'cut' && (at < safe || manner === 0)) content = content.subarray(0, op.length);
    if (op.kind !== 'bytes') continue;
    const bytes = Buffer.from(op.bytes, 'base64');
    if (at < safe || manner === 0) put(op.at, bytes);
    else if (manner === 1) continue;
    else if (manner === 2) put(op.at, Buffer.alloc(bytes.length));
    else {
      // By blocks: some are there, some are zeros, the last ones are not.
      const length = random(Math.ceil(bytes.length / block) + 1) * block;
      const part = Buffer.from(bytes.subarray(0, length));
      for (let from = 0; from < part.length; from += block)
        if (random(3) === 0) part.fill(0, from, Math.min(from + block, part.length));
      put(op.at, part);
    }
  }
  return content;
}

/** Puts it onto a real disk. */
export function lay({ files, folders }: ReturnType<typeof diskAfter>, from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  const isReached = (path: string): boolean =>
    path === from || path === to || (folders.includes(path) && isReached(dirname(path)));
  for (const folder of folders)
    if (isReached(folder)) mkdirSync(join(to, relative(from, folder)), { recursive: true });
  for (const [path, bytes] of files)
    if (isReached(dirname(path))) writeFileSync(join(to, relative(from, path)), bytes);
}
