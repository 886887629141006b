import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reasonWords } from '../../src/contract/server-reasons';
import { call, ends, folder, idOf, isAlive, ours, until, type World, world } from './setup';

const good = ours('vault');
const textOf = ({ parts }: Awaited<ReturnType<typeof call>>) =>
  parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
const goodAnswers = async ({ mcp }: World) =>
  expect(textOf(await call(mcp, 'good', 'where'))).toBe('undefined');

test('a server that never answers is said to, while the others are up long before', async () => {
  const bad = { ...ours('never-answers'), initTimeout: 1_500 };
  const all = await world({ bad, good });
  await all.until('good', ({ state }) => state.kind === 'ready');
  expect(all.server('bad').state.kind).toBe('starting');
  const { state } = await all.until('bad', (server) => server.state.kind === 'waiting');
  expect(state).toMatchObject({ reason: { code: 'no-start', ms: 1_500 } });
  await goodAnswers(all);
});

test('a server that dies at start is tried again, then reported with its last lines, secrets hidden', async () => {
  const all = await world({ bad: ours('dies-at-start'), good });
  const { state, lastError } = await all.until(
    'bad',
    (server) => server.state.kind === 'waiting' && server.state.attempt === 2,
  );
  expect(state).toMatchObject({
    reason: { code: 'wrote', why: { code: 'exited' }, lines: expect.arrayContaining(['looking for a key']) },
  });
  expect(lastError && reasonWords(lastError.reason)).toContain('••• is not one');
  expect(
    JSON.stringify(await until(all.mcp.log(idOf(all.mcp, 'bad')), (log) => log.length > 1)),
  ).not.toContain('sk-abc');
  await expect(all.mcp.ready(idOf(all.mcp, 'bad'))).rejects.toMatchObject({ code: 'mcp.unreachable' });
  await goodAnswers(all);
});

test('a server that dies when asked for the modern era is spoken to in the old one, the next time at once', async () => {
  const starts = join(folder(), 'starts');
  const { command, args } = ours('dies-on-probe');
  const all = await world({ bad: { command, args: [...args, starts] } });
  const { server } = await all.until('bad', ({ state }) => state.kind === 'ready');
  expect(server?.era).toBe('legacy');
  expect(readFileSync(starts, 'utf8')).toBe('start\nstart\n');
  await all.mcp.restart(idOf(all.mcp, 'bad'));
  await all.until('bad', ({ state }) => state.kind === 'ready');
  expect(readFileSync(starts, 'utf8')).toBe('start\nstart\nstart\n');
});

test('a server that dies in a call fails that call, and is back for the next one', async () => {
  const all = await world({ bad: ours('dies-on-call'), good });
  const before = textOf(await call(all.mcp, 'bad', 'pid'));
  await expect(call(all.mcp, 'bad', 'die')).rejects.toMatchObject({ code: 'mcp.unreachable' });
  const after = textOf(await call(all.mcp, 'bad', 'pid'));
  expect(after).not.toBe(before);
  expect(all.mcp.metrics.get().find(({ name }) => name === 'bad')?.restarts).toBe(1);
  await goodAnswers(all);
});

test('lines that are no messages are left out, counted, and the first ones shown', async () => {
  const all = await world({ bad: ours('garbage') });
  expect(textOf(await call(all.mcp, 'bad', 'x'))).toBe('fine');
  const log = await until(all.mcp.log(idOf(all.mcp, 'bad')), (lines) =>
    lines.some(({ text }) => text.startsWith('5000 lines')),
  );
  expect(log[0]?.text).toBe('Not a message, left out: Server is ready!');
  expect(log.length).toBeLessThan(20);
});

test('a flood on standard error does not stop a call, and the log keeps the newest 500 lines', async () => {
  const all = await world({ bad: ours('floods'), good });
  const flood = call(all.mcp, 'bad', 'flood', {}, { timeoutMs: 60_000 });
  await goodAnswers(all);
  expect(textOf(await flood)).toBe('done');
  const log = await until(all.mcp.log(idOf(all.mcp, 'bad')), (lines) => lines.length >= 500);
  expect(log).toHaveLength(500);
});

test('a line of 11 MB is an answer as any other', async () => {
  const all = await world({ big: ours('long-line') });
  const result = await call(all.mcp, 'big', 'big', { bytes: 11_000_000 });
  expect(textOf(result)).toHaveLength(11_000_000);
});

test('a line of 70 MB ends the server with a reason, and it is started again', async () => {
  const all = await world({ big: ours('long-line'), good });
  const big = call(all.mcp, 'big', 'big', { bytes: 70_000_000 }, { timeoutMs: 60_000 });
  await expect(big).rejects.toMatchObject({
    code: 'mcp.unreachable',
    message: 'It sent a message of more than 64 MiB.',
  });
  expect(textOf(await call(all.mcp, 'big', 'big', { bytes: 3 }))).toBe('xxx');
  await goodAnswers(all);
});

