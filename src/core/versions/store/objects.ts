import { createHash, webcrypto } from 'node:crypto';
import { rmSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { durableWrite, makeOwnFolder, readFileAt } from '../../../files';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Bytes; a longer text is not kept. */
export const longestText = 10 * 1024 * 1024;

/** Texts by what is in them: one that is kept already costs nothing more. */
export interface Objects {
  /** On disk when it resolves; `size`: what it takes there. */
  put(text: Uint8Array, name: string): Promise<number>;
  /** Exactly the bytes that were put. Null: it is not there, or is damaged. */
  get(name: string): Promise<Buffer | null>;
  /** What each of them takes on disk. */
  list(): Promise<Map<string, number>>;
  remove(name: string): void;
}

/** In the platform's thread pool: a long text does not hold up the loop. */
export async function nameOf(text: Uint8Array<ArrayBuffer>): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', text)).toString('hex');
}

const isName = (name: string) => /^[0-9a-f]{64}$/.test(name);

export function createObjects(folder: string): Objects {
  const place = (name: string) => join(folder, name.slice(0, 2), name.slice(2));
  const ready = new Set<string>();

  function makeFolder(name: string): void {
    const own = join(folder, name.slice(0, 2));
    if (ready.has(own)) return;
    makeOwnFolder(own);
    ready.add(own);
  }

  return {
    async put(text, name) {
      const path = place(name);
      const there = await stat(path).catch(() => null);
      if (there?.isFile() && there.size > 0) return there.size;
      const packed = await compress(text);
      makeFolder(name);
      try {
        await durableWrite(path, packed, { private: true });
      } catch (error) {
        ready.clear();
        throw error;
      }
      return packed.byteLength;
    },
    async get(name) {
      if (!isName(name)) return null;
      try {
        const packed = await readFileAt(place(name), longestText * 2);
        const text = await decompress(packed, { maxOutputLength: longestText });
        return createHash('sha256').update(text).digest('hex') === name ? text : null;
      } catch {
        return null;
      }
    },
    async list() {
      const sizes = new Map<string, number>();
      for (const start of await readdir(folder).catch(() => [])) {
        for (const rest of await readdir(join(folder, start)).catch(() => [])) {
          const { size } = await stat(join(folder, start, rest)).catch(() => ({ size: 0 }));
          sizes.set(`${start}${rest}`, size);
        }
      }
      return sizes;
    },
    remove: (name) => rmSync(join(folder, name.slice(0, 2), name.slice(2)), { force: true }),
  };
}
