import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAppError } from '../../src/contract/errors';
import { type How, hostileHttp } from './hostile-http';
import { call, folder, idOf, ours, until, type World, world } from './setup';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Era = 'legacy' | 'modern';

const text = (words: Json) => ({ type: 'text', text: words });
const wrong: readonly Json[] = [null, true, 7, 'x', [], {}];
const except = (...fine: readonly Json[]) =>
  wrong.filter((one) => !fine.some((other) => JSON.stringify(other) === JSON.stringify(one)));

/** Every place of an answer with every shape that it must not have. Of the tool `say`, or of one that promises a number. */
function malformedAnswers(): { tool: string; answer: Json }[] {
  const result = (content: Json, others: { readonly [key: string]: Json } = {}): Json => ({
    jsonrpc: '2.0',
    id: '$ID',
    result: { resultType: 'complete', content, ...others },
  });
  const items: Json[] = [
    ...wrong,
    { type: 7 },
    ...except('x').map(text),
    { type: 'text' },
    ...['image', 'audio'].flatMap((type): Json[] => [
      { type },
      { type, data: 'AAAA' },
      { type, mimeType: 'image/png' },
      { type, data: 7, mimeType: 'image/png' },
      { type, data: '<svg>', mimeType: 'image/png' },
    ]),
    { type: 'resource_link', uri: 'a:b' },
    { type: 'resource_link', name: 'b' },
    ...wrong.map((resource) => ({ type: 'resource', resource })),
    { type: 'resource', resource: { uri: 'a:b' } },
    { type: 'resource', resource: { uri: 'a:b', text: 7 } },
  ];
  const ids = except(7).map((id) => ({ jsonrpc: '2.0', id, result: { content: [] } }));
  const say: Json[] = [
    ...wrong.map((other) => ({ jsonrpc: '2.0', id: '$ID', result: other })),
    ...except(null, []).map((content) => result(content)),
    { jsonrpc: '2.0', id: '$ID', result: { resultType: 'complete', content: null } },
    ...items.map((item) => result([text('one'), item])),
    ...[7, 'x', [], {}].map((isError) => result([], { isError })),
    ...except(null).map((error) => ({ jsonrpc: '2.0', id: '$ID', error })),
    { jsonrpc: '2.0', id: '$ID' },
    ...wrong.map((jsonrpc) => ({ jsonrpc, id: '$ID', result: { content: [] } })),
    { id: '$ID', result: { content: [] } },
    ...ids,
    { jsonrpc: '2.0', result: { content: [] } },
    { jsonrpc: '2.0', id: 99_999, result: { content: [] } },
    { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } },
  ];
  const promises = [
    result([text('no structure')]),
    ...wrong.map((structuredContent) => result([text('kept')], { structuredContent })),
    result([], { structuredContent: { n: 'seven' } }),
  ];
  return [
    ...say.map((answer) => ({ tool: 'say', answer })),
    ...promises.map((answer) => ({ tool: 'promises', answer })),
  ];
}

const cases = malformedAnswers();
const lines = [
  ...cases.map(({ answer }) => JSON.stringify(answer).replaceAll('"$ID"', '$ID')),
  '{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"te',
  '{"jsonrpc":"2.0","result":{"content":[',
];
const toolOf = (n: number) => cases[n]?.tool ?? 'say';

const fast = lines.flatMap((line, n) => (line.includes('$ID') ? [n] : []));
const nameless = lines.flatMap((line, n) => (line.includes('$ID') ? [] : [n]));
/** A hundred broken messages in a minute end a connection. */
const atOnce = 60;

/** Here it is within half a second; a busy machine is slow, not wrong. */
const soonMs = 10_000;

/** What breaks only the promise of its tool is told as a failure with its text. */
const saysBroken = (outcome: unknown) =>
  typeof outcome === 'object' && outcome !== null && 'isError' in outcome && outcome.isError === true;

