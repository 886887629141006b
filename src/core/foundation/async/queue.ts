/** Items pushed from anywhere, read in order by one reader. */
export interface Queue<T> {
  push(item: T): void;
  /** What is still queued is read first. */
  end(): void;
  fail(error: unknown): void;
  /** Ends when the queue does or the signal fires. */
  read(signal?: AbortSignal): AsyncIterable<T>;
}

export function createQueue<T>(): Queue<T> {
  let items: T[] = [];
  let end: { error?: unknown } | undefined;
  let wake: () => void = () => undefined;

  return {
    push(item) {
      if (end) return;
      items.push(item);
      wake();
    },
    end() {
      end ??= {};
      wake();
    },
    fail(error) {
      end ??= { error };
      wake();
    },
    async *read(signal) {
      const onAbort = () => wake();
      signal?.addEventListener('abort', onAbort);
      try {
        while (!signal?.aborted) {
          if (items.length > 0) {
            const batch = items;
            items = [];
            for (const item of batch) {
              if (signal?.aborted) return;
              yield item;
            }
          } else if (end) {
            if ('error' in end) throw end.error;
            return;
          } else {
            await new Promise<void>((resolve) => {
              wake = resolve;
              if (signal?.aborted || items.length > 0 || end) resolve();
            });
          }
        }
      } finally {
        signal?.removeEventListener('abort', onAbort);
      }
    },
  };
}
