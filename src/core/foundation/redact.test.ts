import { expect, test } from 'vitest';
import { createLog, type LogRecord } from './log';

const written = (facts: Record<string, unknown>): string => {
  const records: LogRecord[] = [];
  createLog((record) => records.push(record)).info('something', facts);
  return JSON.stringify(records);
};

test.each([
  [{ apiKey: 'hunter2' }],
  [{ nested: { authorization: 'hunter2' } }],
  [{ env: { ANYTHING: 'hunter2' } }],
  [{ headers: { 'X-Custom': 'hunter2' } }],
  [{ arguments: { text: 'hunter2' } }],
  [{ line: 'Authorization: Bearer hunter2hunter2' }],
  [{ error: new Error('refused sk-ant-hunter2hunter2') }],
  [{ list: [{ client_secret: 'hunter2' }] }],
])('a secret does not reach the log: %j', (facts) => {
  expect(written(facts)).not.toContain('hunter2');
});

test('facts that are no secrets stay', () => {
  expect(written({ serverId: 'files', envNames: ['HOME'], tokens: 12 })).toContain('"tokens":12');
});
