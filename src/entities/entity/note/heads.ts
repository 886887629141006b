import { readStartInside } from '../../../files';
import type { VaultFile } from '../../store/tree/vault-file';
import { readEntity, readParts } from './read';
import { headOf, type NoteHead } from './read-note';

/** Titles and types of notes that are not read as a whole; each is read again when it changes. */
export function createHeads(root: string, headBytes: number): (file: VaultFile) => Promise<NoteHead> {
  const heads = new Map<string, NoteHead & { readonly modified: number; readonly size: number }>();
  return async (file) => {
    const before = heads.get(file.path);
    if (before?.modified === file.modified && before.size === file.size) return before;
    const text = (await readStartInside(root, file.path, headBytes)).toString('utf8');
    const { values } = readParts(text);
    const head = headOf(file.path, text, values, readEntity({ ...file, revision: '' }, values));
    heads.set(file.path, { ...head, modified: file.modified, size: file.size });
    return head;
  };
}
