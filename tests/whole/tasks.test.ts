import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { isAppError } from '../../src/contract/errors';
import { createFollower, type Follower } from '../notes/follower';
import { startProviderServer } from '../provider-server';
import { comeIn, ensureBuilt, startCore, type Visitor } from './support/core';

beforeAll(ensureBuilt, 120_000);

const chunk = (choice: object) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, ...choice }] })}\n\n`;
const calls = (name: string, args: object) => ({
  headers: { 'content-type': 'text/event-stream' },
  body: `${chunk({ delta: { tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(args) } }] } })}${chunk({ delta: {}, finish_reason: 'tool_calls' })}data: [DONE]\n\n`,
});

/** An app with the server of tasks, which outlives its deaths. */
async function home(era: string) {
  const folder = await mkdtemp(join(tmpdir(), 'interlinear-tasks-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [vault, data, record] = [join(folder, 'vault'), join(folder, 'data'), join(folder, 'record')];
  const provider = await startProviderServer();
  onTestFinished(() => provider[Symbol.asyncDispose]());
  await mkdir(vault);
  await mkdir(data);
  await writeFile(join(vault, 'Talk.md'), '# Talk\n\n#User : Dig a well.\n');
  const block = (what: string, ms: number) => `\`\`\`tasks\ntool: dig\nwhat: ${what}\nms: ${ms}\n\`\`\`\n`;
  await writeFile(join(vault, 'Block.md'), `# Block\n\n${block('a pond', 2_500)}`);
  await writeFile(join(vault, 'Long.md'), `# Long\n\n${block('a canal', 600_000)}`);
  const local = { id: 'local', vendor: 'openai-compatible', tag: 'Local', model: 'm', format: 'openai-chat' };
  const settings = {
    version: 1,
    providers: [{ ...local, baseUrl: `${provider.url}/v1` }],
    defaultProvider: 'local',
    tools: { approval: 'allow' },
  };
  await writeFile(join(data, 'settings.json'), JSON.stringify(settings));
  const server = join(import.meta.dirname, '../servers/tasks.mjs');
  const tasks = { command: process.execPath, args: [server, join(folder, 'kept.json'), record, era] };
  const bundled = { vault: { enabled: false } };
  await writeFile(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { tasks }, bundled }));
  return {
    provider,
    start: () => startCore(vault, data),
    note: (path: string) => readFile(join(vault, path), 'utf8'),
    times: async (line: string) =>
      (await readFile(record, 'utf8')).split('\n').filter((one) => one === line).length,
  };
}

async function open(visitor: Visitor, path: string): Promise<Follower> {
  const follower = createFollower(path, `reader-${Math.random()}`);
  follower.connect({
    async *follow(followed, seen, signal) {
      try {
        yield* visitor.client.stream('notes.follow', { path: followed, seen }, { signal });
      } catch (error) {
        if (!isAppError(error, 'connection.lost')) throw error;
      }
    },
    push: () => new Promise(() => undefined),
  });
  await follower.until(() => follower.sessionId !== null);
  return follower;
}

/** What a person sees of a block. */
const shown = (what: string, ms: number) => ({ server: 'tasks', tool: 'dig', arguments: { what, ms } });

const place = (follower: Follower, at: number) => ({ at, version: follower.version() });

async function live(era: string): Promise<void> {
  const { provider, start, note, times } = await home(era);
  provider.answer(calls('tasks__dig', { what: 'a well', ms: 2_500 }));

  const first = start();
  const visitor = await comeIn(first);
  const talk = await open(visitor, 'Talk.md');
  await visitor.client.call('chat.run', { path: 'Talk.md', ...place(talk, talk.text().length) });
  const long = await open(visitor, 'Long.md');
  await visitor.client.call('chat.runBlock', {
    path: 'Long.md',
    ...place(long, 12),
    call: shown('a canal', 600_000),
  });
  await talk.until(() => talk.text().includes('task='));
  await long.until(() => long.text().includes('task='));
  await first.end('SIGKILL');

  const second = start();
  const again = await comeIn(second);
  const block = await open(again, 'Block.md');
  await again.client.call('chat.runBlock', {
    path: 'Block.md',
    ...place(block, 12),
    call: shown('a pond', 2_500),
  });
  await block.until(() => block.text().includes('task='));
  const after = await open(again, 'Talk.md');
  await after.until(() => after.text().includes('dug a well'));
  expect(after.text()).toMatch(/```result ok ms=\d+ at=\S+ turn=1 def=\w+ id=c1 parts=0\n/);
  expect(after.text()).not.toMatch(/running|task=|interrupted/);
  await second.end('SIGTERM');
  // What the app left is in the file as it stood.
  expect(await note('Block.md')).toContain('task=');

  const third = start();
  const last = await comeIn(third);
  const done = await open(last, 'Block.md');
  await done.until(() => done.text().includes('dug a pond'));
  for await (const notices of last.client.stream('app.notices', {}))
    if (notices.some(({ facts }) => facts.code === 'call-ended' && facts.note === 'Block.md')) break;
  expect(done.text()).not.toMatch(/running|task=/);
  expect(await times('cancel')).toBe(0);

  const stopped = await open(last, 'Long.md');
  expect(stopped.text()).toContain('task=');
  for await (const runs of last.client.stream('chat.runs', {})) {
    const run = runs.find(({ path }) => path === 'Long.md');
    // No answer of this start made it.
    if (run?.kind !== 'call' || run.call.progress?.message !== 'working: a canal') continue;
    await last.client.call('chat.stop', { runId: run.runId });
    break;
  }
  await stopped.until(() => /```result cancelled/.test(stopped.text()));
  await third.end('SIGTERM');
  expect(await times('cancel')).toBe(1);
  for (const what of ['a well', 'a pond', 'a canal']) expect(await times(`run ${what}`)).toBe(1);
}

test('long calls survive kill -9 and an ordinary end of the app, in both eras: each runs once, and its result comes to its place', {
  timeout: 60_000,
}, async () => {
  await Promise.all(['legacy', 'modern'].map(live));
});
