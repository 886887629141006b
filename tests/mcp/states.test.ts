import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { type Clock, systemClock } from '../../src/core/foundation';
import { createNotices, noticeServersGivenUp } from '../../src/core/notices/notices';
import { call, folder, idOf, ours, until as untilHolds, world } from './setup';

/** What takes minutes is over at once; everything else takes the time it takes. */
const hurried: Clock = { ...systemClock, after: (ms, work) => systemClock.after(Math.min(ms, 5), work) };

function steered(mode: string) {
  const file = join(folder(), 'mode');
  writeFileSync(file, mode);
  const program = join(dirname(fileURLToPath(import.meta.url)), '../servers/steered.mjs');
  return {
    config: { command: process.execPath, args: [program, file] },
    become: (next: string) => writeFileSync(file, next),
    recover: () => rmSync(file),
  };
}

test('a server that was given up after failures is started by "turn on again", by start and by restart', async () => {
  const server = steered('dies');
  const { mcp, until } = await world({ broken: server.config }, { clock: hurried });
  const notices = createNotices(() => 0);
  onTestFinished(noticeServersGivenUp(mcp, notices));
  const given = async () => until('broken', ({ state }) => state.kind === 'disabled');
  for (const again of [
    (id: string) => mcp.setEnabled(id, true),
    (id: string) => mcp.start(id),
    (id: string) => mcp.restart(id),
  ]) {
    server.become('dies');
    const broken = await given();
    expect(broken.state).toMatchObject({ by: 'failures' });
    expect(notices.list.get().map(({ facts }) => facts)).toMatchObject([
      { code: 'server-given-up', server: 'broken', reason: { lines: ['steered to die'] } },
    ]);
    server.recover();
    await again(broken.id);
    await until('broken', ({ state }) => state.kind === 'ready');
    expect((await call(mcp, 'broken', 'pid')).isError).toBe(false);
    expect(notices.list.get()).toEqual([]);
    server.become('dies');
    await mcp.restart(broken.id);
  }
}, 30_000);

test('what a person has switched off is started by nothing else, and says so', async () => {
  const { mcp, server } = await world({ off: { ...ours('vault'), enabled: false } });
  const { id } = server('off');
  for (const attempt of [mcp.start(id), mcp.restart(id), mcp.ready(id)])
    await expect(attempt).rejects.toMatchObject({
      code: 'mcp.unreachable',
      message: expect.stringContaining('switched off'),
    });
  expect(server('off').state).toMatchObject({ kind: 'disabled', by: 'user' });
});

test('a pause refuses every new call, lets what runs end, keeps servers up and writes nothing', async () => {
  const { mcp, server, until, data } = await world({ counts: ours('counts') });
  await until('counts', ({ state }) => state.kind === 'ready');
  const file = readFileSync(join(data, 'mcp.json'), 'utf8');
  const running = call(mcp, 'counts', 'wait', { ms: 200 });
  mcp.setPaused(true);
  expect(mcp.servers.get().paused).toBe(true);
  await expect(call(mcp, 'counts', 'counts')).rejects.toMatchObject({
    code: 'tool.denied',
    details: { by: 'paused' },
  });
  expect((await running).isError).toBe(false);
  expect(server('counts').state.kind).toBe('ready');
  mcp.setPaused(false);
  expect((await call(mcp, 'counts', 'counts')).isError).toBe(false);
  expect(readFileSync(join(data, 'mcp.json'), 'utf8')).toBe(file);
});

test('a limit of its own goes before the server’s and can be taken away again, as any other setting', async () => {
  const { mcp, data, until } = await world({ counts: { ...ours('counts'), timeout: 9_000 } });
  const { id } = await until('counts', ({ tools }) => tools === 2);
  const limits = () => Object.fromEntries(mcp.tools.get().map(({ name, timeout }) => [name, timeout]));
  await mcp.setToolTimeout(id, 'wait', 300);
  expect(limits()).toMatchObject({ wait: 300, counts: 9_000 });
  await mcp.update(id, { timeout: null, concurrency: 2, checkInterval: 60_000 });
  expect(limits()).toMatchObject({ wait: 300, counts: null });
  await mcp.setToolTimeout(id, 'wait', null);
  await mcp.update(id, { concurrency: null, checkInterval: null });
  const entry = JSON.parse(readFileSync(join(data, 'mcp.json'), 'utf8')).mcpServers.counts;
  expect(entry).toEqual({ ...ours('counts'), id });
});

test('what a person says that a tool reads and sends is kept with its definition, and can be taken back', async () => {
  const flow = { '*': { sends: false } };
  const { mcp, data } = await world({ counts: { ...ours('counts'), flow } });
  const tool = () => mcp.tools.get().find(({ name }) => name === 'wait');
  await untilHolds(mcp.tools, () => tool() !== undefined);
  const id = idOf(mcp, 'counts');
  const { definition = '' } = tool() ?? {};
  const said = { reads: ['private' as const], sends: true };
  await mcp.setToolFlow(id, { name: 'wait', definition }, said);
  expect(tool()?.flowRules).toEqual({ ...flow, wait: { ...said, definition: definition.slice(0, 16) } });
  await mcp.setToolFlow(id, { name: 'wait', definition }, null);
  const entry = JSON.parse(readFileSync(join(data, 'mcp.json'), 'utf8')).mcpServers.counts;
  expect(entry).toEqual({ ...ours('counts'), flow, id });
});

test('a name that is taken is refused, and a free one suggested', async () => {
  const { mcp, data } = await world({ notes: { ...ours('vault'), autostart: false } });
  const before = readFileSync(join(data, 'mcp.json'), 'utf8');
  const taken = { code: 'mcp.name-taken', details: { name: 'notes', free: 'notes-2' } };
  const other = { name: 'other', command: 'x' };
  await expect(mcp.add('user', [other, { name: 'notes', command: 'y' }])).rejects.toMatchObject(taken);
  expect(readFileSync(join(data, 'mcp.json'), 'utf8')).toBe(before);
  const [id = ''] = (await mcp.add('user', [{ ...other, autostart: false }])).serverIds;
  await expect(mcp.update(id, { name: 'notes' })).rejects.toMatchObject(taken);
});
