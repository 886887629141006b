import { expect, test } from 'vitest';
import { catalogTool } from '../../../../tests/chat/support/scripted-mcp';
import { createInner, resolvedCall, signal } from '../../../../tests/support/tool-call';
import type { Consent } from '../policy/consent';
import { denied } from '../request/failures';
import { approved } from './approved';

test('goes on with what was allowed: the tool, the arguments, and by what', async () => {
  const { inner, reached } = createInner();
  const { call } = resolvedCall();
  const tool = catalogTool({ definition: 'later' });
  const approve = async () => ({ tool, arguments: { query: 'edited' }, approval: 'once' });
  await approved(inner, { approve })(call, signal);
  expect(reached).toMatchObject([{ tool, arguments: { query: 'edited' } }]);
  expect(call.progress).toMatchObject({ tool, arguments: { query: 'edited' }, approval: 'once' });
});

test('what is refused goes no further; what the person had made of it is what was tried', async () => {
  const { inner, reached } = createInner();
  const { call } = resolvedCall();
  const approve: Consent['approve'] = async ({ onEdited }) => {
    onEdited({ query: 'edited' });
    throw denied('find', 'person', 'Not now.');
  };
  await expect(approved(inner, { approve })(call, signal)).rejects.toMatchObject({ code: 'tool.denied' });
  expect(reached).toEqual([]);
  expect(call.progress).toMatchObject({ arguments: { query: 'edited' }, approval: 'none' });
});

test('consent is asked for this call, with the tool as it was agreed to before', async () => {
  const { inner } = createInner();
  const { call } = resolvedCall();
  const seen = catalogTool({ definition: 'before' });
  const questions: unknown[] = [];
  const approve: Consent['approve'] = async ({ tool, request }, args, before) => {
    questions.push([request, tool, args, before]);
    return { tool, arguments: args, approval: 'grant' };
  };
  await approved(inner, { approve })({ ...call, seen }, signal);
  expect(questions).toEqual([[call.request, call.tool, { query: 'x' }, seen]]);
});
