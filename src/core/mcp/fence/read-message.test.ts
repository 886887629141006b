import { parseJSONRPCMessage } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMessage } from './read-message';
import { parseLimits, scanJson } from './scan';

const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const read = (value: unknown) => readMessage(bytes(value));
const jsonrpc = '2.0';

test('what is let through is taken by the SDK as well', () => {
  const odd = fc.oneof(fc.jsonValue(), fc.constantFrom(null, 1.5, -1, '', [], {}));
  const key = fc.constantFrom('id', 'method', 'params', 'result', 'error', '_meta', 'extra');
  const usual = fc.record(
    {
      id: fc.oneof(fc.integer(), fc.string(), odd),
      method: fc.oneof(fc.constant('ping'), odd),
      params: fc.oneof(fc.record({ _meta: odd }), odd),
      result: fc.oneof(fc.record({ _meta: odd, a: odd }), odd),
      error: fc.oneof(fc.record({ code: fc.oneof(fc.integer(), odd), message: fc.string() }), odd),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(usual, fc.dictionary(key, odd, { maxKeys: 1 }), (message, extra) => {
      const answer = read({ jsonrpc, ...message, ...extra });
      if (answer.kind === 'message') parseJSONRPCMessage(answer.message);
    }),
    { numRuns: 2_000, seed: 1 },
  );
});

test('no bytes make it throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (any) => void readMessage(any)),
    { numRuns: 2_000, seed: 2 },
  );
});

test('an answer that cannot be read still says which request it was for', () => {
  for (const wrong of [
    { result: null },
    { result: 'text' },
    { result: [] },
    { error: {} },
    { error: null },
    {},
  ])
    expect(read({ jsonrpc, id: 7, ...wrong })).toMatchObject({ kind: 'broken', broken: { answers: 7 } });
  const deep = `{"jsonrpc":"2.0","id":8,"result":{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}}`;
  expect(read(deep)).toMatchObject({ kind: 'broken', broken: { answers: 8 } });
  const asking = deep.replace('{"a":', '{"inputRequests":{"method":"ping"},"a":');
  expect(read(asking)).toMatchObject({ kind: 'broken', broken: { answers: 8 } });
  const question = deep.replace('"result":', '"method":"ping","params":');
  expect(read(question)).toMatchObject({ kind: 'broken', broken: { answers: null } });
});

test('a result beside an error that is null is a result', () => {
  expect(read({ jsonrpc, id: 7, result: {}, error: null })).toMatchObject({
    kind: 'message',
    message: { id: 7, result: {} },
    isAsSent: false,
  });
});

test('levels, values and names are counted as they are, whatever stands in the texts', () => {
  const measure = (value: unknown): { depth: number; values: number; names: Set<string> } => {
    if (typeof value !== 'object' || value === null) return { depth: 0, values: 1, names: new Set() };
    const inside = Object.values(value).map(measure);
    const names = Array.isArray(value) ? [] : Object.keys(value);
    return {
      names: new Set([...names, ...inside.flatMap(({ names }) => [...names])]),
      depth: 1 + Math.max(0, ...inside.map(({ depth }) => depth)),
      values: 1 + inside.reduce((sum, { values }) => sum + values, 0),
    };
  };
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.string(), (value, text) => {
      const whole = { text: `${text}"\\{[`, value };
      const { depth, values, names: different } = measure(whole);
      const names = different.size;
      expect(scanJson(bytes(whole), { depth, values: values * 2, names })).toBeNull();
      expect(scanJson(bytes(whole), { depth: depth - 1, values: values * 2, names })).toMatchObject({
        code: 'too-deep',
      });
      expect(scanJson(bytes(whole), { depth, values: values * 2, names: names - 1 })).toMatchObject({
        code: 'too-many-names',
      });
    }),
    { numRuns: 500, seed: 3 },
  );
  expect(scanJson(bytes(`[${'1,'.repeat(parseLimits.values + 1)}1]`))).toMatchObject({
    code: 'too-many-values',
  });
});

const named = (from: number, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${from + at}`, 1]));

test('different names are counted, and the many of large objects; rows of a table may be as many as values', () => {
  const { names, namesOfLarge } = parseLimits;
  expect(scanJson(bytes(named(0, names)))).toBeNull();
  const tooMany = { code: 'too-many-names', most: names };
  expect(scanJson(bytes(named(0, names + 50)))).toEqual(tooMany);
  expect(scanJson(bytes(Array.from({ length: 310 }, (_, at) => named(at * 100, 100))))).toEqual(tooMany);
  const large = named(0, 10_000);
  expect(scanJson(bytes(Array.from({ length: 10 }, () => large)))).toBeNull();
  expect(scanJson(bytes(Array.from({ length: 11 }, () => large)))).toEqual({
    code: 'too-many-names',
    most: namesOfLarge,
  });
  expect(scanJson(bytes(Array.from({ length: 20_000 }, () => named(0, 20))))).toBeNull();
});

test('a list of more entries than anybody has is refused before they are checked', () => {
  const listed = (name: string, count: number) =>
    read({ jsonrpc, id: 1, result: { [name]: Array.from({ length: count }, () => ({})) } });
  for (const name of ['tools', 'prompts', 'resources', 'resourceTemplates']) {
    expect(listed(name, 10_000).kind).toBe('message');
    expect(listed(name, 10_001)).toMatchObject({ kind: 'broken', broken: { answers: 1 } });
  }
});

test('of a result in more parts than anybody reads the first are kept, and a last one says how many were left out', () => {
  const told = (count: number) =>
    read({
      jsonrpc,
      id: 1,
      result: { content: Array.from({ length: count }, (_, at) => ({ type: 'text', text: `${at}` })) },
    });
  expect(told(10_000)).toMatchObject({ kind: 'message', isAsSent: true });
  const cut = told(12_345);
  expect(cut).toMatchObject({ kind: 'message', isAsSent: false });
  const { content } = (cut as unknown as { message: { result: { content: { text: string }[] } } }).message
    .result;
  expect(content).toHaveLength(10_001);
  expect(content[9_999]?.text).toBe('9999');
  expect(content[10_000]?.text).toBe('(2,345 more parts of this result were left out.)');
});
