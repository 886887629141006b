import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { AppError } from '../contract/errors';
import { nameTrouble } from '../contract/file-names';
import { realTarget } from './real-target';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const forbidden = /[\u0000-\u001f\u007f]/;

/**
 * The one function that decides what is inside a vault. Takes a path relative to it (forward slashes) and gives the
 * absolute one; throws `vault.outside` for anything that leaves it: `..`, absolute paths, and symbolic links whose target
 * lies elsewhere, also for files that do not exist yet (their nearest existing folder is checked) and dangling links;
 * and for names with control characters, or that this system does not take.
 */
export async function safePath(root: string, path: string): Promise<string> {
  return (await placeInside(root, path)).absolute;
}

/** The same for what may not be hidden either: by its own name, by that of a folder, or behind a symbolic link. */
export async function visiblePath(root: string, path: string): Promise<string> {
  const { absolute, real } = await placeInside(root, path);
  if (isHiddenPath(safeSegments(path).join('/')) || isHiddenPath(real)) throw outside(path);
  return absolute;
}

/** `real`: relative to the root, with every link followed. */
async function placeInside(root: string, path: string): Promise<{ absolute: string; real: string }> {
  const absolute = join(root, ...safeSegments(path));
  const realRoot = await realpath(root);
  const target = await realTarget(absolute).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ELOOP') throw outside(path);
    throw error;
  });
  if (!isWithin(realRoot, target)) throw outside(path);
  return { absolute, real: relative(realRoot, target) };
}

/** Whether a part of a relative path begins with a dot. */
export const isHiddenPath = (path: string): boolean =>
  path.split(sep).some((part) => part.split('/').some((name) => name.startsWith('.')));

/** Checks the text of a path only; touches no disk. Segments in NFC are left as given. */
export function safeSegments(path: string): string[] {
  if (path === '' || path === '.') return [];
  if (path.length > 4096 || isAbsolute(path)) throw outside(path);
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  for (const segment of segments) {
    if (segment === '..') throw outside(path);
    const why = whyNoName(segment);
    if (why !== null) throw outside(path, why);
  }
  return segments;
}

/** What keeps this from being the name of a file here; null: nothing. */
export function whyNoName(name: string): string | null {
  const control = forbidden.exec(name)?.[0];
  if (control !== undefined) {
    const code = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `a name cannot hold the control character U+${code}.`;
  }
  return process.platform === 'win32' ? whyNotOnWindows(name) : null;
}

/** What keeps a name from being used on Windows; null: nothing. */
export function whyNotOnWindows(name: string): string | null {
  const trouble = nameTrouble(name);
  switch (trouble?.kind) {
    case undefined:
      return null;
    case 'character':
      return `a name cannot hold “${trouble.character}”.`;
    case 'reserved':
      return `Windows keeps the name “${name}” for itself.`;
    case 'dot-at-end':
      return 'a name cannot end with “.”.';
    case 'blank-at-end':
      return 'a name cannot end with a space.';
  }
}

export function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function outside(path: string, why?: string): AppError<'vault.outside'> {
  const start = path.slice(0, 200);
  const message = `“${start}” is not a path inside the vault${why ? `: ${why}` : '.'}`;
  return new AppError('vault.outside', message, { path: start });
}
