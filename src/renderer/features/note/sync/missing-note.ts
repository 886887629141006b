import type { SaveState } from '../../../../contract/notes';
import type { StateHolder } from './unconfirmed';

export interface MissingNoteParts {
  readonly editor: StateHolder;
  hasPending(): boolean;
  /** As what the text is kept; null: it is not. */
  keep(text: string): Promise<string | null>;
  onReady(readOnly: boolean): void;
  onProblem(message: string | null): void;
  tellSave(save: SaveState): void;
  onKept(): void;
}

/** Whether the note is gone from its place, and what became of the words that only this window may have. */
export interface MissingNote {
  isGone(): boolean;
  /** What was typed while the core was away is kept first. `problem`: what is said where that fails. */
  gone(problem: string): Promise<void>;
  back(): void;
  /** Whether all that is shown is kept. */
  isKept(): boolean;
}

export function createMissingNote({ editor, onReady, onProblem, ...parts }: MissingNoteParts): MissingNote {
  let isGone = false;
  let keptText: string | null = null;

  function show(save: SaveState): void {
    isGone = true;
    onProblem(null);
    // Until it is there again: more words would be on no disk.
    onReady(true);
    parts.tellSave(save);
  }

  return {
    isGone: () => isGone,
    async gone(problem) {
      const text = editor.state.doc.toString();
      if (!parts.hasPending()) {
        if (!isGone) show({ kind: 'deleted' });
        return;
      }
      if (text === keptText) return;
      // What is kept is what is shown.
      onReady(true);
      const keptAs = await parts.keep(text);
      if (keptAs === null) {
        onReady(false);
        return onProblem(problem);
      }
      keptText = text;
      show({ kind: 'deleted', keptAs });
      parts.onKept();
    },
    back() {
      isGone = false;
    },
    isKept: () => editor.state.doc.toString() === keptText,
  };
}