test('a tool list without an end is cut and said so', async () => {
  const all = await world({ bad: ours('endless-list') });
  const { tools, rejected } = await all.until('bad', ({ state }) => state.kind === 'ready');
  expect(tools).toBe(64);
  expect(rejected).toEqual([{ tool: null, number: 65, reason: { code: 'list-cut', count: 64 } }]);
  expect(textOf(await call(all.mcp, 'bad', 'tool-63'))).toBe('tool-63');
});

test('a server that ignores the end of its input and SIGTERM is gone after stop', async () => {
  const all = await world({ bad: ours('stubborn'), good });
  const pid = Number(textOf(await call(all.mcp, 'bad', 'pid')));
  expect(isAlive(pid)).toBe(true);
  await all.mcp.stop(idOf(all.mcp, 'bad'));
  expect(isAlive(pid)).toBe(false);
  expect(all.server('bad').state).toEqual({ kind: 'stopped' });
  expect(all.mcp.tools.get().some(({ serverName }) => serverName === 'bad')).toBe(false);
  await goodAnswers(all);
});

test('what a server has started ends with it, also when it dies by itself', async () => {
  const all = await world({ bad: ours('grandchild') });
  const [first, grandchild] = textOf(await call(all.mcp, 'bad', 'pids'))
    .split(' ')
    .map(Number);
  process.kill(first!, 'SIGKILL');
  await all.until('bad', ({ state }) => state.kind !== 'ready');
  const [second, another] = textOf(await call(all.mcp, 'bad', 'pids'))
    .split(' ')
    .map(Number);
  expect(await ends(grandchild!)).toBe(true);
  await all.mcp.stop(idOf(all.mcp, 'bad'));
  expect(await ends(second!)).toBe(true);
  expect(await ends(another!)).toBe(true);
});

test('a malformed tool is left out and reported, the others stay', async () => {
  const all = await world({ bad: ours('malformed-tool') });
  const { rejected } = await all.until('bad', ({ state }) => state.kind === 'ready');
  const names = all.mcp.tools.get().filter(({ serverName }) => serverName === 'bad');
  expect(names.map(({ name }) => name)).toEqual(['good', 'also-good']);
  expect(names[1]).toMatchObject({ description: '', annotations: { destructive: true } });
  expect(rejected.map(({ tool, number }) => tool ?? number)).toEqual([
    'no-schema',
    3,
    4,
    'deep',
    'array',
    'good',
  ]);
});

test('a stopped call is cancelled at the server, and its late answer is nobody’s', async () => {
  const record = join(folder(), 'record');
  const { command, args } = ours('slow');
  const all = await world({ slow: { command, args: [...args, record] } });
  await all.mcp.ready(idOf(all.mcp, 'slow'));
  const stop = new AbortController();
  const stopped = call(all.mcp, 'slow', 'forever', {}, { signal: stop.signal });
  const late = call(all.mcp, 'slow', 'forever', {}, { timeoutMs: 300 });
  await expect(late).rejects.toMatchObject({ code: 'tool.timed-out', details: { afterMs: 300 } });
  stop.abort();
  await expect(stopped).rejects.toMatchObject({ code: 'request.cancelled' });
  // Messages stay in order: when this is answered, the cancellations have arrived.
  expect(textOf(await call(all.mcp, 'slow', 'progress', { steps: 1, every: 1 }))).toBe('done');
  const lines = readFileSync(record, 'utf8').trim().split('\n');
  const ids = (word: string) =>
    lines.filter((line) => line.startsWith(word)).map((line) => line.split(' ')[1]);
  expect(ids('called')).toHaveLength(2);
  expect(ids('cancelled').sort()).toEqual(ids('called').sort());
});

test('progress is passed on, and keeps a long-running call alive but no other', async () => {
  const { command, args } = ours('slow');
  const all = await world({ slow: { command, args: [...args, '/dev/null'] } });
  await all.mcp.ready(idOf(all.mcp, 'slow'));
  const seen: number[] = [];
  const steps = { steps: 6, every: 250 };
  const long = call(all.mcp, 'slow', 'progress', steps, {
    timeoutMs: 1_000,
    longRunning: true,
    onProgress: ({ progress, total, message }) => {
      seen.push(progress);
      expect({ total, message }).toEqual({ total: 6, message: `step ${progress}` });
    },
  });
  const short = call(all.mcp, 'slow', 'progress', steps, { timeoutMs: 1_000 });
  await expect(short).rejects.toMatchObject({ code: 'tool.timed-out' });
  expect(textOf(await long)).toBe('done');
  // The last word may be overtaken by the answer itself.
  expect([1, 2, 3, 4, 5, 6].slice(0, seen.length)).toEqual(seen);
  expect(seen.length).toBeGreaterThanOrEqual(5);
});

