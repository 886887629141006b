import { readlink, realpath, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { temporaryBeside } from '../../../files';
import type { VaultFile } from '../tree/vault-file';

export interface Move {
  readonly from: string;
  readonly to: string;
}

interface Led {
  readonly link: string;
  readonly isAbsolute: boolean;
  /** Relative to the vault. */
  readonly to: string;
}

/** The symbolic links of the vault that lead to what is about to be moved. */
export async function linksTo(
  root: string,
  files: readonly VaultFile[],
  moves: readonly Move[],
): Promise<readonly Led[]> {
  if (moves.length === 0) return [];
  const links = files.filter(({ isLink }) => isLink);
  if (links.length === 0) return [];
  const places = new Map<string, string>();
  for (const { from, to } of moves) {
    const place = await placeOf(join(root, from));
    if (place !== null) places.set(place, to);
  }
  const leading: Led[] = [];
  for (const { path } of links) {
    const link = join(root, path);
    const target = await readlink(link).catch(() => null);
    const place = target === null ? null : await placeOf(resolve(dirname(link), target));
    const to = place === null ? undefined : places.get(place);
    if (target !== null && to !== undefined) leading.push({ link, isAbsolute: isAbsolute(target), to });
  }
  return leading;
}

/** They lead to where it is now. One that can't be made anew leads nowhere, which the doctor tells. */
export async function leadAnew(root: string, links: readonly Led[]): Promise<void> {
  for (const { link, isAbsolute: isWhole, to } of links) {
    const place = join(root, to);
    const temporary = temporaryBeside(link);
    try {
      await symlink(
        isWhole ? place : relative(await realpath(dirname(link)), await realpath(place)),
        temporary,
      );
      await rename(temporary, link);
    } catch {
      await rm(temporary, { force: true });
    }
  }
}

/** Links are followed up to its folder: it may be one itself. */
async function placeOf(path: string): Promise<string | null> {
  const folder = await realpath(dirname(path)).catch(() => null);
  return folder === null ? null : join(folder, basename(path));
}
