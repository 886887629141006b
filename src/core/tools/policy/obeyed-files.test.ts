import { expect, test } from 'vitest';
import { catalogTool } from '../../../../tests/chat/support/scripted-mcp';
import { cost } from '../../../../tests/support/hostile-texts';
import { obeyedFile } from './obeyed-files';

const named = (key: string, text: string) =>
  obeyedFile(
    { by: 'model', path: null, serverId: 's', tool: 't', arguments: {} } as Parameters<typeof obeyedFile>[0],
    catalogTool({ name: 'run' }),
    { [key]: text },
  );

/** Ways to write what a system opens as the same file. */
const respelled: ((path: string) => string)[] = [
  (path) => path,
  (path) => `${path}/`,
  (path) => `${path}/.`,
  (path) => `${path}/./`,
  (path) => `${path}//`,
  (path) => `${path}/x/..`,
  (path) => `${path}/x/y/../../.`,
  (path) => path.replace(/\/([^/]*)$/, '/x/../$1'),
  (path) => path.replace(/\/([^/]*)$/, '//.//$1'),
  (path) => path.replaceAll('/', '\\'),
  (path) => (path.endsWith('.') ? path : `${path}.. .`),
  (path) => `${path} `,
  (path) => `${path}\n`,
  (path) => `${path}::$DATA`,
  (path) => `file://${path}`,
  (path) => `file://${path}?x=y#z`,
  (path) => path.toLowerCase(),
  (path) => path.replace(/(?<!%.?)[a-z](?=\W*$)/i, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => `${path}%2f`,
  (path) => path.replace(/([a-z])([^a-z]*)$/i, '$1\u200d$2'),
];
test('a file that makes a folder a repository, or starts something, is asked about in every two spellings at once', () => {
  const paths = ['/vault/foo/HEAD', '/home/ada/Library/LaunchAgents', '/vault/.git', '/vault/sub/.envrc'];
  const spelled = paths.flatMap((path) =>
    respelled.flatMap((one) => respelled.map((other) => other(one(path)))),
  );
  const relative = [
    'HEAD',
    '"/vault/foo/HEAD"',
    ' file:/vault/foo/HE\tAD#x',
    'HEAD/.',
    './HEAD',
    'x/../HEAD/./',
    'Library/x/../LaunchAgents',
  ];
  const silent = [...new Set([...relative, ...spelled])].filter((path) => named('path', path) === null);
  expect(silent).toEqual([]);
});

test.each([
  ['path', '/vault/HEADER'],
  ['path', '/vault/ahead'],
  ['path', '/vault/HEAD/../A.md'],
  ['target', 'HEAD'],
  ['query', '/vault/HEAD'],
])('what only looks like it is not: %s %s', (key, path) => {
  expect(named(key, path)).toBe(null);
});

test('a megabyte of anything is looked through in a moment', () => {
  for (const piece of [' ', '.', './', '../', 'x/', ':', ':$', '"', 'x .'])
    expect(cost(() => named('command', piece.repeat(1_000_000 / piece.length)), 1_500)).toBeLessThan(1_500);
});
