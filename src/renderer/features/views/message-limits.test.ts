import { expect, test } from 'vitest';
import { createMessageLimits } from './message-limits';

const size = { jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height: 1 } };

test('a view may send many messages at once and some all the time, but not both', () => {
  let now = 0;
  const judge = createMessageLimits(() => now);
  for (let sent = 0; sent < 300; sent++) expect(judge(size)).toBe('good');
  expect(judge(size)).toBe('too-many');
  now += 1000;
  for (let sent = 0; sent < 100; sent++) expect(judge(size)).toBe('good');
  expect(judge(size)).toBe('too-many');
});

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}
const circle: Record<string, unknown> = {};
circle.self = circle;

test.each<[string, unknown]>([
  ['a long text', { text: 'x'.repeat(1_000_001) }],
  ['many parts', Array.from({ length: 200_000 }, () => 1)],
  ['long names', { ['x'.repeat(1_000_001)]: 1 }],
  ['a deep nest', deep(100_000)],
  ['a circle', circle],
  ['bytes', { data: new Uint8Array(10) }],
  ['a file', { data: new Blob(['x']) }],
])('%s is too large to be read', (_what, message) => {
  expect(createMessageLimits(() => 0)(message)).toBe('too-large');
});

test('files may be large, but not often', () => {
  let now = 0;
  const judge = createMessageLimits(() => now);
  const params = { contents: [{ resource: { blob: 'x'.repeat(20_000_000) } }] };
  const files = { jsonrpc: '2.0', id: 1, method: 'ui/download-file', params };
  expect(judge({ ...files, method: 'ui/message' })).toBe('too-large');
  for (let sent = 0; sent < 4; sent++) expect(judge(files)).toBe('good');
  expect(judge(files)).toBe('too-many');
  now += 2_000;
  expect(judge(files)).toBe('good');
  expect(createMessageLimits(() => 0)({ ...files, more: 'x'.repeat(5_000_000) })).toBe('too-large');
});
