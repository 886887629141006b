import type { Agents, ResolvedAgent } from '../agents';
import type { Database } from '../foundation';
import type { NoteSettings } from './note-settings';

type Power = Pick<ResolvedAgent, 'name' | 'approval'>;

/** The agent that a name in a note means: its own, or with a word of the note's behind a slash. */
export function agentNamed(name: string, agents: Pick<Agents, 'find'>): ResolvedAgent | undefined {
  return agents.find(name) ?? agents.find(name.split('/')[0] ?? name);
}

/**
 * What a note says that lets tools run without a yes, in its own words; null: nothing of the kind. `agent`: who answers
 * because the note says so, in its front matter or by a tag.
 */
export function notePower(
  note: Pick<NoteSettings, 'approval' | 'agent' | 'tools'>,
  agent: Power | null,
  isByTag: boolean,
): string | null {
  const byAgent = note.approval === null && agent?.approval === 'allow';
  if (note.approval !== 'allow' && !byAgent) return null;
  return [
    ...(note.approval === null ? [] : [`approval: ${note.approval}`]),
    ...(note.agent === null ? [] : [`agent: ${note.agent}`]),
    ...(byAgent && isByTag ? [`tag: ${agent.name}`] : []),
    ...(note.tools === null ? [] : [`tools: ${note.tools.join(', ')}`]),
  ].join('\n');
}

/** The tag that a power names, where it comes from one. */
export const tagIn = (power: string): string | null => /^tag: (.+)$/m.exec(power)?.[1] ?? null;

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
