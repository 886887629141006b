import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { call, idOf, ours, world } from './setup';

async function flooding(how: string, what: string) {
  const { command, args } = ours('flooding');
  if (how === 'stdio') return { command, args: [...args, how, what] };
  const child = spawn(command, [...args, how, what], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [port] = await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${String(port).trim()}/mcp`, type: how };
}

/** The longest time that this thread worked without a pause. */
function watchLoop() {
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

const kinds = ['ping', 'notifications/tools/list_changed', 'notifications/resources/list_changed'];
test.each(['stdio', 'http', 'sse'].flatMap((how) => kinds.map((what) => [how, what] as const)))(
  'a server over %s that sends %s without end is cut off, and the others answer',
  async (how, what) => {
    const { mcp, until } = await world({ bad: await flooding(how, what), good: ours('wire') });
    for (const name of ['bad', 'good'])
      await until(name, ({ state, tools }) => state.kind === 'ready' && tools !== null);
    const longest = watchLoop();
    const flooded = call(mcp, 'bad', 'flood').catch((error: unknown) => error);
    const since = performance.now();
    expect((await call(mcp, 'good', 'echo')).isError).toBe(false);
    expect(performance.now() - since).toBeLessThan(2_000);
    expect(String(await flooded)).toMatch(/more requests and notifications/);
    expect(longest()).toBeLessThan(500);
    const stopping = performance.now();
    await mcp.stop(idOf(mcp, 'bad'));
    expect(performance.now() - stopping).toBeLessThan(4_000);
  },
);
