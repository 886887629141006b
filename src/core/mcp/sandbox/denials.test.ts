import { expect, test } from 'vitest';
import { cpuTime } from '../../../../tests/support/cpu-time';
import { deniedPath } from './denials';

const told = (words: string) => deniedPath(words, ['/'], []);

test.each([
  ["Error: EROFS: read-only file system, open '/a/b c.txt'", '/a/b c.txt'],
  ["touch: cannot touch '/a/b': Read-only file system", '/a/b'],
  ['sh: 1: cannot create /a/b: Read-only file system', '/a/b'],
  ['"/a/b": Read-only file system', '/a/b'],
  ["OSError: [Errno 30] Read-only file system: '/a/b'", '/a/b'],
  ["EROFS is what it said, and then: open '/a/b'", '/a/b'],
  ["It is a read-only file system. rm: cannot remove '/a/b': Read-only file system", '/a/b'],
])('%s: the path is read out of it', (words, path) => {
  expect(told(words)).toEqual({ kind: 'write', path });
});

test('what is closed is told of where something is there, or could be', () => {
  expect(told("ENOENT: no such file or directory, open '/tmp'")).toEqual({ kind: 'read', path: '/tmp' });
  expect(told('cat: /no-such-thing: No such file or directory')).toEqual({ kind: 'write', path: '/' });
  expect(deniedPath('cat: /x/y: No such file or directory', ['/closed'], [])).toBeNull();
});

test.each([
  'nothing of the kind',
  'Read-only file system',
  ': Read-only file system',
  'EROFS "a"',
  '/a/b:Read-only file system',
  `/${'a'.repeat(5_000)}: Read-only file system`,
])('%#: no path is in it', (words) => {
  expect(told(words)).toBeNull();
});

test('a line of a megabyte costs a moment, whatever stands in it', () => {
  for (const unit of [
    '/',
    '/a',
    'EROFS ',
    'ENOENT',
    "'/",
    '": ',
    '/: Read-only file system',
    'No such file or directory',
  ])
    expect(
      cpuTime(() => told(unit.repeat(1_000_000 / unit.length))),
      unit,
    ).toBeLessThan(1_000);
});
