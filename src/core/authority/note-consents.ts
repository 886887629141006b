import type { NotePower } from '../../contract/chat';
import type { PowerField } from '../../contract/front-matter-fields';
import type { Database } from '../foundation';

/** What the person agreed to, by note, field and agent: exactly these words, nothing that somebody writes in their place. */
export interface NoteConsents {
  of(note: string): NotePower[];
  has(note: string, power: NotePower): boolean;
  give(note: string, power: NotePower): void;
  forget(note: string, power: Omit<NotePower, 'words'>): void;
  /** All that was agreed to in it. */
  forgetAll(note: string): void;
}

/** `note` is which note it is, not its name. */
export function createNoteConsents(database: Pick<Database, 'define' | 'table'>): NoteConsents {
  // Of a time when consents belonged to names: all of it is asked for once more.
  database.define('drop table if exists note_powers');
  const consents = database.table<{ note: string; field: string; agent: string; words: string }>(`
    create table if not exists note_consents (
      note text not null, field text not null default 'approval', agent text not null, words text not null,
      primary key (note, field, agent)
    ) strict
  `);
  const keyOf = (note: string, { field, agent }: Omit<NotePower, 'words'>) => ({
    ...{ note, field, agent: agent ?? '' },
  });
  const remove = (row: { note: string; field: string; agent: string }) => void consents.remove(row);
  return {
    of: (note) =>
      consents
        .all({ note })
        .map(({ field, agent, words }) => ({ field: field as PowerField, agent: agent || null, words })),
    has: (note, power) => consents.get(keyOf(note, power))?.words === power.words,
    give: (note, power) => void consents.put({ ...keyOf(note, power), words: power.words }),
    forget: (note, power) => remove(keyOf(note, power)),
    forgetAll: (note) => consents.all({ note }).forEach(remove),
  };
}
