import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Limits } from '../../../contract/sandbox';
import { heldFolders, isWithin } from '../../../files';
import type { WrapRequest } from './keeper-messages';

export interface Surroundings {
  /** What the person or the vault says of it, variables filled in. */
  readonly limits: Limits;
  /** What the program itself consists of. */
  readonly program: readonly string[];
  /** A folder of its own, which is its home. */
  readonly ownFolder: string;
  readonly home: string;
  readonly dataFolder: string;
}

type Policy = Pick<WrapRequest, 'closed' | 'readable' | 'writable' | 'unwritable' | 'held'>;

/** What a program needs of the system to run at all. Whatever else lies at the top of the disk is closed. */
const ofSystem = new Set([
  ...['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32', 'usr', 'etc', 'opt', 'nix', 'snap', 'gnu'],
  ...['dev', 'proc', 'sys', 'run', 'var'],
  ...['System', 'Library', 'Applications', 'private', 'cores'],
]);
/** Within those: where people and programs put what is theirs. */
const ofOthers = [
  ...['/var/tmp', '/var/mail', '/var/spool', '/var/backups', '/var/log', '/var/lib/docker', '/run/user'],
  ...['/var/home', '/var/roothome', '/var/mnt', '/var/srv'],
  ...['/run/secrets', '/etc/shadow', '/etc/gshadow', '/etc/sudoers', '/etc/sudoers.d', '/etc/ssl/private'],
  ...['/private/tmp', '/private/var/tmp', '/private/var/folders', '/Library/Keychains'],
];

/** What may be touched, path by path. Looks at the disk: nothing is closed that is not there. */
export function policyFor(around: Surroundings): Policy {
  const { limits, program, ownFolder, home, dataFolder } = around;
  const writable = [ownFolder, ...limits.write];
  const open = [...limits.read, ...writable];
  // What is open with its folder is not opened by itself: a link in its place leads nowhere then.
  const isCovered = (file: string) => open.some((one) => isWithin(one, file));
  const unwritable = limits.write.flatMap((root) => closedWithin(root, limits.write));
  return {
    closed: [...topOfDisk(), ...ofOthers, home, dataFolder, '/tmp/claude'].filter(existsSync),
    readable: [...program.filter((file) => !isCovered(file)), ...open],
    writable,
    unwritable: [...unwritable, '/tmp/claude'].filter(existsSync),
    held: limits.write.flatMap(heldIn),
  };
}

const topOfDisk = () =>
  readdirSync('/', { withFileTypes: true })
    .filter((entry) => !ofSystem.has(entry.name) && !entry.isSymbolicLink())
    .map(({ name }) => join('/', name));

/** Hidden files and folders at the top of a folder that may be written, but for those that are named themselves. */
function closedWithin(root: string, written: readonly string[]): string[] {
  const named = (path: string) => written.some((one) => isWithin(path, one) || same(path, one));
  if (basename(root) === '.git') return hooksOf(root);
  return childrenOf(root).flatMap((name) => {
    const path = join(root, name);
    if (name === '.git' && named(path)) return hooksOf(path);
    if (name.startsWith('.') && !named(path)) return [path];
    // Of a repository within it, what git runs.
    return !name.startsWith('.') && existsSync(join(path, '.git')) ? hooksOf(join(path, '.git')) : [];
  });
}

const hooksOf = (repository: string) => ['hooks', 'config'].map((name) => join(repository, name));

/** What is not there in a folder that may be written, and must not come to be there. */
const heldIn = (root: string) =>
  basename(root).startsWith('.') || !statSync(root, { throwIfNoEntry: false })?.isDirectory()
    ? []
    : heldFolders.map((name) => join(root, name)).filter((path) => !existsSync(path));

function childrenOf(path: string): string[] {
  try {
    return statSync(path).isDirectory() ? readdirSync(path) : [];
  } catch {
    return [];
  }
}

const same = (one: string, other: string) => resolve(one) === resolve(other);
