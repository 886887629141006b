import { expect, test } from 'vitest';
import { isMended } from './mended';

const errors = [{ at: 100, reason: { code: 'ended' as const } }];

test('a failure is over once the server has come up or answered after it, and not while it is down', () => {
  expect(isMended({ errors, lastSuccess: null, upSince: 120 })).toBe(true);
  expect(isMended({ errors, lastSuccess: 130, upSince: 50 })).toBe(true);
  expect(isMended({ errors, lastSuccess: 90, upSince: 50 })).toBe(false);
  expect(isMended({ errors, lastSuccess: 130, upSince: null })).toBe(false);
});
