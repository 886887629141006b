import { afterEach, expect, test, vi } from 'vitest';
import { createBridgeClient, createWirePair, serveBridge, type Wire } from '../../src/bridge';
import { createTable, operations } from './table';

afterEach(() => vi.restoreAllMocks());

const turns = () => new Promise((resolve) => setTimeout(resolve, 5));

/** A core at a wire of which a test has the other end. */
function served() {
  const sent: { t: string }[] = [];
  let hear: (frame: unknown) => void = () => undefined;
  let end: () => void = () => undefined;
  let closed = 0;
  const wire: Wire = {
    send: (frame) => sent.push(frame as { t: string }),
    onFrame: (listener) => (hear = listener),
    onClose: (listener) => (end = listener),
    close: () => closed++,
  };
  const table = createTable();
  serveBridge(wire, operations, table.handlers, () => undefined);
  return {
    ...table,
    sent,
    hear: (frame: unknown) => hear(frame),
    end: () => end(),
    closed: () => closed,
    kinds: () => sent.map(({ t }) => t),
  };
}

const double = (id: number) => ({ t: 'call', id, op: 'math.double', input: { n: id } });

test('whoever uses one id for two requests at once is hung up on', async () => {
  const { hear, closed } = served();
  hear({ t: 'call', id: 1, op: 'wait.forever', input: {} });
  expect(closed()).toBe(0);
  hear(double(1));
  await turns();
  expect(closed()).toBe(1);
});

test('after its wire has closed a core does nothing that comes over it, and says nothing', async () => {
  const { hear, end, kinds, told } = served();
  hear({ t: 'call', id: 1, op: 'wait.forever', input: {} });
  end();
  hear({ t: 'call', id: 2, op: 'wait.forever', input: {} });
  await turns();
  expect(told).toEqual(['call stopped']);
  expect(kinds()).toEqual(['hello']);
});

test('what is asked of a core that runs is done without a question', async () => {
  const { hear, kinds } = served();
  hear(double(1));
  hear(double(2));
  await turns();
  expect(kinds()).toEqual(['hello', 'result', 'result']);
});

test('a core that stood still asks once whether what came meanwhile still stands', async () => {
  const { hear, kinds } = served();
  const now = performance.now() + 10_000;
  vi.spyOn(performance, 'now').mockReturnValue(now);
  for (const id of [1, 2, 3]) hear(double(id));
  await turns();
  expect(kinds()).toEqual(['hello', 'held']);
  hear({ t: 'stands' });
  hear(double(4));
  await turns();
  expect(kinds()).toEqual(['hello', 'held', 'result', 'result', 'result', 'result']);
});

test('ten thousand frames wait for a core that stood still; whoever sends more is hung up on, and none is done', async () => {
  const { hear, kinds, closed } = served();
  const now = performance.now() + 10_000;
  vi.spyOn(performance, 'now').mockReturnValue(now);
  for (let id = 1; id <= 10_000; id++) hear({ t: 'cancel', id });
  expect(closed()).toBe(0);
  hear(double(10_001));
  expect(closed()).toBe(1);
  expect(kinds()).toEqual(['hello', 'held']);
});

test('a request that was answered, or read to its end, is not cancelled afterwards', async () => {
  const [near, far] = createWirePair();
  const crossed: string[] = [];
  const send = (frame: unknown) => {
    crossed.push((frame as { t: string }).t);
    near.send(frame);
  };
  serveBridge(far, operations, createTable().handlers, () => undefined);
  const client = createBridgeClient({ ...near, send }, operations);
  const stop = new AbortController();
  expect(await client.call('math.double', { n: 1 }, { signal: stop.signal })).toBe(2);
  for await (const n of client.stream('count.up', { to: 2 }, { signal: stop.signal }))
    expect(n).toBeLessThan(3);
  stop.abort();
  await turns();
  expect(crossed).toEqual(['call', 'open']);
});
