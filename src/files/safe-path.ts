import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { AppError } from '../contract/errors';
import { realTarget } from './real-target';

const windowsReserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const forbidden = /[\u0000-\u001f\u007f]/;

/**
 * The one function that decides what is inside a vault. Takes a path relative to it (forward slashes) and gives the
 * absolute one; throws `vault.outside` for anything that leaves it: `..`, absolute and drive paths, backslashes,
 * control characters, reserved names, and symbolic links whose target lies elsewhere, also for files that do not
 * exist yet (their nearest existing folder is checked) and dangling links.
 */
export async function safePath(root: string, path: string): Promise<string> {
  const absolute = join(root, ...safeSegments(path));
  const realRoot = await realpath(root);
  const real = await realTarget(absolute).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ELOOP') throw outside(path);
    throw error;
  });
  if (!isWithin(realRoot, real)) throw outside(path);
  return absolute;
}

/** Checks the text of a path only; touches no disk. Segments in NFC are left as given. */
export function safeSegments(path: string): string[] {
  if (path === '' || path === '.') return [];
  if (
    path.length > 4096 ||
    forbidden.test(path) ||
    path.includes('\\') ||
    isAbsolute(path) ||
    /^[a-z]:/i.test(path)
  ) {
    throw outside(path);
  }
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  for (const segment of segments) {
    if (segment === '..' || windowsReserved.test(segment) || /[. ]$/.test(segment) || segment.includes(':'))
      throw outside(path);
  }
  return segments;
}

export function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function outside(path: string): AppError<'vault.outside'> {
  return new AppError('vault.outside', `“${path.slice(0, 200)}” is not a path inside the vault.`, {
    path: path.slice(0, 200),
  });
}
