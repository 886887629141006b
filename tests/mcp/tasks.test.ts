import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { leaving } from '../../src/core/foundation';
import type { TaskHandle } from '../../src/core/mcp';
import { call, everything, folder, idOf, ours, until, type World, world } from './setup';

/** The server of tasks with a folder of its own, and what it was asked so far. */
function tasks(era: 'legacy' | 'modern', more: { POLL?: string } = {}) {
  const place = folder();
  const record = join(place, 'record');
  const { command, args } = ours('tasks');
  const asked = () => (existsSync(record) ? readFileSync(record, 'utf8').split('\n') : []);
  return {
    config: { command, args: [...args, join(place, 'kept.json'), record, era], env: more },
    asked,
    pid: () =>
      Number(
        asked()
          .findLast((line) => line.startsWith('pid '))
          ?.slice(4),
      ),
    times: (line: string) => asked().filter((one) => one === line).length,
  };
}

const textOf = (result: Awaited<ReturnType<typeof call>>) =>
  result.parts.map((part) => (part.kind === 'text' ? part.text : part.kind)).join('');

const never = () => new AbortController().signal;

/** Starts a call that becomes a task, and waits for that. */
async function begun(here: World, args: Record<string, unknown>, signal = never()) {
  const messages: string[] = [];
  const shares: (number | null)[] = [];
  let made: (task: TaskHandle) => void = () => undefined;
  const task = new Promise<TaskHandle>((resolve) => (made = resolve));
  const end = call(here.mcp, 'tasks', 'dig', args, {
    signal,
    timeoutMs: 2_000,
    onTask: made,
    onProgress({ message, progress, total }) {
      messages.push(message);
      shares.push(total && progress / total);
    },
  });
  end.catch(() => undefined);
  const early = end.then((result) => {
    throw new Error(`no task: ${textOf(result)}`);
  });
  return { end, task: await Promise.race([task, early]), messages, shares };
}

/** The two speak of tasks in different words; the promises are the same. */
const bothEras = (work: (era: 'legacy' | 'modern') => Promise<void>) => async () => {
  await Promise.all([work('legacy'), work('modern')]);
};

test(
  'a call that becomes a task takes longer than the time limit, and says how it stands',
  bothEras(async (era) => {
    const server = tasks(era);
    const here = await world({ tasks: { ...server.config, timeout: 500 } });
    const { end, messages, shares } = await begun(here, { what: 'a well', ms: 700 });
    expect(textOf(await end)).toBe('dug a well');
    expect(messages).toContain('working: a well');
    // Progress goes on under the token of the call that made the task.
    expect(messages).toContain('Nearly there.');
    expect(shares).toContain(0.75);
    expect(server.times('run a well')).toBe(1);
    expect(here.server('tasks').server?.era).toBe(era);
  }),
);

test(
  'Stop cancels the task at the server; leaving does not, and it is taken up again',
  bothEras(async (era) => {
    const server = tasks(era);
    const here = await world({ tasks: server.config });
    const stop = new AbortController();
    const stopped = await begun(here, { what: 'one', ms: 60_000 }, stop.signal);
    stop.abort();
    await expect(stopped.end).rejects.toMatchObject({ code: 'request.cancelled' });
    await expect.poll(() => server.times('cancel'), { interval: 5 }).toBe(1);

    const leave = new AbortController();
    const left = await begun(here, { what: 'two', ms: 300 }, leave.signal);
    leave.abort(leaving);
    await expect(left.end).rejects.toMatchObject({ code: 'request.cancelled' });
    await here.mcp.restart(idOf(here.mcp, 'tasks'));
    const end = await here.mcp.resume(idOf(here.mcp, 'tasks'), 'dig', left.task, { signal: never() });
    expect(textOf(end)).toBe('dug two');
    expect([server.times('cancel'), server.times('run two')]).toEqual([1, 1]);
  }),
);

