import type { RequestId } from '@modelcontextprotocol/client';
import type { PendingRequests } from './pending-requests';
import type { BrokenMessage } from './read-message';

/** How long the right answer may still come after one that cannot be told whose it is. */
const graceMs = 500;
const mostAnswers = 100;

interface LostAnswer {
  readonly broken: BrokenMessage;
  readonly suspects: readonly RequestId[];
  readonly due: number;
}

/** Answers to nobody knows which request: where no more of them still wait than answers were lost, it was theirs. */
export interface LostAnswers {
  add(broken: BrokenMessage): void;
  /** A request was answered: those that are due are looked at. */
  settle(): void;
}

export function createLostAnswers(
  requests: PendingRequests,
  fail: (id: RequestId, cause: Error) => void,
): LostAnswers {
  let answers: LostAnswer[] = [];

  function settle(): void {
    const now = performance.now();
    const due = answers.filter((one) => one.due <= now);
    const waiting = new Set(due.flatMap(({ suspects }) => suspects).filter((id) => requests.has(id)));
    const [first] = due;
    if (!first || waiting.size > due.length) return;
    answers = answers.filter((one) => one.due > now);
    for (const id of waiting) fail(id, first.broken);
  }

  return {
    add(broken) {
      const suspects = requests.answerable();
      if (suspects.length === 0 || answers.length === mostAnswers) return;
      answers.push({ broken, suspects, due: performance.now() + graceMs });
      setTimeout(settle, graceMs + 5).unref();
    },
    settle,
  };
}
