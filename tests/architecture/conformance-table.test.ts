import { expect, test } from 'vitest';
import { cellText } from '../../scripts/conformance-cell.mjs';

test('a scenario that came to none of its checks is not told as passed', () => {
  expect(cellText({ passed: 0, of: 0, failed: [] })).toBe('–');
  expect(cellText({ passed: 3, of: 3, failed: [] })).toBe('✓ 3/3');
  expect(cellText({ passed: 2, of: 3, failed: [{ id: 'one' }] })).toBe('✗ 2/3');
});
