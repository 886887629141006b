import type { BridgeClient } from '../../../bridge/client';
import type { ItemOf, NameOf } from '../../../contract/define';
import type { AppOperations } from '../../../contract/operations';

export type StateName = NameOf<AppOperations, 'stream'>;

/** The newest item of a state stream, or why there is none. */
export interface Latest<T> {
  readonly item: T | undefined;
  readonly error: unknown;
}

export interface Followed<T> {
  read(): Latest<T>;
  /** Opens the stream for the first subscriber and leaves it with the last. */
  subscribe(changed: () => void): () => void;
}

const nothing: Latest<never> = { item: undefined, error: undefined };
/** A stream that failed while somebody looks is asked for again after this, and then after twice as long each time. */
const firstRetryMs = 3_000;
const longestRetryMs = 60_000;
/** A state that was left for a moment (a tab switched) keeps its stream this long. */
const linger = 2_000;

/** Every state is streamed once, however many components look at it. */
export function createStates(core: BridgeClient<AppOperations>) {
  const followed = new Map<string, Followed<unknown>>();

  function follow<N extends StateName>(name: N, input: object): Followed<ItemOf<AppOperations[N]>> {
    const key = `${name} ${JSON.stringify(input)}`;
    const existing = followed.get(key);
    if (existing) return existing as Followed<ItemOf<AppOperations[N]>>;
    const created = createFollowed((signal) => core.stream(name, input as never, { signal })) as Followed<
      ItemOf<AppOperations[N]>
    >;
    followed.set(key, created);
    return created;
  }
  return { follow };
}

export type States = ReturnType<typeof createStates>;

function createFollowed<T>(open: (signal: AbortSignal) => AsyncIterable<T>): Followed<T> {
  const subscribers = new Set<() => void>();
  let latest: Latest<T> = nothing;
  let running: AbortController | undefined;
  let leaving: ReturnType<typeof setTimeout> | undefined;
  let trying: ReturnType<typeof setTimeout> | undefined;
  let retryMs = firstRetryMs;

  const show = (next: Latest<T>) => {
    latest = next;
    for (const changed of subscribers) changed();
  };

  async function run(own: AbortController): Promise<void> {
    try {
      for await (const item of open(own.signal)) {
        if (own.signal.aborted) return;
        retryMs = firstRetryMs;
        show({ item, error: undefined });
      }
    } catch (error) {
      if (own.signal.aborted) return;
      show({ item: latest.item, error });
      trying = setTimeout(start, retryMs);
      retryMs = Math.min(longestRetryMs, 2 * retryMs);
    } finally {
      if (running === own) running = undefined;
    }
  }

  function start(): void {
    clearTimeout(trying);
    if (running || subscribers.size === 0) return;
    running = new AbortController();
    void run(running);
  }

  return {
    read: () => latest,
    subscribe(changed) {
      if (subscribers.size === 0) retryMs = firstRetryMs;
      subscribers.add(changed);
      clearTimeout(leaving);
      start();
      return () => {
        subscribers.delete(changed);
        if (subscribers.size > 0) return;
        leaving = setTimeout(() => {
          running?.abort();
          running = undefined;
          latest = nothing;
        }, linger);
      };
    },
  };
}
