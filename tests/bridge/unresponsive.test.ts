import { afterEach, expect, test, vi } from 'vitest';
import { createWirePair, reopening, serveBridge, type Wire } from '../../src/bridge';
import { createManualClock } from '../support/manual-clock';
import { createTable, operations } from './table';

afterEach(() => vi.restoreAllMocks());

/** A core that can be stopped: what is sent to it then waits for it, as in a socket. */
function createCore() {
  const { handlers } = createTable();
  const done: string[] = [];
  const [page, core] = createWirePair();
  const waiting: (() => void)[] = [];
  let stopped = false;
  const stoppable: Wire = {
    ...core,
    onFrame: (listener) =>
      core.onFrame((frame) => {
        if (stopped) waiting.push(() => listener(frame));
        else listener(frame);
      }),
  };
  const told: typeof handlers = {
    ...handlers,
    'math.double': (input, context) => {
      done.push(`double ${input.n}`);
      return handlers['math.double'](input, context);
    },
    'count.up': (input, context) => {
      done.push(`count ${input.to}`);
      return handlers['count.up'](input, context);
    },
  };
  serveBridge(stoppable, operations, told, () => undefined);
  return {
    page,
    done,
    stop() {
      stopped = true;
    },
    /** It wakes so many milliseconds later. */
    wake(ms: number) {
      stopped = false;
      const now = performance.now() + ms;
      vi.spyOn(performance, 'now').mockReturnValue(now);
      for (const frame of waiting.splice(0)) frame();
    },
  };
}

const turns = () => new Promise((resolve) => setTimeout(resolve, 5));

async function startWith(core: ReturnType<typeof createCore>) {
  const clock = createManualClock();
  const connection = reopening({ open: async () => core.page, operations, clock });
  await expect.poll(() => connection.state.get().kind).toBe('connected');
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1_000);
      await turns();
    }
  };
  return { ...connection, pass };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    (value) => value,
    (error: { code?: string }) => error.code,
  );

test('a core that is alive is never taken for silent, however long nobody asks it anything', async () => {
  const { state, pass, close } = await startWith(createCore());
  await pass(60);
  expect(state.get()).toEqual({ kind: 'connected' });
  close();
});

test('what was asked of a core that stands still is taken back, and not done when it wakes', async () => {
  const core = createCore();
  const { client, state, pass, close } = await startWith(core);
  core.stop();
  const asked = codeOf(client.call('math.double', { n: 1 }));
  const counted = codeOf(
    client.stream('count.up', { to: 1 }, { waits: false })[Symbol.asyncIterator]().next(),
  );
  const typed = codeOf(client.call('math.double', { n: 2 }, { waits: true }));
  // A stream waits where nothing else is said.
  const streamed = codeOf(client.stream('count.up', { to: 5 })[Symbol.asyncIterator]().next());
  await pass(7);
  expect(state.get()).toEqual({ kind: 'unresponsive' });
  expect(await asked).toBe('connection.lost');
  expect(await counted).toBe('connection.lost');
  // At once: it may wake in the next moment.
  expect(await codeOf(client.call('math.double', { n: 3 }))).toBe('connection.none');
  const laterTyped = codeOf(client.call('math.double', { n: 4 }, { waits: true }));
  await pass(3);
  core.wake(10_000);
  expect(await typed).toBe(4);
  expect(await laterTyped).toBe(8);
  expect(await streamed).toEqual({ done: false, value: 1 });
  expect(state.get()).toEqual({ kind: 'connected' });
  expect(core.done).toEqual(['double 2', 'count 5', 'double 4']);
  expect(await client.call('math.double', { n: 5 })).toBe(10);
  close();
});

test('a stream that has begun outlasts the silence, whatever it would have waited for', async () => {
  const core = createCore();
  const { client, state, pass, close } = await startWith(core);
  const items = client.stream('count.up', { to: 10_000 }, { waits: false })[Symbol.asyncIterator]();
  expect(await items.next()).toEqual({ done: false, value: 1 });
  core.stop();
  await pass(7);
  expect(state.get()).toEqual({ kind: 'unresponsive' });
  core.wake(7_000);
  for (let n = 2; n <= 10_000; n++) expect(await items.next()).toEqual({ done: false, value: n });
  expect(await items.next()).toEqual({ done: true, value: undefined });
  close();
});

test('what is still wanted when the core wakes is done, once and in its order', async () => {
  const core = createCore();
  const { client, state, pass, close } = await startWith(core);
  core.stop();
  const answers = [1, 2, 3].map((n) => client.call('math.double', { n }));
  await pass(3);
  core.wake(3_000);
  expect(await Promise.all(answers)).toEqual([2, 4, 6]);
  expect(core.done).toEqual(['double 1', 'double 2', 'double 3']);
  expect(state.get()).toEqual({ kind: 'connected' });
  close();
});

test('what is taken back while the core stands still a second time is not done either', async () => {
  const [page, core] = createWirePair();
  const { handlers } = createTable();
  const done: number[] = [];
  const told: typeof handlers = { ...handlers, 'math.double': ({ n }) => done.push(n) };
  serveBridge(core, operations, told, () => undefined);
  const said: unknown[] = [];
  page.onFrame((frame) => said.push((frame as { t: string }).t));
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const held = async (count: number) => {
    await turns();
    expect(said.filter((t) => t === 'held')).toHaveLength(count);
  };
  const call = (id: number) => page.send({ t: 'call', id, op: 'math.double', input: { n: id } });
  now += 10_000;
  call(1);
  await held(1);
  now += 10_000;
  // What waits for it then: another call, the answer to its first question, and only then what was taken back.
  call(2);
  page.send({ t: 'stands' });
  page.send({ t: 'cancel', id: 1 });
  await held(2);
  expect(done).toEqual([]);
  page.send({ t: 'stands' });
  await turns();
  expect(done).toEqual([2]);
  page.close();
});

test('a core that is closed while it stands still is lost, as any other', async () => {
  const core = createCore();
  const { client, state, pass, close } = await startWith(core);
  core.stop();
  const typed = codeOf(client.call('math.double', { n: 2 }, { waits: true }));
  await pass(7);
  core.page.close();
  expect(await typed).toBe('connection.lost');
  expect(state.get().kind).toBe('waiting');
  close();
});
