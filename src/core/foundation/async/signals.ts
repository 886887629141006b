import { AppError } from '../../../contract/errors';
import { type Clock, systemClock } from './clock';

/** Fires when any of them does; undefined ones are left out. */
export function anySignal(...signals: (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal !== undefined));
}

export interface ChildSignal {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** The parent no longer reaches it. */
  release(): void;
}

/** Fires when its parent does, or by itself. For what every call needs: `anySignal` costs several times as much. */
export function childSignal(parent: AbortSignal): ChildSignal {
  const child = new AbortController();
  const follow = () => child.abort(parent.reason);
  if (parent.aborted) follow();
  else parent.addEventListener('abort', follow, { once: true });
  return {
    signal: child.signal,
    abort: (reason) => child.abort(reason),
    release: () => parent.removeEventListener('abort', follow),
  };
}

export function cancelled(): AppError<'request.cancelled'> {
  return new AppError('request.cancelled', 'Cancelled.', {});
}

/** Why a signal fires when the app closes or leaves a vault: what goes on elsewhere by itself is not to be stopped. */
export const leaving = new Error('The app leaves.');

export const isLeaving = (signal: AbortSignal): boolean => signal.aborted && signal.reason === leaving;

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelled();
}

/** Resolves after `ms`; rejects with `request.cancelled` if the signal fires first. */
export function delay(ms: number, signal?: AbortSignal, clock: Clock = systemClock): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(cancelled());
    const onAbort = () => {
      stop();
      reject(cancelled());
    };
    const stop = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** The promise's outcome, or `request.cancelled` as soon as the signal fires; the work itself is not stopped by this. */
export function orCancelled<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => undefined);
    return Promise.reject(cancelled());
  }
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(cancelled());
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Whether the work has ended within `ms`; it is not stopped by this. Rejects with it. */
export async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
