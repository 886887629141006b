import type { ForgetWhat } from '../../../contract/versions';
import type { Entry, NoteList, NoteRecord } from './note-list';

/** What a person asks to be forgotten. */
export function entriesMeant(list: NoteList, what: ForgetWhat): Entry[] {
  const all = [...list.all()];
  const wholly = (records: readonly NoteRecord[]) => records.flatMap(({ entries }) => entries);
  switch (what.kind) {
    case 'all':
      return wholly(all);
    case 'note':
      return wholly(all.filter(({ path }) => path === what.path));
    case 'deleted':
      return wholly(
        all.filter(
          ({ isGone, entries }) => isGone && (what.id === null || entries.some(({ id }) => id === what.id)),
        ),
      );
    case 'version': {
      const record = all.find(({ entries }) => entries.some(({ id }) => id === what.id));
      const texts = record?.entries.filter(({ kind }) => kind === 'text') ?? [];
      // Of a note without a text there is nothing to tell.
      if (record && texts.every(({ id }) => id === what.id)) return record.entries;
      return texts.filter(({ id }) => id === what.id);
    }
  }
}
