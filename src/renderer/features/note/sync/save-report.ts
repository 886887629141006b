import type { SaveState } from '../../../../contract/notes';

export interface SaveReportParts {
  hasPending(): boolean;
  onSave(save: SaveState): void;
  onProblem(message: string | null): void;
}

/** What an editor is told of its note's saving: nothing is called saved while it has something that the core does not. */
export interface SaveReport {
  tell(save: SaveState): void;
  /** More may have reached the core. */
  settled(): void;
  /** Said until it is accepted. */
  refused(message: string): void;
  accepted(): void;
}

export function createSaveReport({ hasPending, onSave, onProblem }: SaveReportParts): SaveReport {
  /** Told of while something was nowhere but here. */
  let savedBefore: SaveState | null = null;
  let isRefused = false;

  function tell(save: SaveState): void {
    const isLess = save.kind === 'saved' && hasPending();
    savedBefore = isLess ? save : null;
    onSave(isLess ? { kind: 'unsaved' } : save);
  }

  return {
    tell,
    settled() {
      if (savedBefore && !hasPending()) tell(savedBefore);
    },
    refused(message) {
      isRefused = true;
      onProblem(message);
    },
    accepted() {
      if (isRefused) onProblem(null);
      isRefused = false;
    },
  };
}
