import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../../../src/core/foundation';
import type { AppProcess } from './disk';

/** Time that passes only when it is told to. */
export interface ModelClock extends Clock {
  /** Lets so many milliseconds pass; whoever waits for a moment between is called in it. */
  pass(ms: number): Promise<void>;
  /** Lets time pass until this is answered. */
  until<T>(answer: Promise<T>): Promise<T>;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

export function createModelClock(app: AppProcess, start: number): ModelClock {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly work: () => void }>();

  /** As long as the disk is answering. */
  async function rest(): Promise<void> {
    for (let quiet = 0; quiet < 4; ) {
      await turn();
      quiet = app.underway > 0 && !app.dead ? 0 : quiet + 1;
    }
  }

  function next() {
    let first: { readonly at: number; readonly work: () => void } | undefined;
    for (const timer of timers) if (!first || timer.at < first.at) first = timer;
    return first;
  }

  return {
    now: () => now,
    after(ms, work) {
      // Who waits is still of the process that it was.
      const asBefore = AsyncLocalStorage.snapshot();
      const timer = { at: now + Math.max(0, ms), work: () => asBefore(work) };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async pass(ms) {
      const end = now + ms;
      for (let timer = next(); timer && timer.at <= end; timer = next()) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.work();
        await rest();
      }
      now = end;
      await rest();
    },
    async until(answer) {
      let settled = false;
      answer.then(
        () => {
          settled = true;
        },
        () => {
          settled = true;
        },
      );
      for (let steps = 0; !settled; steps++) {
        await rest();
        if (settled) break;
        const timer = next();
        if (timer) {
          timers.delete(timer);
          now = Math.max(now, timer.at);
          timer.work();
        }
        if (steps > 20_000) throw new Error('Nobody answers.');
      }
      return answer;
    },
  };
}
