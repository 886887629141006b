import { expect, test } from 'vitest';
import type { ServerEntry } from '../../src/contract/mcp';
import { call, everything, filesystem, folder, idOf, memory, ours, until, world } from './setup';

const told = async (...args: Parameters<typeof call>) => {
  const [part] = (await call(...args)).parts;
  return part?.kind === 'text' ? JSON.parse(part.text) : null;
};

test('a server is asked for its tools once, however many calls are made and pictures looked at', async () => {
  const { mcp } = await world({ counts: ours('counts') });
  for (let n = 0; n < 10; n++) {
    await call(mcp, 'counts', 'wait', { ms: 0 });
    for await (const _tools of mcp.tools.follow(AbortSignal.timeout(1_000))) break;
    await mcp.settled(new AbortController().signal);
  }
  expect((await told(mcp, 'counts', 'counts'))['tools/list']).toBe(1);
});

test('ten servers start side by side: none waits until another is up', async () => {
  const delays = [0, 0, 0, 0, 0, 0, 0, 0, 0, 20_000];
  const servers = Object.fromEntries(
    delays.map((ms, at) => [`s${at}`, { ...ours('counts'), env: { START_AFTER: String(ms) } }]),
  );
  // The slow one is asked first.
  const { mcp } = await world(Object.fromEntries(Object.entries(servers).reverse()));
  const states = (all: readonly ServerEntry[], kind: string) =>
    all.filter(({ level, state }) => level === 'user' && state.kind === kind).length;
  await until(mcp.servers, ({ servers: all }) => states(all, 'ready') === 9 && states(all, 'starting') === 1);
});

test('a hundred calls stopped at random moments: each ends at once, the server hears of it and stays well', async () => {
  const { mcp, server } = await world({ counts: { ...ours('counts'), timeout: 60_000 } });
  await mcp.ready(idOf(mcp, 'counts'));
  const seed = 20_261_122;
  let number = seed;
  const random = () => {
    number = (number * 1_103_515_245 + 12_345) % 2 ** 31;
    return number / 2 ** 31;
  };
  const late: number[] = [];
  const ends = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const stop = new AbortController();
      // Half of them would not end by themselves while this lasts.
      const ms = random() < 0.5 ? 100 : 50_000;
      const isStopped = ms > 100 || random() < 0.8;
      const waiting = call(mcp, 'counts', 'wait', { ms }, { signal: stop.signal });
      let stopped = 0;
      setTimeout(() => {
        if (!isStopped) return;
        stopped = performance.now();
        stop.abort();
      }, random() * 200);
      const end = await waiting.then(
        () => 'answered',
        (error: { code: string }) => error.code,
      );
      if (end === 'request.cancelled') late.push(performance.now() - stopped);
      return end;
    }),
  );
  const cancelled = ends.filter((end) => end === 'request.cancelled').length;
  expect(new Set(ends)).toEqual(new Set(['answered', 'request.cancelled']));
  expect(cancelled).toBeGreaterThan(20);
  // Those that would go on do so for fifty seconds.
  expect(Math.max(...late)).toBeLessThan(20_000);
  const seen = await told(mcp, 'counts', 'counts');
  // Of the calls that it had; the last is the one that asks.
  expect(seen['notifications/cancelled']).toBe(seen['tools/call'] - (ends.length - cancelled) - 1);
  expect(server('counts').state.kind).toBe('ready');
});

test('real servers side by side: everything, memory, filesystem and sequential thinking', async () => {
  const names = ['everything', 'memory', 'filesystem', 'thinking'];
  const { mcp, until: untilServer } = await world({
    everything,
    memory,
    filesystem: filesystem(folder()),
    thinking: {
      command: process.execPath,
      args: [everything.args[0]?.replace('server-everything', 'server-sequential-thinking') ?? ''],
    },
  });
  for (const name of names) await untilServer(name, ({ state }) => state.kind === 'ready');
  const thought = { thought: 'One.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
  expect((await call(mcp, 'thinking', 'sequentialthinking', thought)).isError).toBe(false);
});
