import type { Run } from '../../../contract/chat';
import { restoringHand } from '../../../contract/notes';
import type { VersionAuthor } from '../../../contract/versions';

/** Who writes into open notes, by the hands that the notes know. */
export interface Hands {
  /** The first one is whose hand it is. */
  authorsOf(hand: string, path: string): VersionAuthor[];
  /** All windows of the person are one hand. */
  keyOf(hand: string): string;
  runOf(hand: string): Run | undefined;
  /** Of an answer it is known only once it is over how it ended. */
  asEnded(author: VersionAuthor): VersionAuthor;
}

/** Writes a little at a time. */
export const isQuick = (hand: string) => hand !== 'disk' && !hand.startsWith(restoringHand);

const isOfApp = (hand: string) => hand.startsWith('recovery-') || hand.startsWith('hook-');

export function createHands(
  runOf: (runId: string) => Run | undefined,
  diskAuthors: (path: string) => VersionAuthor[],
): Hands {
  return {
    runOf,
    authorsOf(hand, path) {
      if (hand === 'disk') return diskAuthors(path);
      if (isOfApp(hand)) return [{ kind: 'app' }];
      const run = runOf(hand);
      switch (run?.kind) {
        case 'answer': {
          const { runId, model, startedAt } = run;
          const answer = { runId, note: run.path, model: model || run.provider, startedAt };
          return [{ kind: 'model', answer }];
        }
        case 'call': {
          const { server, tool, callId } = run.call;
          return [{ kind: 'tool', server, tool, callId, certain: true, answer: null }];
        }
        default:
          return [{ kind: 'you' }];
      }
    },
    keyOf(hand) {
      if (!isQuick(hand) || isOfApp(hand)) return hand;
      return runOf(hand) ? hand : 'you';
    },
    asEnded(author) {
      if (author.kind !== 'model') return author;
      const run = runOf(author.answer.runId);
      const phase = run?.kind === 'answer' ? run.phase : null;
      if (phase?.kind === 'failed' || phase?.kind === 'broke-off') return { ...author, end: phase.kind };
      if (phase?.kind !== 'finished') return author;
      return { ...author, end: phase.reason === 'cancelled' ? 'stopped' : 'answered' };
    },
  };
}
