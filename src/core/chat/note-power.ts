import type { Agents } from '../agents';
import type { Database } from '../foundation';
import type { NoteSettings } from './note-settings';

/** What a note's front matter says that lets tools run without a yes, in its own words; null: nothing of the kind. */
export function notePower(
  note: Pick<NoteSettings, 'approval' | 'agent' | 'tools'>,
  agents: Pick<Agents, 'find'>,
): string | null {
  const byAgent =
    note.approval === null && note.agent !== null && agents.find(note.agent)?.approval === 'allow';
  if (note.approval !== 'allow' && !byAgent) return null;
  return [
    ...(note.approval === null ? [] : [`approval: ${note.approval}`]),
    ...(note.agent === null ? [] : [`agent: ${note.agent}`]),
    ...(note.tools === null ? [] : [`tools: ${note.tools.join(', ')}`]),
  ].join('\n');
}

/** What the person agreed to, note by note: exactly these words, nothing that somebody writes in their place. */
export interface NoteConsents {
  has(vault: string, path: string, power: string): boolean;
  give(vault: string, path: string, power: string): void;
  /** A note, or a folder with its notes, has another path now. */
  renamed(vault: string, from: string, to: string): void;
}

export function createNoteConsents({ sql }: Pick<Database, 'sql'>): NoteConsents {
  sql.exec(`
    create table if not exists note_consents (
      vault text not null, path text not null, power text not null, primary key (vault, path)
    ) strict;
  `);
  const find = sql.prepare('select power from note_consents where vault = ? and path = ?');
  const put = sql.prepare('insert or replace into note_consents (vault, path, power) values (?, ?, ?)');
  const move = sql.prepare(`update or replace note_consents set path = $to || substr(path, length($from) + 1)
    where vault = $vault and (path = $from or substr(path, 1, length($from) + 1) = $from || '/')`);
  return {
    has: (vault, path, power) => find.get(vault, path)?.power === power,
    give: (vault, path, power) => void put.run(vault, path, power),
    renamed: (vault, from, to) => void move.run({ vault, from, to }),
  };
}