test('what is no result is an error that says why, and what has a form is kept', async () => {
  const { mcp } = await world({ odd: ours('strange-results') });
  const failed = async (tool: string) => call(mcp, 'odd', tool).catch((error: unknown) => error);
  expect(await failed('unknown')).toMatchObject({
    code: 'mcp.protocol',
    message: 'The result is not what the protocol says: content 3 has a missing or wrong “data”.',
  });
  expect(await failed('nothing')).toMatchObject({
    code: 'mcp.protocol',
    message: 'The result is not what the protocol says: it has no “content”.',
  });
  expect(JSON.stringify(await call(mcp, 'odd', 'deep')).length).toBeLessThan(1_000);
  expect(await call(mcp, 'odd', 'no-content')).toMatchObject({ parts: [], structured: { n: 1 } });
  expect(textOf(await call(mcp, 'odd', 'twice'))).toBe('first');
});

test('a structured result that breaks the tool’s promise is an error that says how, and its text is kept', async () => {
  const { mcp } = await world({ odd: ours('strange-results') });
  expect(await call(mcp, 'odd', 'kept')).toMatchObject({ structured: { n: 7 } });
  const broken = await call(mcp, 'odd', 'broken-promise');
  expect(broken).toMatchObject({ isError: true, structured: undefined });
  expect(textOf(broken)).toBe('(The structured result is not what the tool promises: n must be number.)kept');
});

test('a catastrophic pattern in an output schema does not hang the app', async () => {
  const { mcp } = await world({ odd: ours('strange-results') });
  await mcp.ready(idOf(mcp, 'odd'));
  const started = performance.now();
  expect(textOf(await call(mcp, 'odd', 'redos'))).toContain('must match pattern');
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('tools are listed once a connection and again only when the server says so', async () => {
  const { mcp } = await world({ changing: ours('list-changes') });
  for (let n = 0; n < 5; n++) await call(mcp, 'changing', 'listed');
  expect(textOf(await call(mcp, 'changing', 'listed'))).toBe('1');
  await call(mcp, 'changing', 'add', { name: 'new-one' });
  await until(mcp.tools, (tools) => tools.some(({ name }) => name === 'new-one'));
  expect(textOf(await call(mcp, 'changing', 'listed'))).toBe('2');
});

test('a program that does not exist is said so with the folders searched, and not tried again', async () => {
  const all = await world({
    bad: { command: 'no-such-program-here' },
    npx: { command: 'npx', cwd: '/no/such' },
    good,
  });
  const { state } = await all.until('bad', (server) => server.state.kind === 'failed');
  expect('reason' in state && reasonWords(state.reason)).toMatch(
    /^“no-such-program-here” was not found. Searched in: .*bin/,
  );
  const { state: other } = await all.until('npx', (server) => server.state.kind === 'failed');
  expect(other).toMatchObject({ reason: { code: 'no-folder', folder: '/no/such' } });
  await goodAnswers(all);
});

test('a server that is stopped at any moment of its start leaves nothing behind', async () => {
  const record = join(folder(), 'pids');
  const { command, args } = ours('never-answers');
  const { mcp } = await world({ bad: { command, args: [...args, record], autostart: false } });
  // On a busy machine it takes longer until it comes to say who it is.
  const later = [100, 200, 400, 800, 1_600];
  for (const ms of [...Array.from({ length: 15 }, (_, n) => 4 * n), ...later]) {
    await mcp.start(idOf(mcp, 'bad'));
    await new Promise((resolve) => setTimeout(resolve, ms));
    await mcp.stop(idOf(mcp, 'bad'));
  }
  const pids = readFileSync(record, 'utf8').trim().split('\n').map(Number);
  expect(pids.length).toBeGreaterThan(0);
  expect(pids.filter(isAlive)).toEqual([]);
});

test('instructions and refusals hide nothing and have an end', async () => {
  const { mcp } = await world({ bad: ours('hidden-errors') });
  const error: unknown = await call(mcp, 'bad', 'x').catch((reason: unknown) => reason);
  expect(String(error)).toContain('The server refused: red \\u{202e}txt');
  expect(String(error).length).toBeLessThan(2_000);
  const [instructions] = mcp.instructions();
  expect(instructions?.text).toMatch(/^red \\u\{202e\}txtx+…$/);
  expect(instructions?.text.length).toBeLessThan(20_000);
});
