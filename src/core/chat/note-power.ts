import { agentWords, listWords, type ResolvedAgent } from '../agents';
import type { Database } from '../foundation';
import type { NoteSettings } from './note-settings';

/** What lets tools run without a yes because a note says so. */
export interface NotePower {
  /** Who answers because the note says so; null: nobody in particular. */
  readonly agent: string | null;
  /** All of it for a person to read, the agent's own words included: other words are another power. */
  readonly words: string;
}

/**
 * Null: nothing runs without a yes, or only by an agent that the person chose for this question. `agent` is who answers,
 * as found; a tag in the note is as much the note's word as its front matter.
 */
export function notePower(
  note: Pick<NoteSettings, 'approval' | 'tools'>,
  agent: ResolvedAgent | null,
  isChosen: boolean,
): NotePower | null {
  if ((note.approval ?? agent?.approval) !== 'allow') return null;
  const isAgents = note.approval === null;
  if (isChosen && isAgents && note.tools === null) return null;
  const named = isChosen && !isAgents ? null : agent;
  const lines = [
    ...(note.approval === null ? [] : [`approval: ${note.approval}`]),
    ...(note.tools === null ? [] : [`tools: ${listWords(note.tools)}`]),
    ...(named === null ? [] : agentWords(named)),
  ];
  return { agent: named?.name ?? null, words: lines.join('\n') };
}

/** What the person agreed to, by note and agent: exactly these words, nothing that somebody writes in their place. */
export interface NoteConsents {
  of(vault: string, path: string): NotePower[];
  has(vault: string, path: string, power: NotePower): boolean;
  give(vault: string, path: string, power: NotePower): void;
  forget(vault: string, path: string, agent: string | null): void;
  /** A note, or a folder with its notes, has another path now; what was there before is no more. */
  renamed(vault: string, from: string, to: string): void;
  /** Another note of this name is another note. */
  gone(vault: string, path: string): void;
}

export function createNoteConsents({ sql, define }: Pick<Database, 'sql' | 'define'>): NoteConsents {
  define(`
    create table if not exists note_powers (
      vault text not null, path text not null, agent text not null, words text not null,
      primary key (vault, path, agent)
    ) strict;
  `);
  const list = sql.prepare('select agent, words from note_powers where vault = ? and path = ?');
  const find = sql.prepare('select words from note_powers where vault = ? and path = ? and agent = ?');
  const put = sql.prepare('insert or replace into note_powers values (?, ?, ?, ?)');
  const drop = sql.prepare('delete from note_powers where vault = ? and path = ? and agent = ?');
  const inside = (place: string) =>
    `vault = $vault and (path = ${place} or substr(path, 1, length(${place}) + 1) = ${place} || '/')`;
  const move = sql.prepare(
    `update note_powers set path = $to || substr(path, length($from) + 1) where ${inside('$from')}`,
  );
  const clear = sql.prepare(`delete from note_powers where ${inside('$path')}`);
  const gone = (vault: string, path: string) => void clear.run({ vault, path });
  return {
    of: (vault, path) =>
      list
        .all(vault, path)
        .map(({ agent, words }) => ({ agent: String(agent) || null, words: String(words) })),
    has: (vault, path, { agent, words }) => find.get(vault, path, agent ?? '')?.words === words,
    give: (vault, path, { agent, words }) => void put.run(vault, path, agent ?? '', words),
    forget: (vault, path, agent) => void drop.run(vault, path, agent ?? ''),
    renamed(vault, from, to) {
      // Only its letters' case may be other.
      if (from !== to) gone(vault, to);
      move.run({ vault, from, to });
    },
    gone,
  };
}
