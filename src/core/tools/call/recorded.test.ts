import { expect, test } from 'vitest';
import { catalogTool } from '../../../../tests/chat/support/scripted-mcp';
import { outcome, signal, toolRequest } from '../../../../tests/support/tool-call';
import type { CallStatus } from '../../../contract/tools';
import type { CatalogTool } from '../../mcp';
import type { ToolCallRequest } from '../request/request';
import { recorded } from './recorded';
import type { Made } from './recorder';

function house(tool: CatalogTool | null = catalogTool(), status: CallStatus = 'ok') {
  const closing = new AbortController();
  const records: Made[] = [];
  const tasks: string[] = [];
  const run = recorded(
    async (request) => ({
      outcome: outcome({ status }),
      ...{ tool, arguments: request.arguments, approval: 'once' },
    }),
    {
      recorder: { record: (made) => void records.push(made) },
      tasks: {
        leave: (id) => void tasks.push(`leave ${id}`),
        forget: (id) => void tasks.push(`forget ${id}`),
      },
      serverName: (id) => (id === 'server-1' ? 'by id' : undefined),
      closing: closing.signal,
    },
  );
  const call = (changes: Partial<ToolCallRequest> = {}) => run(toolRequest(changes), signal, () => undefined);
  return { call, closing, records, tasks };
}

test('a call that has ended is recorded, and its task is forgotten', async () => {
  const { call, records, tasks } = house();
  expect(await call()).toEqual(outcome());
  expect(records).toMatchObject([
    { callId: 'call-1', serverId: 'server-1', serverName: 'memory', tool: 'find' },
  ]);
  expect(tasks).toEqual(['forget call-1']);
});

test('a task that the caller keeps is theirs to forget', async () => {
  const { call, records, tasks } = house();
  await call({ keepsTask: true });
  expect(records).toHaveLength(1);
  expect(tasks).toEqual([]);
});

test('a call that its server goes on with has no result yet, and is left', async () => {
  const { call, records, tasks } = house(catalogTool(), 'interrupted');
  await call();
  expect(records).toEqual([]);
  expect(tasks).toEqual(['leave call-1']);
});

test('of a call that ends after the app has closed nothing is written', async () => {
  const { call, closing, records } = house();
  closing.abort();
  await call();
  expect(records).toEqual([]);
});

test.each([
  { asked: 'server-1', serverId: 'server-1', serverName: 'by id' },
  { asked: 'nobody', serverId: 'nobody', serverName: 'nobody' },
  { asked: '', serverId: '?', serverName: '?' },
])('of a tool that is unknown, the server that was asked for: “$asked”', async ({ asked, ...made }) => {
  const { call, records } = house(null, 'error');
  await call({ serverId: asked });
  expect(records).toMatchObject([made]);
});
