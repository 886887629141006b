import { expect, test } from 'vitest';
import { jsoncFault } from './jsonc';

test.each([
  ['{"a": [1, 2] /* yes */}', null],
  ['{"a": [1, 2,]}', null],
  ['{"a": [,,]}', { offset: 7, message: 'value expected' }],
  ['{"a": 1', { offset: 7, message: 'close brace expected' }],
  ['', { offset: 0, message: 'value expected' }],
])('of %s the first fault is told', (text, fault) => {
  expect(jsoncFault(text, { allowTrailingComma: true })).toEqual(fault);
});

test('a text that is nested without end is a fault', () => {
  expect(jsoncFault('['.repeat(200_000))).toMatchObject({ message: expect.any(String) });
});

test('four million faults cost no more than the first', () => {
  const before = process.cpuUsage();
  expect(jsoncFault(`{"hooks":[${','.repeat(4_000_000)}`)).toMatchObject({ offset: 10 });
  // With a list of all of them it was two seconds.
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
});
