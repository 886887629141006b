import { afterEach, describe, expect, test } from 'vitest';
import { createBridgeClient, serveBridge } from '../../src/bridge';
import { createTable, operations } from './table';
import { wires } from './wires';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

describe.each(Object.entries(wires))('the bridge over a %s', (_name, connect) => {
  async function connected() {
    const { near, far, close } = await connect();
    closers.push(close);
    const unexpected: unknown[] = [];
    const table = createTable();
    serveBridge(far, operations, table.handlers, (error) => unexpected.push(error));
    return { client: createBridgeClient(near, operations), near, far, unexpected, ...table };
  }

  test('answers a call, filling in defaults', async () => {
    const { client } = await connected();
    expect(await client.call('math.double', { n: 4 })).toBe(8);
  });

  test('rejects input that does not fit, naming the field', async () => {
    const { client } = await connected();
    await expect(client.call('math.double', { n: 'four' as never })).rejects.toMatchObject({
      code: 'request.invalid',
      details: { issues: [expect.stringContaining('n: ')] },
    });
  });

  test('carries a known error whole, and a bug without its insides', async () => {
    const { client, unexpected } = await connected();
    await expect(client.call('math.fail', { how: 'known' })).rejects.toMatchObject({
      code: 'mcp.unreachable',
      details: { serverId: 'fs', reason: 'exit 1' },
    });
    const bug = await client.call('math.fail', { how: 'bug' }).catch((error: unknown) => error);
    expect(bug).toMatchObject({ code: 'internal' });
    expect(JSON.stringify(bug) + String(bug)).not.toContain('hunter2');
    // Told here is the bug alone, with all that it says.
    expect(unexpected).toMatchObject([{ message: 'password=hunter2' }]);
  });

  test('carries an error that the operation does not declare, and tells of it', async () => {
    const { client, unexpected } = await connected();
    await expect(client.call('math.fail', { how: 'undeclared' })).rejects.toMatchObject({
      code: 'view.gone',
    });
    expect(unexpected).toMatchObject([{ message: expect.stringContaining('view.gone') }]);
  });

  test('drops fields the contract does not name, of an answer and of all that a stream brings', async () => {
    const { near, far, close } = await connect();
    closers.push(close);
    const crossed: unknown[] = [];
    const send = (frame: unknown) => {
      crossed.push(frame);
      far.send(frame);
    };
    serveBridge({ ...far, send }, operations, createTable().handlers, () => undefined);
    const client = createBridgeClient(near, operations);
    expect(await client.call('secret.leak', {})).toEqual({ shown: 'yes' });
    expect(await client.call('secret.list', {})).toEqual([{ shown: 'yes' }]);
    expect(await all(client.stream('secret.stream', {}))).toEqual([{ shown: 'first' }, { shown: 'second' }]);
    const newest = (await all(client.stream('secret.picture', {}))).at(-1);
    expect(newest).toEqual([{ shown: 'first' }, { shown: 'second' }]);
    expect(JSON.stringify(crossed)).toContain('second');
    expect(JSON.stringify(crossed)).not.toContain('sk-123');
  });

  test('streams items in order and ends', async () => {
    const { client } = await connected();
    const seen: number[] = [];
    for await (const n of client.stream('count.up', { to: 20_000 })) seen.push(n);
    expect(seen).toEqual(Array.from({ length: 20_000 }, (_, i) => i + 1));
  });

  test('a stream that breaks gives its items first, then the error', async () => {
    const { client } = await connected();
    const seen: number[] = [];
    const run = (async () => {
      for await (const n of client.stream('count.broken', {})) seen.push(n);
    })();
    await expect(run).rejects.toMatchObject({ code: 'internal' });
    expect(seen).toEqual([1]);
  });

  test('of a picture only what differs crosses after the first, and nothing where nothing does', async () => {
    const { near, far, close } = await connect();
    closers.push(close);
    const sizes: number[] = [];
    const send = (frame: unknown) => {
      if (isItem(frame)) sizes.push(JSON.stringify(frame).length);
      far.send(frame);
    };
    const { handlers, list } = createTable();
    serveBridge({ ...far, send }, operations, handlers, () => undefined);
    const client = createBridgeClient(near, operations);
    let newest: unknown;
    void (async () => {
      for await (const item of client.stream('state.list', {})) newest = item;
    })().catch(() => undefined);
    await expect.poll(() => newest).toEqual(list.get());
    list.set(list.get().map((one) => ({ ...one })));
    list.update((all) => all.map((one) => (one.id === 77 ? { ...one, words: 'new' } : one)));
    await expect.poll(() => newest).toEqual(list.get());
    list.update((all) => all.filter(({ id }) => id !== 5));
    await expect.poll(() => newest).toEqual(list.get());
    const [first = 0, ...others] = sizes;
    expect(first).toBeGreaterThan(20_000);
    expect(others).toHaveLength(2);
    for (const size of others) expect(size).toBeLessThan(120);
  });

  test('leaving the loop cancels the work', async () => {
    const { client, told } = await connected();
    for await (const n of client.stream('count.forever', {})) if (n === 3) break;
    await expect.poll(() => told).toEqual(['stopped']);
  });

  test('aborting the signal cancels the work and tells the caller', async () => {
    const { client, told } = await connected();
    const stop = new AbortController();
    const run = (async () => {
      for await (const n of client.stream('count.forever', {}, { signal: stop.signal }))
        if (n === 2) stop.abort();
    })();
    await expect(run).rejects.toMatchObject({ code: 'request.cancelled' });
    await expect.poll(() => told).toEqual(['stopped']);
  });

  test('a call can be cancelled, also before the core has said hello', async () => {
    const { client, told } = await connected();
    const stop = new AbortController();
    const answer = client.call('wait.forever', {}, { signal: stop.signal });
    stop.abort();
    await expect(answer).rejects.toMatchObject({ code: 'request.cancelled' });
    await expect.poll(() => told).toEqual(['call stopped']);
  });

  test('a lost connection fails what was open and stops it in the core', async () => {
    const { client, near, told } = await connected();
    const call = client.call('wait.forever', {});
    const run = (async () => {
      for await (const n of client.stream('count.forever', {})) if (n === 2) near.close();
    })();
    await expect(run).rejects.toMatchObject({ code: 'connection.lost' });
    await expect(call).rejects.toMatchObject({ code: 'connection.lost' });
    await expect.poll(() => [...told].sort()).toEqual(['call stopped', 'stopped']);
    await expect(client.call('math.double', { n: 1 })).rejects.toMatchObject({ code: 'connection.lost' });
  });

  test('the reader of a picture who is slow sees only the newest', async () => {
    const { client, value } = await connected();
    const seen: number[] = [];
    for await (const n of client.stream('state.value', {})) {
      seen.push(n);
      if (n === 1000) break;
      for (let next = value.get() + 1; next <= 1000; next++) {
        value.set(next);
        if (next % 100 === 0) await client.call('math.double', { n: next });
      }
    }
    expect(seen).toEqual([0, 1000]);
  });

  test('a slow reader holds a stream back instead of filling memory', async () => {
    const { client, produced } = await connected();
    for await (const n of client.stream('count.up', { to: 1_000_000 })) {
      // Whatever the core sends before this answer, it has sent.
      for (let round = 0; round < 20; round++) await client.call('math.double', { n });
      await expect.poll(() => produced()).toBeGreaterThan(1);
      break;
    }
    expect(produced()).toBeLessThanOrEqual(4096);
  });

  test('a client with another table is told to load again and asks nothing', async () => {
    const { near, far, close } = await connect();
    closers.push(close);
    const { handlers } = createTable();
    let asked = 0;
    const { 'math.fail': _left, ...others } = operations;
    serveBridge(far, operations, { ...handlers, 'math.double': () => asked++ }, () => undefined);
    const client = createBridgeClient(near, others);
    await expect(client.call('math.double', { n: 1 })).rejects.toMatchObject({ code: 'connection.stale' });
    await expect(client.greeted).rejects.toMatchObject({ code: 'connection.stale' });
    await expect(client.call('math.double', { n: 1 })).rejects.toMatchObject({ code: 'connection.stale' });
    expect(asked).toBe(0);
  });

  test('hangs up on a client that does not speak the protocol', async () => {
    const { near } = await connected();
    const closed = new Promise<void>((resolve) => near.onClose(resolve));
    near.send({ t: 'nonsense' });
    await closed;
  });

  test('the end of a wire is told once to each who listens, also where it is closed twice', async () => {
    const { near, far, close } = await connect();
    closers.push(close);
    const ends: string[] = [];
    near.onClose(() => ends.push('near'));
    near.onClose(() => ends.push('near too'));
    far.onClose(() => ends.push('far'));
    near.close();
    near.close();
    await expect.poll(() => [...ends].sort()).toEqual(['far', 'near', 'near too']);
    far.close();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(ends).toHaveLength(3);
  });

  test('an operation cannot be reached through the prototype', async () => {
    const { client } = await connected();
    await expect(client.call('constructor' as never, {} as never)).rejects.toMatchObject({
      code: 'request.unknown',
    });
  });

  test('a stream cannot be called and a call cannot be opened', async () => {
    const { client } = await connected();
    await expect(client.call('count.up' as never, { to: 1 } as never)).rejects.toMatchObject({
      code: 'request.unknown',
    });
    const opened = client.stream('math.double' as never, { n: 1 } as never)[Symbol.asyncIterator]();
    await expect(opened.next()).rejects.toMatchObject({ code: 'request.unknown' });
  });
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}

const isItem = (frame: unknown) => ['item', 'change'].includes((frame as { t: string }).t);
