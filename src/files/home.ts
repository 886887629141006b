import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** `~` and `~/…` as people type them; a shell would have said what they mean. */
export function expandHome(path: string): string {
  if (path === '~') return homedir();
  return /^~[/\\]/.test(path) ? join(homedir(), path.slice(2)) : path;
}

/** A path as a person types it, from `base` or the working folder. Absolute. */
export function typedPath(path: string, base = ''): string {
  return resolve(base, expandHome(path));
}
