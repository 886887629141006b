import { isAppError } from '../../../contract/errors';
import type { VaultEntry } from '../../../contract/vault';
import type { Vault } from '../../vault';
import type { Found } from '../keep/moves';
import type { NoteList } from '../store/note-list';
import { longestText } from '../store/objects';
import { asObject } from '../store/store';

const readAtOnce = 8;

/** Reads notes from disk: what was found, what is not there, and what is too long to be kept. */
export function createReader(vault: Vault, isOpen: (path: string) => boolean) {
  async function read(paths: readonly string[], list: NoteList): Promise<[Found[], string[], string[]]> {
    const present: Found[] = [];
    const missing: string[] = [];
    const tooLong: string[] = [];
    const rest = [...paths];
    const readOne = async (path: string) => {
      // The session keeps it, and knows more.
      if (isOpen(path) && list.at(path)) return;
      try {
        const entry = entryOf(path);
        if (entry && entry.size > longestText) return void tooLong.push(path);
        const { text, file } = await vault.read(path);
        const { object, text: bytes } = await asObject(text);
        const modified = entryOf(path)?.modified ?? 0;
        present.push({ path, text, object, seen: { bytes: bytes.byteLength, modified, file } });
      } catch (error) {
        if (isAppError(error, 'vault.not-found')) missing.push(path);
      }
    };
    await Promise.all(
      Array.from({ length: readAtOnce }, async () => {
        for (let path = rest.shift(); path !== undefined; path = rest.shift()) await readOne(path);
      }),
    );
    return [present, missing, tooLong];
  }

  let entries: { readonly of: readonly VaultEntry[]; readonly byPath: Map<string, VaultEntry> } | null = null;

  function entryOf(path: string): VaultEntry | undefined {
    const all = vault.entries();
    if (entries?.of !== all) entries = { of: all, byPath: new Map(all.map((entry) => [entry.path, entry])) };
    return entries.byPath.get(path);
  }

  return read;
}
