import { expect, test } from 'vitest';
import { catalogTool } from '../../../../tests/chat/support/scripted-mcp';
import { ownPrograms } from '../../../../tests/support/test-programs';
import { createInner, incomingCall, signal } from '../../../../tests/support/tool-call';
import { createCheckArguments } from '../request/arguments';
import { unknownTool } from '../request/failures';
import { validated } from './validated';

const tool = catalogTool({
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
});

const checkArguments = () => createCheckArguments(ownPrograms().schemas);

test('goes on with the tool that is meant and with the arguments as they are sent', async () => {
  const { inner, reached } = createInner();
  const given = { query: 'x' };
  const { call } = incomingCall({ arguments: given });
  const ended = validated(
    inner,
    async () => {
      given.query = 'changed meanwhile';
      return tool;
    },
    checkArguments(),
  )(call, signal);
  expect((await ended).status).toBe('ok');
  expect(reached).toMatchObject([
    { tool, arguments: { query: 'x' }, request: { arguments: { query: 'x' } } },
  ]);
  expect(call.progress).toMatchObject({ tool, arguments: { query: 'x' } });
});

test('arguments that do not fit go no further, and the outcome can say which tool they were for', async () => {
  const { inner, reached } = createInner();
  const { call } = incomingCall({ arguments: { query: 1 } });
  await expect(validated(inner, async () => tool, checkArguments())(call, signal)).rejects.toMatchObject({
    code: 'tool.invalid-arguments',
  });
  expect(reached).toEqual([]);
  expect(call.progress).toMatchObject({ tool, arguments: { query: 1 } });
});

test('of what is no JSON nothing is looked for', async () => {
  const { inner } = createInner();
  const { call } = incomingCall({ arguments: { query: Number.NaN } });
  const resolve = () => Promise.reject(new Error('looked for'));
  await expect(validated(inner, resolve, checkArguments())(call, signal)).rejects.toMatchObject({
    code: 'tool.invalid-arguments',
  });
  expect(call.progress).toMatchObject({ tool: null, arguments: {} });
});

test('an unknown tool goes no further, and what was tried stays in sight', async () => {
  const { inner, reached } = createInner();
  const { call } = incomingCall();
  const resolve = () => Promise.reject(unknownTool('find', []));
  await expect(validated(inner, resolve, checkArguments())(call, signal)).rejects.toMatchObject({
    code: 'tool.unknown',
  });
  expect(reached).toEqual([]);
  expect(call.progress).toMatchObject({ tool: null, arguments: { query: 'x' } });
});
