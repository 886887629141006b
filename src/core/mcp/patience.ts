import { anySignal } from '../foundation';

/** How long a request may take. */
export interface Patience {
  /** Fires when it was too long, or the caller gave up. */
  readonly signal: AbortSignal;
  isOver(): boolean;
  /** Something came: the time begins anew. */
  renew(): void;
  end(): void;
}

/** Time in which the server waits for a person does not count; `mostMs` holds in any case. */
export function createPatience(
  timeoutMs: number,
  { mostMs, signal, isPaused }: { mostMs: number; signal: AbortSignal; isPaused(): boolean },
): Patience {
  const over = new AbortController();
  const last = setTimeout(() => over.abort(), mostMs);
  let timer: NodeJS.Timeout;
  const renew = () => {
    clearTimeout(timer);
    timer = setTimeout(() => (isPaused() ? renew() : over.abort()), timeoutMs);
  };
  renew();
  return {
    signal: anySignal(signal, over.signal),
    isOver: () => over.signal.aborted,
    renew,
    end() {
      clearTimeout(last);
      clearTimeout(timer);
    },
  };
}
