import { expect, onTestFinished, test } from 'vitest';
import { call, idOf, ours, world } from './setup';

/** The longest time that this thread worked without a pause. */
function watch() {
  let longest = 0;
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
  }, 5);
  onTestFinished(() => clearInterval(timer));
  return () => longest;
}

const { command, args } = ours('many-values');
const bad = (where: string) => ({ command, args: [...args, where], autostart: false });
const selectModel = async () => ({
  name: 'm',
  answer: async () => ({ model: 'm', text: '', toolCalls: [], cut: false }),
});

test.each([
  ['form', /has more than 1,000 “properties”/],
  ['turns', /has more than 1,000 “messages”/],
  ['questions', /more than 100 inputRequests/],
  ['embedded', /more than 1,000 properties/],
  ['results', /more than 1,000 content/],
])(
  'tens of thousands of wrong values in %s: few are looked at, the server hears why, the others answer',
  async (where, why) => {
    const { mcp, until } = await world({ bad: bad(where), good: ours('wire') }, { selectModel });
    const watching = new AbortController();
    onTestFinished(() => watching.abort());
    void mcp.asks.follow(watching.signal)[Symbol.asyncIterator]().next();
    await mcp.ready(idOf(mcp, 'bad'));
    await until('good', ({ state }) => state.kind === 'ready');
    const longest = watch();
    const said = call(mcp, 'bad', 'go').then(JSON.stringify, String);
    expect((await call(mcp, 'good', 'echo')).isError).toBe(false);
    expect(await said).toMatch(why);
    expect(longest()).toBeLessThan(500);
  },
);

test('a result in 49,000 parts is told by its first ones, and says how many were left out', async () => {
  const { mcp } = await world({ bad: bad('parts') });
  const { parts } = await call(mcp, 'bad', 'go');
  expect(parts).toHaveLength(10_001);
  expect(parts.at(-1)).toEqual({ kind: 'text', text: '(39,000 more parts of this result were left out.)' });
});

test('of 10,000 tools on one page, all but one wrong, the first ones are looked at, and it says so', async () => {
  const { until } = await world({ bad: { ...bad('tools'), autostart: true } });
  const { tools, rejected } = await until('bad', ({ state }) => state.kind === 'ready');
  expect(tools).toBe(1);
  expect(rejected).toHaveLength(2_000);
  expect(rejected.at(-1)).toEqual({ tool: null, number: 2_001, reason: { code: 'list-cut', count: 2_000 } });
});

test('a server with 49,000 wrong icons does not start, and says why', async () => {
  const { mcp, until } = await world({ bad: { ...bad('icons'), restarts: 0 } });
  const longest = watch();
  void mcp.ready(idOf(mcp, 'bad')).catch(() => undefined);
  const { lastError } = await until('bad', ({ lastError }) => lastError !== null);
  expect(JSON.stringify(lastError)).toContain('more than 1,000 icons');
  expect(longest()).toBeLessThan(500);
});
