import { readlinkSync, realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { isWithin } from '../../../files';

const mostLinks = 40;

/** Where a path ends, whether or not something is there, and which links lie on the way; null: it goes in a circle. */
export function wayTo(path: string): { readonly end: string; readonly links: readonly string[] } | null {
  const links: string[] = [];
  let at: string = sep;
  let rest = partsOf(path);
  while (rest.length > 0) {
    const next = join(at, rest[0] ?? '');
    rest = rest.slice(1);
    const target = targetOf(next);
    if (target === null) {
      at = next;
      continue;
    }
    links.push(next);
    if (links.length > mostLinks) return null;
    rest = [...partsOf(resolve(at, target)), ...rest];
    at = sep;
  }
  return { end: at, links };
}

/**
 * The first of the paths that a link takes out of the vault, and to where. Whoever may write in the vault, or in what the entry
 * itself lets its program write, may have put the link there since the person agreed to the path.
 */
export function ledAway(
  paths: readonly string[],
  { vault, written }: { readonly vault: string; readonly written: readonly string[] },
): { readonly path: string; readonly end: string | null } | null {
  const changeable = [vault, ...written];
  const isChangeable = (link: string) =>
    changeable.some((root) => isWithin(root, link) || isWithin(real(root), link));
  for (const path of paths) {
    const way = wayTo(path);
    if (way === null) return { path, end: null };
    const isIn = isWithin(real(vault), way.end) || written.some((root) => isWithin(root, way.end));
    if (!isIn && way.links.some(isChangeable)) return { path, end: way.end };
  }
  return null;
}

const partsOf = (path: string) => path.split(sep).filter((part) => part !== '');

function targetOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

export function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
