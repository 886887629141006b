import { expect, test } from 'vitest';
import { duration } from './duration';

test('times are told in the unit that fits', () => {
  expect([duration(12.4), duration(1840), duration(125_000), duration(null)]).toEqual([
    '12 ms',
    '1.8 s',
    '2 min 5 s',
    '',
  ]);
});