test(
  'a server that dies in the middle is started again and asked on',
  bothEras(async (era) => {
    const server = tasks(era);
    const here = await world({ tasks: server.config });
    const { end } = await begun(here, { what: 'deep', ms: 1_000 });
    process.kill(server.pid(), 'SIGKILL');
    expect(textOf(await end)).toBe('dug deep');
    expect(server.times('run deep')).toBe(1);
  }),
);

test(
  'what a task asks is asked once, and the answer goes to the server',
  bothEras(async (era) => {
    const server = tasks(era);
    const here = await world({ tasks: server.config });
    let shown = 0;
    const life = new AbortController();
    void (async () => {
      for await (const asks of here.mcp.asks.follow(life.signal))
        for (const { id } of asks) {
          shown++;
          // Long enough for several looks at the task.
          setTimeout(() => {
            void here.mcp.asks.answer(id, { action: 'accept', content: { name: 'Ada' } });
          }, 300);
        }
    })();
    const { end, messages } = await begun(here, { ask: true });
    expect(textOf(await end)).toBe('dug a hole for Ada');
    life.abort();
    expect(shown).toBe(1);
    expect(messages).toContain('input_required: a hole');
  }),
);

test(
  'a task that fails, and one that the server no longer knows, say so',
  bothEras(async (era) => {
    const server = tasks(era);
    const here = await world({ tasks: server.config });
    const { end } = await begun(here, { fail: true });
    await expect(end).rejects.toMatchObject({
      code: 'mcp.task-ended',
      details: { how: 'failed' },
      message: 'The task failed at the server (The spade broke).',
    });
    const lost = { taskId: 'gone', createdAt: Date.now(), ttlMs: 60_000, pollMs: null };
    const id = idOf(here.mcp, 'tasks');
    await expect(here.mcp.resume(id, 'dig', lost, { signal: never() })).rejects.toMatchObject({
      code: 'mcp.task-ended',
      details: { how: 'unknown' },
    });
  }),
);
test('a tool that may be a task is called as usual where nobody keeps tasks', async () => {
  const server = tasks('legacy');
  const here = await world({ tasks: server.config });
  expect(textOf(await call(here.mcp, 'tasks', 'dig', { what: 'it' }))).toBe('dug it');
  expect(server.asked().filter((line) => /^(get|result)$/.test(line))).toEqual([]);
});

test('everything’s research: a tool that has to be a task, with a question in the middle', async () => {
  const here = await world({ everything });
  await here.until('everything', ({ tools }) => tools !== null);
  await until(here.mcp.tools, (all) => all.some(({ name }) => name === 'simulate-research-query'));
  const life = new AbortController();
  void (async () => {
    for await (const asks of here.mcp.asks.follow(life.signal))
      for (const { id } of asks)
        void here.mcp.asks.answer(id, { action: 'accept', content: { interpretation: 'snake' } });
  })();
  const messages: string[] = [];
  const result = await call(
    here.mcp,
    'everything',
    'simulate-research-query',
    { topic: 'python', ambiguous: true },
    { timeoutMs: 3_000, onProgress: ({ message }) => messages.push(message) },
  );
  life.abort();
  expect(textOf(result)).toContain('python (snake)');
  expect(messages.some((message) => message.includes('Gathering sources'))).toBe(true);
}, 20_000);

test('a server that is stopped in the middle stays stopped, and one that is taken away ends its tasks with a word', async () => {
  const server = tasks('modern');
  const here = await world({ tasks: server.config });
  const { end, messages } = await begun(here, { ms: 60_000 });
  const id = idOf(here.mcp, 'tasks');
  await here.mcp.stop(id);
  const said = () => messages.some((message) => message.endsWith('The server is stopped.'));
  await expect.poll(said, { interval: 10, timeout: 5_000 }).toBe(true);
  expect(here.server('tasks').state.kind).toBe('stopped');
  await here.mcp.remove(id);
  await expect(end).rejects.toMatchObject({ code: 'mcp.unknown-server' });
});
