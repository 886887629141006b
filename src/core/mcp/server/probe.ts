import type { Clock } from '../../foundation';

export interface Probe {
  /** Asks at once, as after the computer slept. */
  now(): void;
  /** How often it is to be asked has changed. */
  reschedule(): void;
  stop(): void;
}

/** Asks a server every `everyMs` (null: never) whether it is there, sooner after it was not. */
export function createProbe({
  clock,
  ask,
  everyMs,
  soonMs = 5_000,
  onAnswer,
  onSilence,
}: {
  clock: Clock;
  ask(): Promise<void>;
  everyMs(): number | null;
  soonMs?: number;
  onAnswer(ms: number): void;
  onSilence(error: unknown): void;
}): Probe {
  let isStopped = false;
  let isAsking = false;
  let cancel: () => void = () => undefined;
  schedule();

  function schedule(mostMs = Number.POSITIVE_INFINITY): void {
    cancel();
    const wait = Math.min(everyMs() ?? Number.POSITIVE_INFINITY, mostMs);
    cancel = Number.isFinite(wait) ? clock.after(wait, () => void round()) : () => undefined;
  }

  async function round(): Promise<void> {
    if (isStopped || isAsking) return;
    isAsking = true;
    cancel();
    const startedAt = clock.now();
    let mostMs = Number.POSITIVE_INFINITY;
    try {
      await ask();
      if (!isStopped) onAnswer(clock.now() - startedAt);
    } catch (error) {
      mostMs = soonMs;
      if (!isStopped) onSilence(error);
    }
    isAsking = false;
    if (!isStopped) schedule(mostMs);
  }

  return {
    now: () => void round(),
    reschedule() {
      if (!isStopped && !isAsking) schedule();
    },
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
