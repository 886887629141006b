import { create } from 'zustand';
import { isAppError } from '../../../contract/errors';
import { isMissed } from '../core/missed';
import { createDrafts } from '../drafts/kept-drafts';
import { failureText } from '../text/error-words';

/** A note that could not be made or shown, and what was typed for it meanwhile and since. */
export interface Unmade {
  /** What was asked for, in the words of its button; empty: that is said elsewhere. */
  readonly what: string;
  readonly path: string;
  /** It begins as the person's turn. */
  readonly isConversation: boolean;
  /** It was there, and could not be shown. */
  readonly isThere?: boolean;
  /** Empty: for want of the core. */
  readonly why: string;
  readonly text: string;
}
export type UnmadeNote = Pick<Unmade, 'what' | 'path' | 'isConversation' | 'isThere'>;

/** By vault and path. */
export const useUnmade = createDrafts<Unmade>('unmade', (stored) => (isUnmade(stored) ? stored : null));

/** Which of them the person goes on typing in. */
export const useTypedOn = create<{ readonly name: string | null }>(() => ({ name: null }));

/** Those of a vault begin so; no path of ours holds a line break. */
export const unmadeOf = (vault: string) => `${vault}\n`;

export interface Failed {
  readonly note: UnmadeNote;
  readonly error: unknown;
  readonly typed: string;
  /** Nobody has gone elsewhere since. */
  readonly goesOn: boolean;
}

/** The same one that could not be made again goes on where it was; another one stands below it. */
export function keepUnmade(vault: string, { note, error, typed, goesOn }: Failed): void {
  const { all, put } = useUnmade.getState();
  const name = unmadeOf(vault) + note.path;
  const { text = '' } = all[name] ?? {};
  const isAnother = !('text' in note) && text !== '' && typed !== '';
  put(name, {
    ...note,
    why: error === null || isMissed(error) ? '' : failureText(error),
    text: text + (isAnother ? '\n\n' : '') + typed,
  });
  if (goesOn) useTypedOn.setState({ name });
}

/** Whether the core is why, so that no other words would help. */
export const isForWantOfCore = (error: unknown): boolean =>
  isMissed(error) || isAppError(error, 'connection.lost');

function isUnmade(stored: unknown): stored is Unmade {
  const { what, path, isConversation, why, text } = (stored ?? {}) as Partial<Record<keyof Unmade, unknown>>;
  const areTexts = [what, path, why, text].every((one) => typeof one === 'string');
  return areTexts && typeof isConversation === 'boolean';
}
