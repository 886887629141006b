import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { contentSecurityPolicy } from './page';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Record<string, string>;
}

/** The built renderer. `frames`: where views of servers come from, as a source of a policy. Only what lay in the folder at the start can be asked for, so no path leads out of it. */
export function createPageFiles(
  folder: string,
): (pathname: string, frames: string) => Promise<PageFile | null> {
  const files = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(`/${relative(folder, path).split(sep).join('/')}`, path);
  }
  return async (pathname, frames) => {
    const path = files.get(pathname === '/' ? '/index.html' : pathname);
    if (path === undefined) return null;
    return {
      bytes: new Uint8Array(await readFile(path)),
      headers: {
        'content-type': types[extname(path)] ?? 'application/octet-stream',
        'content-security-policy': contentSecurityPolicy(frames),
        'x-content-type-options': 'nosniff',
        // Names under assets carry a hash of what they hold.
        'cache-control': pathname.startsWith('/assets/')
          ? 'private, max-age=31536000, immutable'
          : 'no-cache',
      },
    };
  };
}
