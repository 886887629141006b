import { childSignal, longestMs } from '../../foundation';

/** How long a request may take. */
export interface RequestTimeout {
  /** Fires when it was too long, or the caller gave up. */
  readonly signal: AbortSignal;
  isOver(): boolean;
  /** Something came: the time begins anew. */
  renew(): void;
  end(): void;
}

/** Time in which the server waits for a person does not count; `mostMs` holds in any case. */
export function createRequestTimeout(
  timeoutMs: number,
  { mostMs, signal, isPaused }: { mostMs: number; signal: AbortSignal; isPaused(): boolean },
): RequestTimeout {
  const life = childSignal(signal);
  let over = false;
  const stop = () => {
    over = true;
    life.abort();
  };
  const last = setTimeout(stop, Math.min(mostMs, longestMs));
  let timer: NodeJS.Timeout;
  const renew = () => {
    clearTimeout(timer);
    timer = setTimeout(() => (isPaused() ? renew() : stop()), Math.min(timeoutMs, longestMs));
  };
  renew();
  return {
    signal: life.signal,
    isOver: () => over,
    renew,
    end() {
      clearTimeout(last);
      clearTimeout(timer);
      life.release();
    },
  };
}
