import { randomUUID } from 'node:crypto';
import type { AskAnswer, ServerAsk } from '../../../contract/asks';
import { AppError } from '../../../contract/errors';
import {
  type Clock,
  cancelled,
  createObservable,
  type Observable,
  type SchemaChecks,
} from '../../foundation';

/** What servers ask of the person. Where nobody looks at the questions they are cancelled at once. */
export interface Asks {
  readonly waiting: Observable<ServerAsk[]>;
  /** The questions for a screen; as long as one follows them somebody is there. */
  follow(signal: AbortSignal): AsyncIterable<ServerAsk[]>;
  /** Rejects with `request.cancelled` when the signal fires. */
  ask(question: Pick<ServerAsk, 'serverId' | 'serverName' | 'ask'>, signal: AbortSignal): Promise<AskAnswer>;
  /** Throws `request.invalid` where a form's answer is not what was asked for; the question then stays. */
  answer(id: string, answer: AskAnswer): Promise<void>;
  isAsking(serverId: string): boolean;
}

const most = { waiting: 3, aMinute: 10 };

export function createAsks({
  clock,
  schemas,
  openExternal,
}: {
  clock: Clock;
  schemas: Pick<SchemaChecks, 'check'>;
  openExternal(url: string): Promise<void>;
}): Asks {
  const waiting = createObservable<ServerAsk[]>([]);
  const answers = new Map<string, (answer: AskAnswer) => void>();
  /** When each server asked, the last `most.aMinute` times. */
  const times = new Map<string, number[]>();
  let watchers = 0;

  function take(id: string): ((answer: AskAnswer) => void) | undefined {
    const give = answers.get(id);
    answers.delete(id);
    waiting.update((list) => list.filter((question) => question.id !== id));
    return give;
  }

  function isTooMuch(serverId: string): boolean {
    const newest = times.get(serverId) ?? [];
    const [first] = newest;
    const isFast = newest.length >= most.aMinute && first !== undefined && first > clock.now() - 60_000;
    times.set(serverId, [...newest, clock.now()].slice(-most.aMinute));
    const open = waiting.get().filter((question) => question.serverId === serverId).length;
    return isFast || open >= most.waiting;
  }

  return {
    waiting,
    async *follow(signal) {
      watchers++;
      try {
        yield* waiting.follow(signal);
      } finally {
        watchers--;
      }
    },
    ask(question, signal) {
      if (signal.aborted) return Promise.reject(cancelled());
      if (watchers === 0) return Promise.resolve({ action: 'cancel' });
      if (isTooMuch(question.serverId)) return Promise.resolve({ action: 'decline' });
      const id = randomUUID();
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          take(id);
          reject(cancelled());
        };
        answers.set(id, (answer) => {
          signal.removeEventListener('abort', onAbort);
          resolve(answer);
        });
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.update((list) => [...list, { ...question, id, at: clock.now() }]);
      });
    },
    async answer(id, answer) {
      const question = waiting.get().find((one) => one.id === id);
      if (question?.ask.kind === 'form' && answer.action === 'accept') {
        const verdict = await schemas.check(question.ask.schema, answer.content ?? {}, question.serverId);
        if (verdict.kind === 'misfit')
          throw new AppError('request.invalid', 'This is not what the server asked for.', {
            issues: [...verdict.issues],
          });
      }
      const give = take(id);
      if (give && question?.ask.kind === 'url' && answer.action === 'accept')
        await openExternal(question.ask.url);
      give?.(answer);
    },
    isAsking: (serverId) => waiting.get().some((question) => question.serverId === serverId),
  };
}
