import type { PromptTurns } from '../../../contract/mcp';
import { printForeignTurn } from '../../../markdown';
import { type Clock, createInertWork, type Log } from '../../foundation';
import type { SettingsStore } from '../../settings';
import { inertParts } from '../../tools';
import type { Vault } from '../../vault';
import { noteParts } from '../note/note-parts';
import type { NoteReading } from '../note/note-reading';

/** More than that goes into a file beside the note. */
const longest = 500_000;

/** A server's prompt as turns for a note; its pictures become files of the attachments folder. */
export async function promptTurns(
  prompt: { readonly server: string; readonly name: string; readonly content: PromptTurns },
  parts: {
    readonly vault: Pick<Vault, 'writeBytes'>;
    readonly settings: SettingsStore;
    readonly reading: Pick<NoteReading, 'tags'>;
    readonly clock: Clock;
    readonly log: Log;
  },
): Promise<{ role: 'user' | 'assistant'; text: string }[]> {
  const { settings, clock, log, vault, reading } = parts;
  const to = { vault, folder: settings.current.get().chat.attachmentsFolder, limit: longest, log };
  const tags = reading.tags([]);
  const work = createInertWork();
  const turns: { role: 'user' | 'assistant'; text: string }[] = [];
  for (const turn of joined(prompt.content.turns)) {
    const plain = await inertParts(turn.parts, work);
    const note = await noteParts({ parts: plain, at: clock.now() }, prompt.name, to);
    const text = printForeignTurn(note.parts, prompt.server, tags, `#${tags.user[0] ?? ''} : `);
    turns.push({ role: turn.role, text });
  }
  return turns;
}

/** Messages of one speaker in a row are one turn. */
function joined(messages: PromptTurns['turns']): PromptTurns['turns'] {
  const turns: PromptTurns['turns'][number][] = [];
  for (const turn of messages) {
    const last = turns.at(-1);
    if (last?.role !== turn.role) turns.push(turn);
    else turns[turns.length - 1] = { ...last, parts: [...last.parts, ...turn.parts] };
  }
  return turns;
}
