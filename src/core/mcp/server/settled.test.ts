import { expect, test } from 'vitest';
import { createManualClock } from '../../../../tests/support/manual-clock';
import type { ServerEntry, ServerState } from '../../../contract/mcp';
import { createObservable } from '../../foundation';
import { whenSettled } from './settled';

const server = (state: ServerState, tools: number | null = null) => ({ state, tools }) as ServerEntry;
const starting = server({ kind: 'starting', attempt: 0 });
const up = server({ kind: 'ready', since: 0 }, 3);

function waiting(...servers: ServerEntry[]) {
  const clock = createManualClock();
  const pictures = createObservable({ servers });
  const stop = new AbortController();
  const settled = whenSettled(pictures, { clock, limitMs: 5_000, signal: stop.signal });
  let done = false;
  void settled.then(
    () => {
      done = true;
    },
    () => undefined,
  );
  return { clock, pictures, stop, settled, isDone: () => new Promise((r) => setImmediate(() => r(done))) };
}

test('a question waits for servers on their first way up, and for their list of tools', async () => {
  const { pictures, settled, isDone, clock } = waiting(starting, up);
  expect(await isDone()).toBe(false);
  pictures.set({ servers: [server({ kind: 'ready', since: 0 }), up] });
  expect(await isDone()).toBe(false);
  pictures.set({ servers: [up, up] });
  await settled;
  expect(clock.pending()).toBe(0);
});

test('it does not wait for a server that has failed, is tried again or is off', async () => {
  await waiting(
    up,
    server({ kind: 'failed', reason: { code: 'ended' } }),
    server({ kind: 'waiting', retryAt: 1, attempt: 2, reason: { code: 'ended' } }),
    server({ kind: 'starting', attempt: 2 }),
    server({ kind: 'disabled', by: 'user', reason: { code: 'switched-off' } }),
  ).settled;
});

test('it waits no longer than the limit, and not at all once stopped', async () => {
  const slow = waiting(starting);
  slow.clock.advance(5_000);
  await slow.settled;
  const stopped = waiting(starting);
  stopped.stop.abort();
  await expect(stopped.settled).rejects.toMatchObject({ code: 'request.cancelled' });
});
