import type { Limits } from './sandbox';

interface Program {
  readonly command?: string | null | undefined;
  readonly args?: readonly string[] | null | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/**
 * What servers that are known need to work in a sandbox; null: nobody knows. Where `npx` fetches them from is set up on each
 * computer: its host is refused at first, and allowed by a click.
 */
export function presetOf({ command, args, env = {} }: Program): Limits | null {
  const words = [command ?? '', ...(args ?? [])];
  const at = words.findIndex((word) =>
    /(?:^|[\\/])server-(?:filesystem|memory|everything)(?:@|[\\/]|$)/.test(word),
  );
  const name = /server-(filesystem|memory|everything)/.exec(words[at] ?? '')?.[1];
  if (name === undefined) return null;
  const folders = words.slice(at + 1).filter((word) => !word.startsWith('-'));
  const memoryFolder = folderOf(env.MEMORY_FILE_PATH ?? '');
  const write =
    name === 'filesystem' ? folders : name === 'memory' && memoryFolder !== '' ? [memoryFolder] : [];
  return { read: [], write, hosts: [] };
}

/** Of a path that is no other by where it is started. */
const folderOf = (path: string) => (/^([\\/~$]|[a-z]:)/i.test(path) ? path.replace(/[\\/][^\\/]*$/, '') : '');
