type Closer = () => unknown;

/** Collects what must be closed; closes it in reverse order, even if one of them throws. */
export interface Lifetime {
  /** Fires when closing begins. */
  readonly signal: AbortSignal;
  /** Registers in the same line that opens. After closing it runs the closer at once. */
  add<T extends Closer | undefined>(closer: T): T;
  /** Resolves when all closers have run; the first failure is thrown after that. A second call joins the first. */
  close(): Promise<void>;
}

export function createLifetime(): Lifetime {
  const closers: Closer[] = [];
  const ending = new AbortController();
  let closing: Promise<void> | null = null;

  async function closeAll(): Promise<void> {
    ending.abort();
    const failures: unknown[] = [];
    for (let closer = closers.pop(); closer; closer = closers.pop()) {
      try {
        await closer();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  return {
    signal: ending.signal,
    add(closer) {
      if (closer) {
        if (closing !== null) void Promise.resolve().then(closer);
        else closers.push(closer);
      }
      return closer;
    },
    close: () => (closing ??= closeAll()),
  };
}
