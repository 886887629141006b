import { randomUUID } from 'node:crypto';
import type { ApprovalAsked, Decision } from '../../../contract/tools';
import { type Clock, cancelled, createObservable, type Observable } from '../../foundation';

export interface Approvals {
  readonly waiting: Observable<ApprovalAsked[]>;
  /**
   * Resolves with the person's decision; rejects with `request.cancelled` when the signal fires. `isSettled`: whether it
   * would not be asked any more, by all that its own call says. `check` rejects with what is
   * wrong with a decision; null: nothing can be.
   */
  ask(
    question: Omit<ApprovalAsked, 'id' | 'askedAt'>,
    signal: AbortSignal,
    isSettled: () => boolean,
    check: (decision: Decision) => Promise<void> | null,
  ): Promise<Decision>;
  /** A question that is already answered or gone is left alone; one whose decision is thrown back stays. */
  decide(id: string, decision: Decision): Promise<void>;
  /** Something was decided elsewhere: answers the questions that this has settled. */
  settle(): void;
}

interface Open {
  readonly answer: (decision: Decision) => void;
  readonly isSettled: () => boolean;
  readonly check: (decision: Decision) => Promise<void> | null;
}

export function createApprovals({ clock }: { clock: Clock }): Approvals {
  const waiting = createObservable<ApprovalAsked[]>([]);
  const answers = new Map<string, Open>();

  function take(id: string) {
    const pending = answers.get(id);
    answers.delete(id);
    waiting.update((list) => list.filter((question) => question.id !== id));
    return pending;
  }

  const approvals: Approvals = {
    waiting,
    ask(question, signal, isSettled, check) {
      if (signal.aborted) return Promise.reject(cancelled());
      const id = randomUUID();
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          take(id);
          reject(cancelled());
        };
        const answer = (decision: Decision) => {
          signal.removeEventListener('abort', onAbort);
          resolve(decision);
        };
        answers.set(id, { answer, isSettled, check });
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.update((list) => [...list, { ...question, id, askedAt: clock.now() }]);
      });
    },
    async decide(id, decision) {
      const check = answers.get(id)?.check(decision) ?? null;
      if (check !== null) await check;
      take(id)?.answer(decision);
    },
    settle() {
      for (const { id } of waiting.get()) {
        if (answers.get(id)?.isSettled()) take(id)?.answer({ kind: 'allow', remember: 'once' });
      }
    },
  };
  return approvals;
}
