import { expect, test } from 'vitest';
import { type Connection, createWirePair, reopening, serveBridge, type Wire } from '../../src/bridge';
import { AppError } from '../../src/contract/errors';
import { createManualClock } from '../support/manual-clock';
import { createTable, operations } from './table';

/** A core that can be reached again and again; `dropAfter` counts the frames that pass, both ways, before a wire drops. */
function createCore(dropAfter: (connection: number) => number) {
  const table = createTable();
  const last: { wire?: Wire } = {};
  let opened = 0;
  let passed = 0;
  const open = async (): Promise<Wire> => {
    const left = { frames: dropAfter(++opened) };
    const [near, far] = createWirePair();
    last.wire = near;
    const counted = (wire: Wire): Wire => ({
      ...wire,
      onFrame: (listener) =>
        wire.onFrame((frame) => {
          if (left.frames-- <= 0) return wire.close();
          passed++;
          listener(frame);
        }),
    });
    serveBridge(counted(far), operations, table.handlers, () => undefined);
    return counted(near);
  };
  return { ...table, open, last, opened: () => opened, passed: () => passed };
}

const quickly = {
  now: () => 0,
  after: (_ms: number, work: () => void) => {
    const timer = setImmediate(work);
    return () => clearImmediate(timer);
  },
};

/** A scripted run: calls asked again until answered, a stream read again until whole, a picture followed throughout. */
async function script(
  { client }: Connection<typeof operations>,
  value: { set(n: number): void },
): Promise<{ doubled: number[]; counted: number[]; followed: number[] }> {
  const followed: number[] = [];
  const following = (async () => {
    for await (const n of client.stream('state.value', {})) {
      followed.push(n);
      if (n === 5) return;
    }
  })();
  const again = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const { code } = error as { code?: string };
        if (code !== 'connection.lost' && code !== 'connection.none') throw error;
      }
    }
  };
  const doubled: number[] = [];
  for (let n = 1; n <= 5; n++) {
    doubled.push(await again(() => client.call('math.double', { n })));
    value.set(n);
  }
  const counted = await again(async () => {
    const seen: number[] = [];
    for await (const n of client.stream('count.up', { to: 5 })) seen.push(n);
    return seen;
  });
  await following;
  return { doubled, counted, followed };
}

const whole = createCore(() => Number.POSITIVE_INFINITY);
await script(reopening({ ...whole, operations }), whole.value);

test.each(Array.from({ length: whole.passed() }, (_, frame) => frame))(
  'a wire that drops at frame %i of a run is replaced: calls answered, streams whole, pictures go on',
  async (frame) => {
    const core = createCore((connection) => (connection === 1 ? frame : Number.POSITIVE_INFINITY));
    const connection = reopening({ open: core.open, operations, clock: quickly });
    const { doubled, counted, followed } = await script(connection, core.value);
    expect(doubled).toEqual([2, 4, 6, 8, 10]);
    expect(counted).toEqual([1, 2, 3, 4, 5]);
    expect(followed.at(-1)).toBe(5);
    expect(followed.toSorted()).toEqual(followed);
    expect(core.opened()).toBe(2);
    connection.close();
  },
);

test('what was under way when the wire dropped fails with connection.lost, and stops in the core', async () => {
  const core = createCore(() => Number.POSITIVE_INFINITY);
  const connection = reopening({ open: core.open, operations, clock: quickly });
  const call = connection.client.call('wait.forever', {});
  const counting = (async () => {
    for await (const n of connection.client.stream('count.forever', {})) if (n === 2) core.last.wire?.close();
  })();
  await expect(counting).rejects.toMatchObject({ code: 'connection.lost' });
  await expect(call).rejects.toMatchObject({ code: 'connection.lost' });
  await expect.poll(() => [...core.told].sort()).toEqual(['call stopped', 'stopped']);
  expect(await connection.client.call('math.double', { n: 2 })).toBe(4);
  connection.close();
});

