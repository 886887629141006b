import type { Vault } from '../../vault';
import { isNote, type NoteList } from '../store/note-list';

/**
 * Notes that are not as they were kept. First those that are gone and those that are new: the one may be the other. `most`:
 * bytes of notes that are there.
 */
export function notAsKept(vault: Pick<Vault, 'entries'>, list: NoteList, most: number): string[] {
  const notes = vault.entries().filter(({ kind, path }) => kind === 'note' && isNote(path));
  const there = new Set(notes.map(({ path }) => path));
  const live = [...list.all()].filter(({ isGone }) => !isGone);
  const gone = live.filter(({ path }) => !there.has(path)).map(({ path }) => path);
  const fresh: string[] = [];
  const changed: string[] = [];
  let room = most;
  for (const { path, size, modified } of [...notes].sort((a, b) => b.modified - a.modified)) {
    const record = list.at(path);
    if (record?.seen?.bytes === size && record.seen.modified === modified) continue;
    room -= size;
    if (room > 0) (record ? changed : fresh).push(path);
  }
  return [...gone, ...fresh, ...changed];
}
