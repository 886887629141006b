import { homedir } from 'node:os';
import { join } from 'node:path';

/** `~` and `~/…` as people type them; a shell would have said what they mean. */
export function expandHome(path: string): string {
  if (path === '~') return homedir();
  return /^~[/\\]/.test(path) ? join(homedir(), path.slice(2)) : path;
}