test('what is asked for while there is no connection is done within moments or not at all; what says so waits', async () => {
  const core = createCore(() => Number.POSITIVE_INFINITY);
  let isThere = true;
  const timers = new Map<number, () => void>();
  const connection = reopening({
    open: () => (isThere ? core.open() : Promise.reject(new Error('refused'))),
    operations,
    clock: {
      now: () => 0,
      after: (ms, work) => {
        timers.set(ms, work);
        return () => timers.delete(ms);
      },
    },
    random: () => 0.5,
  });
  expect(await connection.client.call('math.double', { n: 1 })).toBe(2);
  isThere = false;
  core.last.wire?.close();
  const waiting = connection.client.call('math.double', { n: 2 }, { waits: true });
  const late = connection.client.call('math.double', { n: 3 });
  const refused = expect(late).rejects.toMatchObject({ code: 'connection.none' });
  timers.get(2_000)?.();
  await refused;

  const soon = connection.client.call('math.double', { n: 4 });
  isThere = true;
  connection.retryNow();
  expect(await soon).toBe(8);
  expect(await waiting).toBe(4);
  expect(timers.has(2_000)).toBe(false);
  connection.close();
});

test('waits longer after each failure, says until when, and can be told to try now', async () => {
  const core = createCore(() => Number.POSITIVE_INFINITY);
  const waits: number[] = [];
  let due: () => void = () => undefined;
  let failures = 4;
  const connection = reopening({
    open: () => (failures-- > 0 ? Promise.reject(new Error('refused')) : core.open()),
    operations,
    random: () => 0.5,
    clock: {
      now: () => 1000,
      after: (ms, work) => {
        waits.push(ms);
        due = work;
        return () => undefined;
      },
    },
  });
  const waiting = (attempt: number) =>
    expect.poll(() => connection.state.get()).toMatchObject({ kind: 'waiting', attempt });
  const answer = connection.client.call('math.double', { n: 1 });
  await waiting(1);
  expect(connection.state.get()).toEqual({ kind: 'waiting', retryAt: 1100, attempt: 1 });
  due();
  await waiting(2);
  due();
  await waiting(3);
  due();
  await waiting(4);
  connection.retryNow();
  expect(await answer).toBe(2);
  // Then it is looked every second whether the core is still heard.
  expect(waits).toEqual([100, 200, 400, 800, 1000]);
  expect(connection.state.get()).toEqual({ kind: 'connected' });
  // The next loss is a first one again.
  core.last.wire?.close();
  await waiting(1);
  expect(waits.at(-1)).toBe(100);
  connection.close();
});

test('a core with another table is not asked again: the page is stale', async () => {
  const { 'math.fail': _left, ...others } = operations;
  const core = createCore(() => Number.POSITIVE_INFINITY);
  const connection = reopening({ open: core.open, operations: others, clock: quickly });
  await expect(connection.client.call('math.double', { n: 1 })).rejects.toMatchObject({
    code: 'connection.stale',
  });
  expect(connection.state.get()).toEqual({ kind: 'stale' });
  await expect(connection.client.call('math.double', { n: 1 })).rejects.toMatchObject({
    code: 'connection.stale',
  });
  expect(core.opened()).toBe(1);
});

test('closing ends pictures, waiting calls and the attempts', async () => {
  const connection = reopening({ open: () => new Promise(() => undefined), operations });
  const call = connection.client.call('math.double', { n: 1 });
  const followed = connection.client.stream('state.value', {})[Symbol.asyncIterator]().next();
  connection.close();
  await expect(call).rejects.toMatchObject({ code: 'connection.lost' });
  await expect(followed).rejects.toMatchObject({ code: 'connection.lost' });
  expect(connection.state.get()).toEqual({ kind: 'closed' });
});

test('a wire that is there only after closing is closed, and nothing is connected', async () => {
  const core = createCore(() => Number.POSITIVE_INFINITY);
  const late = Promise.withResolvers<Wire>();
  const connection = reopening({ open: () => late.promise, operations, clock: quickly });
  connection.close();
  const wire = await core.open();
  const closed = new Promise<void>((resolve) => core.last.wire?.onClose(resolve));
  late.resolve(wire);
  await closed;
  expect(connection.state.get()).toEqual({ kind: 'closed' });
});

const turns = () => new Promise((resolve) => setTimeout(resolve, 5));

/** A connection that was there and is not at the moment. */
async function interrupted() {
  const core = createCore(() => Number.POSITIVE_INFINITY);
  const clock = createManualClock();
  let isThere = true;
  const connection = reopening({
    open: () => (isThere ? core.open() : Promise.reject(new Error('refused'))),
    operations,
    clock,
  });
  expect(await connection.client.call('math.double', { n: 1 })).toBe(2);
  isThere = false;
  core.last.wire?.close();
  return {
    ...connection,
    core,
    clock,
    back() {
      isThere = true;
      connection.retryNow();
    },
  };
}

