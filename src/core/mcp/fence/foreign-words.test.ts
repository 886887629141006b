import { expect, test } from 'vitest';
import { z } from 'zod';
import { wordsOf } from '../client/failures';
import { foreignWords, withoutJson } from './foreign-words';

test('what a server says has nothing hidden in it, and is cut where nobody would read on', () => {
  expect(foreignWords('\u001b[31mred\u001b[0m \u202etxt', 100)).toBe('red \\u{202e}txt');
  expect(foreignWords('x'.repeat(200), 100)).toBe(`${'x'.repeat(100)}…`);
  expect(foreignWords('\u202e'.repeat(100), 100)).toHaveLength(101);
});

test('a reason is told in words, not in the JSON of a validator', () => {
  const { error } = z.object({ code: z.string(), in: z.object({ n: z.number() }) }).safeParse({ in: {} });
  expect(wordsOf(error)).toBe(
    'code: Invalid input: expected string, received undefined; in.n: Invalid input: expected number, received undefined',
  );
  expect(wordsOf(new Error('Error: \u001b[31m[{"no": "issue"}]'))).toBe('Error: [{"no": "issue"}]');
});

test('findings that are longer than any validator’s are not read as such', () => {
  const findings = JSON.stringify(Array.from({ length: 5_000 }, () => ({ path: ['a'], message: 'wrong' })));
  expect(withoutJson(findings)).toBe(findings);
  expect(withoutJson('[{"path":["a"],"message":"wrong"}]')).toBe('a: wrong');
});
