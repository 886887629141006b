import { expect, test } from 'vitest';
import { withLinksAs } from './links-as';

const plain = (text: string) =>
  withLinksAs(text, ({ kind, target }, words) => `<${kind} ${target}${words === null ? '' : `: ${words}`}>`);

test.each([
  ['See [[Plan]] and ![[a b.png|300]].', 'See <link Plan> and <embed a b.png: 300>.'],
  ['[[Folder/Plan#Goals|the goals]]', '<link Folder/Plan: the goals>'],
  ['`[[Plan]]` is code', '`[[Plan]]` is code'],
  ['```\n[[Plan]]\n```\n[[Plan]]', '```\n[[Plan]]\n```\n<link Plan>'],
  ['\\[[Plan]] and [a note](Plan.md)', '\\[[Plan]] and [a note](Plan.md)'],
])('a wiki link is what the core follows: %j', (text, expected) => {
  expect(plain(text)).toBe(expected);
});
