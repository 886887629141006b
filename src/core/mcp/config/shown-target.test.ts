import { expect, test } from 'vitest';
import { hashOf, originOf, wordsOf } from '../config/server-config';
import { asWritten, targetOf } from './shown-target';

test.each([
  [{ command: 'npx', args: ['-y', 'a b'] }, 'npx -y "a b"'],
  [{ command: 'C:\\me\\srv.exe', args: ['D:\\my notes'] }, 'C:\\me\\srv.exe "D:\\my notes"'],
  [{ command: 'x', args: ['--api-key', 'hello', '--port', '80'] }, 'x --api-key ••• --port 80'],
  [
    { command: 'x', args: ['--token=hello', '--token', `\${secret:t}`] },
    `x --token=••• --token \${secret:t}`,
  ],
  [{ command: 'x', args: ['sk-abcdefghijk'] }, 'x •••'],
  [{ url: 'https://u:p@x.test/mcp?api_key=abc&a=b' }, 'https://•••@x.test/mcp?api_key=•••&a=b'],
])('what is shown of a server hides what looks like a secret: %j', (draft, shown) => {
  expect(targetOf({ name: 'x', ...draft })).toBe(shown);
});

test('a hash does not depend on the order of keys, but on everything that steers the server', () => {
  expect(hashOf({ a: 1, b: { c: [1, 2], d: null } })).toBe(hashOf({ b: { d: null, c: [1, 2] }, a: 1 }));
  const draft = { name: 'a', command: 'x', args: ['1'], env: { A: 'b' } };
  expect(wordsOf({ ...draft, name: 'other', timeout: 1 })).toBe(wordsOf(draft));
  for (const change of [{ command: 'y' }, { args: ['2'] }, { env: { A: 'c' } }, { cwd: '/' }])
    expect(wordsOf({ ...draft, ...change })).not.toBe(wordsOf(draft));
  const here = { level: 'vault', draft, vault: '1:2' } as const;
  expect(originOf({ ...here })).toBe(originOf(here));
  expect(originOf({ ...here, vault: '1:3' })).not.toBe(originOf(here));
  expect(originOf({ level: 'user', draft })).toBe(wordsOf(draft));
});

test('a form gets what the file says, and in the place of a literal secret what would stand for it', () => {
  const whole = { command: 'npx', args: ['-y', '--root', `\${vault}`], url: null };
  expect(asWritten({ name: 'x', command: 'npx', args: whole.args })).toEqual(whole);
  expect(asWritten({ name: 'x', command: 'npx', args: ['--token=hello', '-v'] })).toEqual({
    ...whole,
    args: [`--token=\${secret:x/token}`, '-v'],
    hiddenArgs: [`--token=\${secret:x/token}`],
  });
  expect(asWritten({ name: 'x', url: 'https://x.test/mcp?key=abc' })).toEqual({
    command: null,
    args: null,
    url: null,
  });
});
