import { expect, test } from 'vitest';
import { createManualClock } from '../../../../tests/support/manual-clock';
import type { ServerState } from '../../../contract/mcp';
import type { ServerFault } from '../../../contract/server-faults';
import { createObservable } from '../../foundation';
import type { Connection } from '../client/connection';
import type { Offers } from './catalog';
import type { Life } from './lifecycle';
import { createSettling } from './settled';

const noTools = { tools: [], rejected: [] };
function server(state: ServerState, tools: number | null = null, problem: ServerFault | null = null) {
  const offers: Offers = { tools: tools === null ? null : noTools, resources: null, prompts: null, problem };
  const connection = {} as Connection;
  return {
    supervisor: {
      life: createObservable<Life>({ state, failures: 0 }),
      connection: () => connection,
    },
    catalog: { offers: createObservable(offers) },
  };
}
type Servers = ReturnType<typeof server>[];
const starting = server({ kind: 'starting', attempt: 0 });
const up = server({ kind: 'ready', since: 0 }, 3);

function waiting(...servers: Servers) {
  const clock = createManualClock();
  const pictures = createObservable({ servers });
  const stop = new AbortController();
  const whenSettled = createSettling({ all: () => pictures.get().servers }, pictures);
  const wait = () => whenSettled({ clock, limitMs: 5_000, signal: stop.signal });
  const settled = wait();
  let done = false;
  void settled.then(
    () => {
      done = true;
    },
    () => undefined,
  );
  return {
    clock,
    pictures,
    stop,
    wait,
    settled,
    isDone: () => new Promise((r) => setImmediate(() => r(done))),
  };
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
    server({ kind: 'ready', since: 0 }, null, { code: 'not-listed', why: { code: 'silent' } }),
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

test('a server that took all the time is waited for again only on another way up', async () => {
  const { clock, pictures, wait, settled } = waiting(server({ kind: 'starting', attempt: 0 }));
  clock.advance(5_000);
  await settled;
  await wait();
  expect(clock.pending()).toBe(0);
  pictures.set({ servers: [server({ kind: 'starting', attempt: 0 })] });
  const again = wait();
  expect(clock.pending()).toBe(1);
  pictures.set({ servers: [up] });
  await again;
});

test('one that began while another was waited for has all of its own time', async () => {
  const { clock, pictures, wait, settled, isDone } = waiting(server({ kind: 'starting', attempt: 0 }));
  clock.advance(4_000);
  pictures.set({ servers: [server({ kind: 'starting', attempt: 0 })] });
  clock.advance(1_000);
  await settled;
  const again = wait();
  await isDone();
  expect(clock.pending()).toBe(1);
  pictures.set({ servers: [] });
  await again;
});
