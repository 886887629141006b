import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { call, idOf, ours, world } from './setup';

type How = 'stdio' | 'http' | 'get' | 'sse';

async function flooding(how: How, kinds: readonly string[]): Promise<Record<string, unknown>> {
  const { command, args } = ours('flooding');
  const address = async () => {
    const child = spawn(command, [...args, how], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [port] = await once(child.stdout, 'data');
    return `http://127.0.0.1:${String(port).trim()}/`;
  };
  const type = how === 'sse' ? 'sse' : 'http';
  const base = how === 'stdio' ? '' : await address();
  return Object.fromEntries(
    kinds.map((kind) => [
      kind.replaceAll('/', ' '),
      how === 'stdio'
        ? { command, args: [...args, how, kind], autostart: false }
        : { url: base + encodeURIComponent(kind), type, autostart: false },
    ]),
  );
}

/** The longest time that this thread worked without a pause, and how much more memory it has had than now. */
function watch() {
  const rss = process.memoryUsage.rss();
  let longest = 0;
  let most = rss;
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    most = Math.max(most, process.memoryUsage.rss());
    before = process.threadCpuUsage();
  }, 5);
  onTestFinished(() => clearInterval(timer));
  return () => ({ longest, grown: (most - rss) / 1024 / 1024 });
}

const work = /more requests and notifications/;
const unread = /cannot be read|lines or events/;
const tooMuch = /lines or events|more than can be read without/;
const everywhere: readonly (readonly [string, RegExp])[] = [
  ['ping', work],
  ['notifications/tools/list_changed', work],
  ['notifications/resources/list_changed', work],
  ['one answer again and again', work],
  ['broken JSON', unread],
  ['broken messages', unread],
  ['answers to nobody', /messages that cannot be read|more requests/],
  ['lists of messages', /more requests|cannot be read/],
  ['blank lines', tooMuch],
  ['a line without end', /64 MiB|without having been asked/],
];
const inEvents: typeof everywhere = [
  ['comments', tooMuch],
  ['empty events', tooMuch],
  ['fields of no event', tooMuch],
  ['short lines of one event', tooMuch],
];

/** Slow, since so much of it may come. */
const chatter: typeof everywhere = [['long words for the log', tooMuch]];

const cases = (['stdio', 'http', 'get', 'sse'] as const).map((how) => ({
  how,
  kinds: how === 'stdio' ? [...everywhere, ...chatter] : [...everywhere, ...inEvents],
}));

test.each(cases)(
  'whatever a server sends without end over $how: it is cut off and says why, and the others answer',
  async ({ how, kinds }) => {
    const bad = await flooding(
      how,
      kinds.map(([kind]) => kind),
    );
    const { mcp, until } = await world({ ...bad, good: ours('wire') });
    await until('good', ({ state, tools }) => state.kind === 'ready' && tools !== null);
    const seen: string[] = [];
    for (const [kind, reason] of kinds) {
      const name = kind.replaceAll('/', ' ');
      await mcp.ready(idOf(mcp, name));
      await until(name, ({ state, tools }) => state.kind === 'ready' && tools !== null);
      const measured = watch();
      const flooded = call(mcp, name, 'flood', {}, { timeoutMs: 60_000 }).catch((error: unknown) => error);
      const since = performance.now();
      expect((await call(mcp, 'good', 'echo')).isError).toBe(false);
      const waited = performance.now() - since;
      const said = String(await flooded);
      const { longest, grown } = measured();
      const fault = [
        ...(reason.test(said) ? [] : [said]),
        ...(waited < 5_000 ? [] : [`others waited ${waited} ms`]),
        ...(longest < 500 ? [] : [`${longest} ms in one go`]),
        ...(grown < 400 ? [] : [`${grown} MiB`]),
      ];
      if (fault.length > 0) seen.push(`${kind}: ${fault.join(', ')}`);
      // One answer that is too long costs that answer.
      const isOneAnswer = how === 'http' && kind === 'a line without end';
      if (!isOneAnswer) await until(name, ({ lastError }) => lastError !== null);
      await mcp.stop(idOf(mcp, name));
    }
    expect(seen).toEqual([]);
  },
  120_000,
);
