/** A value that streams: the value now, then every next one. */
export interface Live<T> {
  get(): T;
  set(next: T): void;
  follow(signal: AbortSignal): AsyncIterable<T>;
}

export function live<T>(first: T): Live<T> {
  let value = first;
  const wake = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const one of [...wake]) one();
    },
    async *follow(signal) {
      let last: T | undefined;
      while (!signal.aborted) {
        if (last !== value) {
          last = value;
          yield value;
          continue;
        }
        await new Promise<void>((resolve) => {
          const finish = () => {
            wake.delete(finish);
            signal.removeEventListener('abort', finish);
            resolve();
          };
          wake.add(finish);
          signal.addEventListener('abort', finish);
        });
      }
    },
  };
}
