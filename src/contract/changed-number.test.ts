import { expect, test } from 'vitest';
import { changedNumber, isChanged } from './changed-number';

const changed = [
  '9007199254740993',
  '-9007199254740993',
  '12345678901234567890',
  '12345678901234567890.0',
  '1234567890123456789e1',
  '1234567890123456789.5',
  '18446744073709551616',
  '1e400',
  '-1e999',
];
const kept = [
  ...['0', '-0', '1.0', '1e3', '0.1', '1E+3', '9007199254740991', '9007199254740992', '9007199254740994'],
  ...['12345678901234567000', '1e21', '1e22', '1e23', '1000000000000000000000000', '1.7976931348623157e308'],
  ...['0.1000000000000000055511151231257827', '3.14159265358979323846', '0.1e-400', '100.00'],
];

test.for(changed)('%s would be sent as another number', (written) => {
  expect(isChanged(written)).toBe(true);
  expect(changedNumber(`{"a": [1, {"b": ${written}}], "c": "${written}"}`)).toBe(written);
});

test.for(kept)('%s is sent as it is', (written) => {
  expect(isChanged(written)).toBe(false);
  expect(changedNumber(`[${written}]`)).toBeNull();
});

test('digits in a text or a name are no number', () => {
  expect(changedNumber('{"9007199254740993": "9007199254740993"}')).toBeNull();
});

test('other bases count by their value', () => {
  expect(['0x20000000000001', '0x1f', '0o17'].map(isChanged)).toEqual([true, false, false]);
});
