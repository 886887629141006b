import { expect, test } from 'vitest';
import { AppError } from './errors';
import { failedWith } from './failed-with';

test('a failure is narrowed to what the operation can fail with, and to nothing else', () => {
  const busy: unknown = new AppError('vault.busy', 'An answer is being written.', { notes: ['A.md'] });
  expect(failedWith('vault.open', busy, 'vault.busy') && busy.details.notes).toEqual(['A.md']);
  expect(failedWith('vault.open', busy, 'vault.not-found', 'connection.lost')).toBe(false);
  expect(failedWith('vault.open', new Error('vault.busy'), 'vault.busy')).toBe(false);
  // @ts-expect-error A vault is opened without a server.
  expect(failedWith('vault.open', busy, 'mcp.unreachable')).toBe(false);
});
