import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RootEntry } from '../../../contract/mcp';
import { expandHome, isWithin } from '../../../files';
import { expand, type VariableSources } from '../config/environment';

/** A folder that a server is told of. That is no permission: what a program can read is another matter. */
export interface Root {
  readonly name: string;
  readonly uri: string;
}

/**
 * The folders of a `roots` setting; left out: those of the vault. The vault stands for the folders at its top, and for
 * itself where it has none. What cannot be filled in, or is no longer in the vault, is left out.
 */
export async function rootsOf(
  entries: readonly string[] | undefined,
  folders: readonly string[],
  sources: VariableSources,
): Promise<readonly Root[]> {
  const { vault } = sources;
  const ofVault =
    vault === null ? [] : folders.length === 0 ? [vault] : folders.map((name) => join(vault, name));
  const paths: string[] = entries ? [] : ofVault;
  for (const text of entries ?? []) {
    const path = await pathOf(text, sources);
    if (path === null) continue;
    if (path === vault) paths.push(...ofVault);
    else if (vault === null || !isWithin(vault, path) || isFolder(path)) paths.push(path);
  }
  return [...new Set(paths)].map((path) => ({
    name: basename(path) || path,
    uri: pathToFileURL(path).href,
  }));
}

/** What each of a `roots` setting comes to, for a person. */
export function rootEntries(entries: readonly string[], sources: VariableSources): Promise<RootEntry[]> {
  const { vault } = sources;
  return Promise.all(
    entries.map(async (root) => {
      const path = await pathOf(root, sources);
      const isInside = path !== null && vault !== null && isWithin(vault, path);
      const inVault = isInside ? relative(vault, path).split(sep).join('/') : null;
      return { root, inVault, isThere: path !== null && isFolder(path) };
    }),
  );
}

/** Null: something in it is not set. */
async function pathOf(text: string, sources: VariableSources): Promise<string | null> {
  const { value, missing } = await expand(text, sources);
  return missing.length > 0 ? null : resolve(sources.vault ?? homedir(), expandHome(value));
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
