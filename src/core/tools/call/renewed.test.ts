import { expect, test } from 'vitest';
import { createInner, outcome, resolvedCall, signal } from '../../../../tests/support/tool-call';
import { AppError } from '../../../contract/errors';
import type { IncomingCall } from './ongoing-call';
import { renewed } from './renewed';

const changed = () => new AppError('tool.changed', 'Changed.', { tool: 'find' });

function house(error: Error) {
  const { inner, reached } = createInner(() => Promise.reject(error));
  const renewals: IncomingCall[] = [];
  const anew = async (call: IncomingCall) => {
    renewals.push(call);
    return outcome({ callId: 'anew' });
  };
  return { call: renewed(inner, anew), reached, renewals };
}

test('a tool that is another one by now is agreed to anew, with the arguments that it was to be called with', async () => {
  const { call, reached, renewals } = house(changed());
  const { call: agreed } = resolvedCall();
  const edited = { ...agreed, arguments: { query: 'edited' } };
  expect(await call(edited, signal)).toMatchObject({ callId: 'anew' });
  expect(reached).toEqual([edited]);
  expect(renewals).toMatchObject([{ seen: agreed.tool, request: { arguments: { query: 'edited' } } }]);
});

test('any other failure is one', async () => {
  const { call, renewals } = house(new Error('lost'));
  await expect(call(resolvedCall().call, signal)).rejects.toThrow('lost');
  expect(renewals).toEqual([]);
});

test('what was agreed to is called, and nothing is asked', async () => {
  const { inner } = createInner();
  const anew = () => Promise.reject(new Error('asked'));
  expect(await renewed(inner, anew)(resolvedCall().call, signal)).toMatchObject({ status: 'ok' });
});
