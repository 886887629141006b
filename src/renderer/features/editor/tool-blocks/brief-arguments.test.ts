import { expect, test } from 'vitest';
import { briefArguments } from './brief-arguments';

const brief = briefArguments;

test('two calls of one tool are told apart by what they were made with', () => {
  expect(brief({ paths: ['Plan.md', 'Seeds.md'], max_lines: 20 })).toBe('Plan.md, Seeds.md, max_lines 20');
  expect(brief({ query: 'two\nlines', filter: { a: 1 }, items: [{ b: 1 }], empty: '' })).toBe(
    'two lines, filter, items (1)',
  );
  expect(brief({})).toBe('');
});

test('a long text is cut', () => {
  expect(brief({ text: 'x'.repeat(500) })).toHaveLength(121);
});
