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
  let stopped = false;
  let asking = false;
  let cancel: () => void = () => undefined;
  schedule();

  function schedule(mostMs = Number.POSITIVE_INFINITY): void {
    cancel();
    const wait = Math.min(everyMs() ?? Number.POSITIVE_INFINITY, mostMs);
    cancel = Number.isFinite(wait) ? clock.after(wait, () => void round()) : () => undefined;
  }

  async function round(): Promise<void> {
    if (stopped || asking) return;
    asking = true;
    cancel();
    const started = clock.now();
    let mostMs = Number.POSITIVE_INFINITY;
    try {
      await ask();
      if (!stopped) onAnswer(clock.now() - started);
    } catch (error) {
      mostMs = soonMs;
      if (!stopped) onSilence(error);
    }
    asking = false;
    if (!stopped) schedule(mostMs);
  }

  return {
    now: () => void round(),
    reschedule() {
      if (!stopped && !asking) schedule();
    },
    stop() {
      stopped = true;
      cancel();
    },
  };
}
