import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expandHome, isWithin } from '../../files';
import { expand, type VariableSources } from './environment';

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
  given: readonly string[] | undefined,
  folders: readonly string[],
  sources: VariableSources,
): Promise<readonly Root[]> {
  const { vault } = sources;
  const ofVault =
    vault === null ? [] : folders.length === 0 ? [vault] : folders.map((name) => join(vault, name));
  const paths: string[] = given ? [] : ofVault;
  for (const text of given ?? []) {
    const { value, missing } = await expand(text, sources);
    if (missing.length > 0) continue;
    const path = resolve(vault ?? homedir(), expandHome(value));
    if (path === vault) paths.push(...ofVault);
    else if (vault === null || !isWithin(vault, path) || isFolder(path)) paths.push(path);
  }
  return [...new Set(paths)].map((path) => ({
    name: basename(path) || path,
    uri: pathToFileURL(path).href,
  }));
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
