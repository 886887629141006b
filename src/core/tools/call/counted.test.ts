import { expect, test } from 'vitest';
import { createInner, resolvedCall, signal } from '../../../../tests/support/tool-call';
import { denied } from '../request/failures';
import { counted } from './counted';

test('a call goes on once it is counted, and not past the limit', async () => {
  const { inner, reached } = createInner();
  const { call } = resolvedCall();
  let left = 1;
  const count = async () => {
    expect(reached).toHaveLength(1 - left);
    if (left-- === 0) throw denied('find', 'limit', 'Reached.');
  };
  await counted(inner, { count })(call, signal);
  await expect(counted(inner, { count })(call, signal)).rejects.toMatchObject({ code: 'tool.denied' });
  expect(reached).toEqual([call]);
});
