import type { BridgeClient } from '../../../../bridge/client';
import type { NoteVault } from '../../../../contract/notes';
import type { AppOperations } from '../../../../contract/operations';
import { t } from '../../../base/text/text';

/** Where the text belonged. */
interface NoteAddress {
  readonly path: string;
  readonly vault?: NoteVault;
}

export interface TextKeeperParts {
  readonly core: BridgeClient<AppOperations>;
  address(): NoteAddress;
  onKept(): void;
  onProblem(message: string): void;
}

const mostTries = 60;

/** Hands the core what has no place in its note any more; it becomes recovered text. */
export interface TextKeeper {
  isWaiting(): boolean;
  /** As what it is kept; null: it is not. */
  keep(text: string): Promise<string | null>;
  /** Tried until it is kept, or for a minute. */
  keepForSure(text: string): Promise<boolean>;
}

export function createTextKeeper({ core, address, onKept, onProblem }: TextKeeperParts): TextKeeper {
  /** So many texts are nowhere but here. */
  let waiting = 0;

  const keepAt = (at: NoteAddress, text: string): Promise<string | null> =>
    core.call('notes.keep', { ...at, text }, { waits: true }).then(
      ({ keptAs }) => keptAs,
      () => null,
    );

  return {
    isWaiting: () => waiting > 0,
    keep: (text) => keepAt(address(), text),
    async keepForSure(text) {
      const at = address();
      waiting++;
      for (let tries = 0; tries < mostTries; tries++) {
        const keptAs = await keepAt(at, text);
        if (keptAs !== null) {
          waiting--;
          onKept();
          return true;
        }
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
      onProblem(t('note.typedLost'));
      return false;
    },
  };
}
