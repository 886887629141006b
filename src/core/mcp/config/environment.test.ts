import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { isReference } from '../../foundation';
import { childEnvironment, expand, expandDraft } from './environment';

const sources = {
  environment: { HOME: '/home/a', EMPTY: '' },
  vault: '/notes',
  secret: async (name: string) => (name === 'key' ? 's3cret' : null),
};

test.each([
  [`\${HOME}/x`, '/home/a/x', []],
  [`\${env:HOME} {env:HOME}`, '/home/a /home/a', []],
  [`\${vault}/a`, '/notes/a', []],
  [`Bearer \${secret:key}`, 'Bearer s3cret', []],
  [`\${NOPE:-fall back}`, 'fall back', []],
  [`\${EMPTY:-fall back}\${EMPTY}`, 'fall back', []],
  [`\${NOPE:-}`, '', []],
  [`\${NOPE} \${secret:none} {env:X}`, '  ', [`\${NOPE}`, `\${secret:none}`, '{env:X}']],
  [`$HOME {HOME} \${} \${1x}`, `$HOME {HOME} \${} \${1x}`, []],
])('%s', async (text, value, missing) => {
  expect(await expand(text, sources)).toEqual({ value, missing });
});

test('a tilde that stands for the home folder is that folder in paths and arguments, and nothing else is', async () => {
  const { draft } = await expandDraft(
    { name: 'x', command: '~/bin/x', args: ['~', '~/notes', 'a~', '~b'], env: { A: '~/x' } },
    sources,
  );
  expect(draft).toEqual({
    name: 'x',
    command: join(homedir(), 'bin/x'),
    // Alone among arguments it may mean anything to a program.
    args: ['~', join(homedir(), 'notes'), 'a~', '~b'],
    env: { A: '~/x' },
  });
});

test('a filled-in value is not filled in again', async () => {
  const nested = { ...sources, environment: { A: `\${secret:key}` } };
  expect((await expand(`\${A}`, nested)).value).toBe(`\${secret:key}`);
});

test('only what gives nothing away counts as a reference', () => {
  expect([`\${secret:key}`, `Bearer \${X}`, `{env:X}`].every(isReference)).toBe(true);
  expect(['abc', '', `abc\${X}`, `\${X:-abc}`, 'Bearer abc'].some(isReference)).toBe(false);
});

test('a child gets a clean environment, the login shell’s folders first, each once', () => {
  const own = { PATH: ['/bin', '/mine'].join(delimiter), HOME: '/h', MY_KEY: 'x', BASH_FUNC: '() { evil; }' };
  expect(childEnvironment(own, { SET: '1', HOME: '/other' }, ['/brew', '/bin'].join(delimiter))).toEqual({
    PATH: ['/brew', '/bin', '/mine'].join(delimiter),
    HOME: '/other',
    SET: '1',
  });
});

test('the home folder is filled in by the name that VS Code gives it', async () => {
  const none = { environment: {}, vault: null, secret: async () => null };
  expect(await expand(`\${userHome}/x`, none)).toEqual({ value: `${homedir()}/x`, missing: [] });
});
