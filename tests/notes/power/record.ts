import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, resolve } from 'node:path';

/** What was asked of the file system, in order. `id`: which file, whatever its name. */
export type Op =
  | { kind: 'make'; path: string; id: number }
  | { kind: 'mkdir'; path: string }
  | { kind: 'rename'; from: string; to: string }
  | { kind: 'link'; from: string; to: string }
  | { kind: 'remove'; path: string }
  | { kind: 'bytes'; id: number; at: number; bytes: string }
  | { kind: 'cut'; id: number; length: number }
  | { kind: 'synced'; id: number; since: number }
  | { kind: 'folder-synced'; path: string; since: number }
  | { kind: 'said'; what: string };

/** Records every change below a folder from here on; to be called before the code that is recorded runs. */
export function record(below: string): { readonly log: Op[]; say(what: string): void } {
  const log: Op[] = [];
  const files = new Map<string, number>();
  const open = new Map<number, { id: number | null; path: string; at: number }>();
  let last = 0;
  const { existsSync, readFileSync, statSync } = fs;
  const isOurs = (path: unknown): path is string =>
    typeof path === 'string' &&
    resolve(path).startsWith(below) &&
    !/\.(lock|db)(-\w+)?$|\/lock(-\w+)?$/.test(path);
  const put = (op: Op) => void log.push(op);

  function opened(fd: number, path: unknown, wasThere: boolean): void {
    if (!isOurs(path)) return;
    if (statSync(path).isDirectory()) return void open.set(fd, { id: null, path: resolve(path), at: 0 });
    let id = files.get(resolve(path));
    if (!wasThere || id === undefined) {
      id = ++last;
      files.set(resolve(path), id);
      put({ kind: 'make', path: resolve(path), id });
      if (wasThere) put({ kind: 'bytes', id, at: 0, bytes: readFileSync(path).toString('base64') });
    }
    open.set(fd, { id, path: resolve(path), at: wasThere ? statSync(path).size : 0 });
  }

  function written(fd: number, data: unknown, position: number | null): void {
    const file = open.get(fd);
    if (!file || file.id === null) return;
    const pieces =
      typeof data === 'string' || data instanceof Uint8Array ? [data] : [...(data as Iterable<Uint8Array>)];
    let at = position ?? file.at;
    for (const piece of pieces) {
      const bytes = Buffer.from(piece as string);
      put({ kind: 'bytes', id: file.id, at, bytes: bytes.toString('base64') });
      at += bytes.length;
    }
    if (position === null) file.at = at;
  }

  function synced(fd: number, since: number): void {
    const file = open.get(fd);
    if (!file) return;
    if (file.id === null) put({ kind: 'folder-synced', path: file.path, since });
    else put({ kind: 'synced', id: file.id, since });
  }

  function renamed(from: string, to: string): void {
    put({ kind: 'rename', from: resolve(from), to: resolve(to) });
    for (const [path, id] of [...files]) {
      if (path !== resolve(from) && !path.startsWith(`${resolve(from)}/`)) continue;
      files.delete(path);
      files.set(resolve(to) + path.slice(resolve(from).length), id);
    }
  }

  function removed(path: unknown, wasThere: boolean): void {
    if (!isOurs(path) || !wasThere || existsSync(path)) return;
    put({ kind: 'remove', path: resolve(path) });
    files.delete(resolve(path));
  }

  function mkdirs(path: string, first: string | undefined): void {
    if (first === undefined) return;
    const made: string[] = [];
    for (let at = resolve(path); at.length >= resolve(first).length; at = dirname(at)) made.unshift(at);
    for (const folder of made) put({ kind: 'mkdir', path: folder });
  }

  /** What a path through a folder that is open leads to. */
  function led(path: unknown): unknown {
    const [, fd, rest = ''] = /^\/proc\/self\/fd\/(\d+)(\/.*)?$/.exec(String(path)) ?? [];
    return fd === undefined ? path : `${open.get(Number(fd))?.path}${rest}`;
  }

  type Any = (...args: never[]) => unknown;
  const patch = (target: object, name: string, make: (real: (...args: unknown[]) => unknown) => Any) => {
    const own = target as Record<string, (...args: unknown[]) => unknown>;
    const real = own[name]!.bind(target);
    Object.defineProperty(target, name, { value: make(real), configurable: true, writable: true });
  };

  patch(fs, 'openSync', (real) => (path: unknown, ...rest: unknown[]) => {
    const there = isOurs(led(path)) && existsSync(led(path) as string);
    const fd = real(path, ...rest) as number;
    opened(fd, led(path), there);
    return fd;
  });
  patch(fs, 'closeSync', (real) => (fd: number) => {
    open.delete(fd);
    return real(fd);
  });
  patch(fs, 'writeSync', (real) => (fd: number, data: Buffer, from: number, length: number, at: number) => {
    const count = real(fd, data, from, length, at) as number;
    written(fd, data.subarray(from, from + count), at);
    return count;
  });
  patch(fs, 'writeFileSync', (real) => (to: unknown, data: unknown, ...rest: unknown[]) => {
    if (typeof to !== 'number') throw new Error('Nothing of the app writes a file by its name.');
    real(to, data, ...rest);
    written(to, data, null);
  });
  patch(fs, 'ftruncateSync', (real) => (fd: number, length: number) => {
    real(fd, length);
    const id = open.get(fd)?.id;
    if (typeof id === 'number') put({ kind: 'cut', id, length });
  });
  for (const name of ['fsyncSync', 'fdatasyncSync'])
    patch(fs, name, (real) => (fd: number) => {
      const since = log.length;
      real(fd);
      synced(fd, since);
    });
  for (const name of ['fsync', 'fdatasync'])
    patch(fs, name, (real) => (fd: number, done: (error: unknown) => void) => {
      const since = log.length;
      const file = open.get(fd);
      real(fd, (error: unknown) => {
        if (!error && file && typeof file.id === 'number') put({ kind: 'synced', id: file.id, since });
        done(error);
      });
    });
  patch(fs, 'renameSync', (real) => (from: string, to: string) => {
    real(from, to);
    if (isOurs(from) || isOurs(to)) renamed(from, to);
  });
  patch(fs, 'linkSync', (real) => (from: string, to: string) => {
    real(from, to);
    const id = files.get(resolve(from));
    if (id !== undefined) files.set(resolve(to), id);
    put({ kind: 'link', from: resolve(from), to: resolve(to) });
  });
  patch(fs, 'mkdirSync', (real) => (path: string, options: { recursive?: boolean }) => {
    const first = real(path, options) as string | undefined;
    const at = led(path);
    if (isOurs(at)) mkdirs(at, options?.recursive ? (led(first) as string | undefined) : at);
    return first;
  });
  for (const name of ['rmSync', 'unlinkSync'])
    patch(fs, name, (real) => (path: unknown, ...rest: unknown[]) => {
      const there = isOurs(path) && existsSync(path);
      real(path, ...rest);
      removed(path, there);
    });

  const { promises } = fs;
  for (const name of ['rm', 'unlink'])
    patch(promises, name, (real) => async (path: unknown, ...rest: unknown[]) => {
      const there = isOurs(path) && existsSync(path);
      await real(path, ...rest);
      removed(path, there);
    });
  patch(promises, 'rename', (real) => async (from: string, to: string) => {
    await real(from, to);
    if (isOurs(from) || isOurs(to)) renamed(from, to);
  });
  patch(promises, 'mkdir', (real) => async (path: string, options: { recursive?: boolean }) => {
    const first = (await real(path, options)) as string | undefined;
    if (isOurs(path)) mkdirs(path, options?.recursive ? first : path);
    return first;
  });
  patch(promises, 'open', (real) => async (path: unknown, ...rest: unknown[]) => {
    const there = isOurs(path) && existsSync(path);
    const handle = (await real(path, ...rest)) as fs.promises.FileHandle;
    const { fd } = handle;
    opened(fd, path, there);
    patch(handle, 'writeFile', (write) => async (data: unknown) => {
      await write(data);
      written(fd, data, null);
    });
    patch(handle, 'appendFile', (append) => async (data: unknown) => {
      const file = open.get(fd);
      if (file) file.at = (await handle.stat()).size;
      await append(data);
      written(fd, data, null);
    });
    patch(handle, 'truncate', (cut) => async (length: number) => {
      await cut(length);
      const id = open.get(fd)?.id;
      if (typeof id === 'number') put({ kind: 'cut', id, length });
    });
    for (const name of ['sync', 'datasync'])
      patch(handle, name, (sync) => async () => {
        const since = log.length;
        await sync();
        synced(fd, since);
      });
    patch(handle, 'close', (close) => async () => {
      open.delete(fd);
      await close();
    });
    return handle;
  });
  syncBuiltinESMExports();
  return { log, say: (what) => put({ kind: 'said', what }) };
}
