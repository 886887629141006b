import { orCancelled } from '../../foundation';

/** The items until the signal fires, even if their source does not listen; then throws `request.cancelled`. */
export async function* untilStopped<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const source = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await orCancelled(source.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a source that hangs would hold up the one who leaves.
    source.return?.().catch(() => undefined);
  }
}
