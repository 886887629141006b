import { backoff, type Clock, delay } from '../foundation';
import type { NamedFailure } from './failures';
import type { ModelEvent } from './provider';

const mostAttempts = 5;
/** Milliseconds. A provider that asks for a longer wait is not waited for: the person is told. */
const longestWait = 30_000;

/** The wait before retry `attempt` (1 is the first), or null if there is none to make. */
export function waitBefore(attempt: number, failure: NamedFailure, random: number): number | null {
  if (!failure.retryable || attempt > mostAttempts) return null;
  const wish = failure.error.details.retryAfterMs;
  if (wish !== null && wish > longestWait) return null;
  const own = backoff(attempt, { first: 500, most: 20_000 }, random);
  // A little over what was asked for, so that many clients don't return in the same instant.
  return wish === null || wish === 0 ? own : Math.round(wish * (1 + random * 0.1));
}

/** Tells of the wait, then waits. Throws `request.cancelled` as soon as the signal fires. */
export async function* waitVisibly(
  attempt: number,
  ms: number,
  failure: NamedFailure,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  yield {
    kind: 'retrying',
    attempt,
    retryAt: clock.now() + ms,
    failure: failure.failure,
    message: failure.message,
  };
  await delay(ms, signal, clock);
}