/** An error with a code, soon, and the calls beside it and after it are answered. */
async function isRefused({ mcp }: World): Promise<void> {
  const wrongly: string[] = [];
  async function refused(n: number): Promise<void> {
    const started = performance.now();
    const outcome = await call(mcp, 'bad', toolOf(n), { n }, { timeoutMs: 60_000 }).catch(
      (error: unknown) => error,
    );
    const ms = performance.now() - started;
    const isRefusal = isAppError(outcome, 'mcp.protocol') || saysBroken(outcome);
    if (!isRefusal || ms > soonMs)
      wrongly.push(`${lines[n]}: after ${Math.round(ms)} ms, ${JSON.stringify(outcome)}`);
  }
  const isFine = async () =>
    expect((await call(mcp, 'bad', 'say', { n: -1 })).parts).toEqual([{ kind: 'text', text: 'fine' }]);

  for (let from = 0; from < fast.length; from += atOnce) {
    await mcp.restart(idOf(mcp, 'bad'));
    await mcp.ready(idOf(mcp, 'bad'));
    for (let first = from; first < Math.min(from + atOnce, fast.length); first += 10)
      await Promise.all([...fast.slice(first, Math.min(first + 10, from + atOnce)).map(refused), isFine()]);
  }
  await mcp.restart(idOf(mcp, 'bad'));
  await mcp.ready(idOf(mcp, 'bad'));
  for (const n of nameless) {
    await refused(n);
    await isFine();
  }
  expect(wrongly).toEqual([]);
  expect((await call(mcp, 'good', 'where')).isError).toBe(false);
}

const good = ours('vault');

function program(written: readonly string[], era: Era) {
  const file = join(folder(), 'lines');
  writeFileSync(file, JSON.stringify(written));
  const { command, args } = ours('says-anything');
  return { command, args: [...args, file, era, 'alone'] };
}

for (const era of ['legacy', 'modern'] as const)
  test(`a program's answer of a wrong shape is an error, at once: ${era}`, async () => {
    await isRefused(await world({ bad: program(lines, era), good }));
  }, 60_000);

const ways: readonly [How, Era][] = [
  ['json', 'legacy'],
  ['json', 'modern'],
  ['events', 'legacy'],
  ['events', 'modern'],
  ['sse', 'legacy'],
];
for (const [how, era] of ways)
  test(`an answer of a wrong shape over HTTP is an error, at once: ${how}, ${era}`, async () => {
    const url = await hostileHttp(lines, { how, era, alone: true });
    await isRefused(await world({ bad: { url, ...(how === 'sse' && { transport: 'sse' }) }, good }));
  }, 60_000);

test('an answer to nobody knows which of two calls fails the one that stays without', async () => {
  const { mcp } = await world({ bad: program(['{"jsonrpc":"2.0","result":{}}', '$LATER'], 'legacy') });
  await mcp.ready(idOf(mcp, 'bad'));
  const lost = call(mcp, 'bad', 'say', { n: 0 }, { timeoutMs: 20_000 }).catch((error: unknown) => error);
  expect((await call(mcp, 'bad', 'say', { n: -1 })).parts).toEqual([{ kind: 'text', text: 'fine' }]);
  expect(await lost).toMatchObject({ code: 'mcp.protocol' });
});

test('what is no JSON-RPC at all is told at once while a call waits', async () => {
  const all = await world({ bad: program(['Thinking about it'], 'legacy') });
  const { mcp } = all;
  await mcp.ready(idOf(mcp, 'bad'));
  const stop = new AbortController();
  const heard: unknown[] = [];
  const waiting = call(
    mcp,
    'bad',
    'say',
    { n: 0 },
    { signal: stop.signal, onProgress: (progress) => heard.push(progress) },
  ).catch(() => undefined);
  const { lastError } = await all.until('bad', (server) => server.lastError !== null);
  expect(lastError?.reason).toEqual({ code: 'noise', line: 'Thinking about it' });
  expect(heard).toEqual([{ progress: 0, total: null, message: '', noise: true }]);
  const log = await until(mcp.log(idOf(mcp, 'bad')), (shown) => shown.length > 0);
  expect(log[0]?.text).toContain('Thinking about it');
  expect(mcp.metrics.get().find(({ serverId }) => serverId === idOf(mcp, 'bad'))?.errors).toHaveLength(1);
  stop.abort();
  await waiting;
});
