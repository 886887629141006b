import { expect, test } from 'vitest';
import { z } from 'zod';
import { tableHash } from '../../src/bridge';
import { call, type Operations, state, stream } from '../../src/contract/define';
import { operations } from '../../src/contract/operations';

const table: Operations = {
  'a.one': call(z.object({ x: z.string(), y: z.number().optional() }), z.void()),
  'b.two': stream(z.object({}), z.array(z.string())),
};

test('two tables that mean the same have the same hash, whatever their order', () => {
  const sameAgain: Operations = {
    'b.two': stream(z.object({}), z.array(z.string())),
    'a.one': call(z.object({ y: z.number().optional(), x: z.string() }), z.void()),
  };
  expect(tableHash(sameAgain)).toBe(tableHash(table));
});

test.each<[string, Operations]>([
  ['an operation more', { ...table, 'c.three': call(z.object({}), z.void()) }],
  [
    'another input',
    { ...table, 'a.one': call(z.object({ x: z.number(), y: z.number().optional() }), z.void()) },
  ],
  ['another item', { ...table, 'b.two': stream(z.object({}), z.array(z.number())) }],
  ['a state instead of a stream', { ...table, 'b.two': state(z.object({}), z.array(z.string())) }],
])('%s is another hash', (_what, other) => {
  expect(tableHash(other)).not.toBe(tableHash(table));
});

test("the app's own table can be hashed", () => {
  const reversed = Object.fromEntries(Object.entries(operations).reverse()) as Operations;
  expect(tableHash(reversed)).toBe(tableHash(operations));
});