const cancelled = { code: 'request.cancelled' };

test('what is cancelled while there is no connection, or was before it was asked, fails as cancelled and at once', async () => {
  const { client, close } = await interrupted();
  const stop = new AbortController();
  const call = client.call('math.double', { n: 2 }, { signal: stop.signal });
  const waiting = client.call('math.double', { n: 3 }, { signal: stop.signal, waits: true });
  stop.abort();
  await expect(call).rejects.toMatchObject(cancelled);
  await expect(waiting).rejects.toMatchObject(cancelled);
  await expect(client.call('math.double', { n: 4 }, { signal: stop.signal })).rejects.toMatchObject(
    cancelled,
  );
  await expect(
    client.call('math.double', { n: 5 }, { signal: stop.signal, waits: true }),
  ).rejects.toMatchObject(cancelled);
  close();
});

test('what is asked for while there is no connection is lost where that is closed, and so is all that is asked later', async () => {
  const { client, close } = await interrupted();
  const call = client.call('math.double', { n: 2 });
  close();
  await expect(call).rejects.toMatchObject({ code: 'connection.lost' });
  await expect(client.call('math.double', { n: 3 })).rejects.toMatchObject({ code: 'connection.lost' });
});

test('a stream and a state that are asked for while there is no connection wait for it, however long', async () => {
  const { client, clock, back, close } = await interrupted();
  const stream = client.stream('count.up', { to: 1 })[Symbol.asyncIterator]().next();
  const state = client.stream('state.value', {})[Symbol.asyncIterator]().next();
  for (const work of [stream, state]) work.catch(() => undefined);
  await turns();
  clock.advance(60_000);
  await turns();
  back();
  expect(await stream).toEqual({ done: false, value: 1 });
  expect(await state).toEqual({ done: false, value: 0 });
  close();
});

test('a wire that closes before the core says hello is replaced by one other', async () => {
  const core = createCore(() => Number.POSITIVE_INFINITY);
  const clock = createManualClock();
  const [mute, end] = createWirePair();
  let opened = 0;
  const connection = reopening({
    open: async () => (opened++ === 0 ? mute : core.open()),
    operations,
    clock,
  });
  await turns();
  end.close();
  await turns();
  expect(connection.state.get()).toMatchObject({ kind: 'waiting', attempt: 1 });
  clock.advance(200);
  await expect.poll(() => connection.state.get()).toEqual({ kind: 'connected' });
  await turns();
  expect(opened).toBe(2);
  connection.close();
});

test('a page that is refused waits until it is told to try again, and is let in then', async () => {
  const core = createCore(() => Number.POSITIVE_INFINITY);
  const clock = createManualClock();
  let isInvited = false;
  const connection = reopening({
    open: () =>
      isInvited
        ? core.open()
        : Promise.reject(new AppError('connection.refused', 'This browser is not known.', {})),
    operations,
    clock,
  });
  const answer = connection.client.call('math.double', { n: 1 });
  await expect.poll(() => connection.state.get()).toEqual({ kind: 'refused' });
  expect(clock.pending()).toBe(0);
  isInvited = true;
  connection.retryNow();
  expect(await answer).toBe(2);
  connection.close();
});

test('to be told to try again changes nothing where there is a connection', async () => {
  const core = createCore(() => Number.POSITIVE_INFINITY);
  const connection = reopening({ open: core.open, operations, clock: createManualClock() });
  expect(await connection.client.call('math.double', { n: 1 })).toBe(2);
  connection.retryNow();
  await turns();
  expect(connection.state.get()).toEqual({ kind: 'connected' });
  expect(core.opened()).toBe(1);
  connection.close();
});

test('a page that is stale stays so, closed or told to try again', async () => {
  const { 'math.fail': _left, ...others } = operations;
  const core = createCore(() => Number.POSITIVE_INFINITY);
  const clock = createManualClock();
  const connection = reopening({ open: core.open, operations: others, clock });
  await expect.poll(() => connection.state.get()).toEqual({ kind: 'stale' });
  const states: string[] = [];
  connection.state.onChange(({ kind }) => states.push(kind));
  connection.close();
  connection.retryNow();
  await turns();
  expect(states).toEqual([]);
  expect(connection.state.get()).toEqual({ kind: 'stale' });
  expect(clock.pending()).toBe(0);
});
