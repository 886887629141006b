import type { App } from '../../core/app';
import { escapeHidden } from '../../markdown';
import type { CommandLine } from './command-line';

/** One line where something of the open vault does not run before the person agrees. */
export function sayWhatWaits(app: App, { err }: CommandLine): void {
  const { things, path } = standing(app);
  if (things.length === 0) return;
  const names = things.map(({ kind, name }) => `${kind} ${escaped(name)}`).join(', ');
  err(`Not run before you agree: ${names}. See: interlinear trust ${JSON.stringify(path)}\n`);
}

/** One line where a note wanted more than is in force and the person has not agreed to it. */
export function sayWhatNoteWants(app: App, note: string, { err }: CommandLine): void {
  const fields = app.notices.list
    .get()
    .flatMap(({ facts }) => (facts.code === 'note-wants' ? facts.powers.map(({ field }) => field) : []));
  if (fields.length === 0) return;
  const names = [...new Set(fields)].join(', ');
  err(`Asked without, until you agree: ${names}. See: interlinear trust ${JSON.stringify(note)}\n`);
}

/** What of the open vault the person has not agreed to. */
export function standing(app: App) {
  const state = app.vault.state.get();
  const { trusted, contributions, path } =
    state.kind === 'open' ? state : { trusted: false, contributions: [], path: '' };
  const things = contributions.filter(({ consent, lines }) => consent.kind !== 'given' && lines.length > 0);
  return { trusted, things, path };
}

/** A terminal obeys what it is shown. */
export const escaped = (text: string) => escapeHidden(text, codeOf).replace(/\p{Cc}/gu, codeOf);

const codeOf = (character: string) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
