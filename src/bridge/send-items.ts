import { type Change, changeBetween } from './change';
import type { Credit } from './credit';

/** What is sent of a stream's items. */
export type ItemFrame =
  | { readonly t: 'item'; readonly item: unknown; readonly ask?: true }
  | { readonly t: 'change'; readonly change: Change; readonly ask?: true };

/** Waits for the reader before it asks for the next item, so a state's slow reader skips to the newest. */
export async function sendItems(
  items: AsyncIterable<unknown>,
  {
    signal,
    credit,
    isState,
    crossing,
    send,
  }: {
    readonly signal: AbortSignal;
    readonly credit: Credit;
    readonly isState: boolean;
    /** The item as it may cross. */
    readonly crossing: (item: unknown) => unknown;
    readonly send: (frame: ItemFrame) => void;
  },
): Promise<void> {
  const source = items[Symbol.asyncIterator]();
  let sent: { readonly item: unknown } | null = null;
  try {
    while (!signal.aborted) {
      await credit.available(signal);
      if (signal.aborted) return;
      const next = await source.next();
      if (next.done || signal.aborted) return;
      const item = crossing(next.value);
      const change = sent && changeBetween(sent.item, item);
      // Nothing that a reader could see.
      if (sent && change === null) continue;
      const ask = credit.spend() && { ask: true as const };
      send(change ? { t: 'change', change, ...ask } : { t: 'item', item, ...ask });
      if (isState) sent = { item };
    }
  } finally {
    await source.return?.();
  }
}
