import { expect, test } from 'vitest';
import { draftTarget, readLines, readPairs } from './draft-text';

test('pairs are read with = or :, and lines of another form are told', () => {
  expect(readPairs('A=1\n\n B = x=y \nAuthorization: Bearer z\nwhat')).toEqual({
    values: { A: '1', B: 'x=y', Authorization: 'Bearer z' },
    wrong: ['what'],
  });
});

test('arguments are one a line, blanks inside stay', () => {
  expect(readLines(' -y \n\n/home/a b\n')).toEqual(['-y', '/home/a b']);
});

test('a command is shown as one would type it', () => {
  expect(draftTarget({ name: 'm', command: 'npx', args: ['-y', 'a b'] })).toBe('npx -y "a b"');
  expect(draftTarget({ name: 'm', url: 'https://example.com/mcp' })).toBe('https://example.com/mcp');
});
