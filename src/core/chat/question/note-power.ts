import { agentWords, listWords, type ResolvedAgent } from '../../agents';
import type { Database } from '../../foundation';
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
  const agentName = isChosen && !isAgents ? null : agent;
  const lines = [
    ...(note.approval === null ? [] : [`approval: ${note.approval}`]),
    ...(note.tools === null ? [] : [`tools: ${listWords(note.tools)}`]),
    ...(agentName === null ? [] : agentWords(agentName)),
  ];
  return { agent: agentName?.name ?? null, words: lines.join('\n') };
}

/** What the person agreed to, by note and agent: exactly these words, nothing that somebody writes in their place. */
export interface NoteConsents {
  of(note: string): NotePower[];
  has(note: string, power: NotePower): boolean;
  give(note: string, power: NotePower): void;
  forget(note: string, agent: string | null): void;
  /** All that was agreed to in it. */
  forgetAll(note: string): void;
}

/** `note` is which note it is, not its name. */
export function createNoteConsents(database: Pick<Database, 'define' | 'table'>): NoteConsents {
  // Of a time when consents belonged to names: all of it is asked for once more.
  database.define('drop table if exists note_powers');
  const consents = database.table<{ note: string; agent: string; words: string }>(`
    create table if not exists note_consents (
      note text not null, agent text not null, words text not null, primary key (note, agent)
    ) strict
  `);
  const remove = (row: { note: string; agent: string }) => void consents.remove(row);
  return {
    of: (note) => consents.all({ note }).map(({ agent, words }) => ({ agent: agent || null, words })),
    has: (note, { agent, words }) => consents.get({ note, agent: agent ?? '' })?.words === words,
    give: (note, { agent, words }) => void consents.put({ note, agent: agent ?? '', words }),
    forget: (note, agent) => remove({ note, agent: agent ?? '' }),
    forgetAll: (note) => consents.all({ note }).forEach(remove),
  };
}
