import { expect, test } from 'vitest';
import { shortMs } from './format';

test.each([
  [12.4, '12 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [1_840, '1.8 s'],
  [9_949, '9.9 s'],
  [9_960, '10 s'],
  [12_300, '12 s'],
  [59_400, '59 s'],
  [59_600, '1 min'],
  [59_960, '1 min'],
  [119_700, '2 min'],
  [125_000, '2 min 5 s'],
  [3_599_700, '1 h'],
  [86_399_800, '1 d'],
  [Number.NaN, ''],
  [null, ''],
])('%s ms are told in the unit that fits, as %s', (ms, words) => {
  expect(shortMs(ms)).toBe(words);
});
