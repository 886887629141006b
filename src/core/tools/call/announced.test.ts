import { expect, test } from 'vitest';
import { catalogTool } from '../../../../tests/chat/support/scripted-mcp';
import { createInner, resolvedCall, signal } from '../../../../tests/support/tool-call';
import { type AllowedCall, announced } from './announced';

test('a call is waited with until it is announced, as what it is by then', async () => {
  const { inner, reached } = createInner();
  const { call } = resolvedCall({ runId: 'run' }, catalogTool({ annotations: { readOnly: true } }));
  const heard: AllowedCall[] = [];
  const before = async (allowed: AllowedCall) => {
    await Promise.resolve();
    expect(reached).toEqual([]);
    heard.push(allowed);
  };
  await announced(inner, before)({ ...call, arguments: { query: 'edited' } }, signal);
  expect(heard).toEqual([
    {
      ...{ callId: 'call-1', runId: 'run', by: 'model', path: 'A.md', tool: 'memory/find' },
      ...{ server: 'memory', name: 'find', arguments: { query: 'edited' }, readOnly: true },
    },
  ]);
  expect(reached).toHaveLength(1);
});

test('who hears of it may stop it', async () => {
  const { inner, reached } = createInner();
  const before = () => Promise.reject(new Error('no'));
  await expect(announced(inner, before)(resolvedCall().call, signal)).rejects.toThrow('no');
  expect(reached).toEqual([]);
});

test('where nobody listens it goes on', async () => {
  const { inner, reached } = createInner();
  await announced(inner, undefined)(resolvedCall().call, signal);
  expect(reached).toHaveLength(1);
});
