import type { WireClient } from './client';

interface Clock {
  after(ms: number, work: () => void): () => void;
}

/** Milliseconds between two looks at whether the core was heard, and how many in a row may find nothing. */
const beat = 1_000;
const longestSilence = 5;

/**
 * Tells when the core does not answer any more though its wire is there, as one that was stopped, and when it does again. The
 * looks are counted, not the time: a machine that slept is no core that is silent.
 */
export function watchLife(
  client: Pick<WireClient<never>, 'ping' | 'onHeard'>,
  clock: Clock,
  onChange: (isAlive: boolean) => void,
): () => void {
  let silent = 0;
  let isAlive = true;
  let cancel: () => void = () => undefined;

  client.onHeard(() => {
    silent = 0;
    if (isAlive) return;
    isAlive = true;
    onChange(true);
  });

  function look(): void {
    cancel = clock.after(beat, look);
    silent++;
    if (silent > 1) client.ping();
    if (silent <= longestSilence || !isAlive) return;
    isAlive = false;
    onChange(false);
  }

  cancel = clock.after(beat, look);
  return () => cancel();
}
