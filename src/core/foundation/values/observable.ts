/** A value that can be followed: each follower gets the present value, then the newest one whenever it has changed. */
export interface Observable<T> {
  get(): T;
  set(value: T): void;
  update(change: (value: T) => T): void;
  /** Values in between may be skipped, the last one never. Ends when the signal fires. */
  follow(signal: AbortSignal): AsyncIterable<T>;
  /** Called with each new value, at once. Returns what stops it. */
  onChange(listener: (value: T) => void): () => void;
}

export function createObservable<T>(initial: T): Observable<T> {
  let current = initial;
  let revision = 0;
  const listeners = new Set<(value: T) => void>();

  const observable: Observable<T> = {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      revision++;
      for (const listener of [...listeners]) listener(value);
    },
    update: (change) => observable.set(change(current)),
    async *follow(signal) {
      let last = -1;
      let wake: () => void = () => undefined;
      const stopListening = observable.onChange(() => wake());
      const onAbort = () => wake();
      signal.addEventListener('abort', onAbort);
      try {
        while (!signal.aborted) {
          if (last !== revision) {
            last = revision;
            yield current;
          } else {
            await new Promise<void>((resolve) => {
              wake = resolve;
              if (signal.aborted || last !== revision) resolve();
            });
          }
        }
      } finally {
        stopListening();
        signal.removeEventListener('abort', onAbort);
      }
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return observable;
}
