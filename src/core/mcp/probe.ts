import type { Clock } from '../foundation';

export interface Probe {
  /** Asks at once, as after the computer slept. */
  now(): void;
  stop(): void;
}

/** Asks a server every `everyMs` whether it is there, sooner after it was not. */
export function createProbe({
  clock,
  ask,
  everyMs = 30_000,
  soonMs = 5_000,
  onAnswer,
  onSilence,
}: {
  clock: Clock;
  ask(): Promise<void>;
  everyMs?: number;
  soonMs?: number;
  onAnswer(ms: number): void;
  onSilence(error: unknown): void;
}): Probe {
  let stopped = false;
  let asking = false;
  let cancel = clock.after(everyMs, () => void round());

  async function round(): Promise<void> {
    if (stopped || asking) return;
    asking = true;
    cancel();
    const started = clock.now();
    let wait = everyMs;
    try {
      await ask();
      if (!stopped) onAnswer(clock.now() - started);
    } catch (error) {
      wait = soonMs;
      if (!stopped) onSilence(error);
    }
    asking = false;
    if (!stopped) cancel = clock.after(wait, () => void round());
  }

  return {
    now: () => void round(),
    stop() {
      stopped = true;
      cancel();
    },
  };
}
