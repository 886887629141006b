import { randomUUID } from 'node:crypto';
import type { ApprovalAsked, Decision } from '../../contract/tools';
import { type Clock, cancelled, createPicture, type Picture } from '../foundation';

export interface Approvals {
  readonly waiting: Picture<ApprovalAsked[]>;
  /** Resolves with the person's decision; rejects with `request.cancelled` when the signal fires. */
  ask(question: Omit<ApprovalAsked, 'id' | 'askedAt'>, signal: AbortSignal): Promise<Decision>;
  /** A question that is already answered or gone is left alone. */
  decide(id: string, decision: Decision): void;
  /** Answers the questions that something decided elsewhere has settled. */
  settle(isSettled: (question: ApprovalAsked) => boolean): void;
}

export function createApprovals({ clock }: { clock: Clock }): Approvals {
  const waiting = createPicture<ApprovalAsked[]>([]);
  const answers = new Map<string, (decision: Decision) => void>();

  function take(id: string) {
    const answer = answers.get(id);
    answers.delete(id);
    waiting.update((list) => list.filter((question) => question.id !== id));
    return answer;
  }

  const approvals: Approvals = {
    waiting,
    ask(question, signal) {
      if (signal.aborted) return Promise.reject(cancelled());
      const id = randomUUID();
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          take(id);
          reject(cancelled());
        };
        answers.set(id, (decision) => {
          signal.removeEventListener('abort', onAbort);
          resolve(decision);
        });
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.update((list) => [...list, { ...question, id, askedAt: clock.now() }]);
      });
    },
    decide: (id, decision) => take(id)?.(decision),
    settle(isSettled) {
      for (const question of waiting.get()) {
        if (isSettled(question)) approvals.decide(question.id, { kind: 'allow', remember: 'once' });
      }
    },
  };
  return approvals;
}
