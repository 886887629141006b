import { expect, test } from 'vitest';
import { printBlockResult, printToolCall } from '../../../../markdown';
import { duration, readCall, readCallout } from './callout-text';

const result = {
  state: 'ok' as const,
  ms: 123,
  at: null,
  turn: 1,
  cached: true,
  truncated: false,
  definition: null,
  other: [],
  parts: [{ kind: 'text' as const, text: 'one\n````\n> two' }],
};

test('a call as the app writes it is shown with its state, time, arguments and result', () => {
  const source = printToolCall({ server: 'memory', tool: 'search', arguments: { query: 'x' }, result });
  const call = readCall(readCallout(source));
  expect(call).toMatchObject({ server: 'memory', tool: 'search', state: 'ok', ms: 123, cached: true });
  expect(call.block).toMatch(/^```memory\ntool: search\nquery: x\n```$/);
  expect(call.results.map(({ text }) => text)).toEqual(['one\n````\n> two']);
});

test('the result of a block run by hand has no block of its own', () => {
  const call = readCall(readCallout(printBlockResult('memory', 'search', { ...result, state: 'error' })));
  expect(call).toMatchObject({ state: 'error', block: null });
});

test('the forms of TARS keep their names', () => {
  expect(readCall(readCallout('> [!tool] Tool Call (Memory: find)\n> ```\n> x\n> ```'))).toMatchObject({
    server: 'Memory',
    tool: 'find',
  });
  expect(readCall(readCallout('> [!tool]- Tool Result (245ms)')).ms).toBe(245);
});

test('times are told in the unit that fits', () => {
  expect([duration(12.4), duration(1840), duration(125_000), duration(null)]).toEqual([
    '12 ms',
    '1.8 s',
    '2 min 5 s',
    '',
  ]);
});
