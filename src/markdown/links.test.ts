import { expect, test } from 'vitest';
import { findLinks } from './links';
import { sectionOf } from './sections';

function links(text: string): string[] {
  return findLinks(text).map(
    ({ from, to, kind, target, heading, block }) =>
      `${kind} ${target}${heading === null ? '' : `#${heading}`}${block === null ? '' : `#^${block}`} <- ${text.slice(from, to)}`,
  );
}

test.each([
  ['see [[Note]]', ['link Note <- [[Note]]']],
  ['[[a/B c#Part#Chapter|shown]]', ['link a/B c#Part#Chapter <- [[a/B c#Part#Chapter|shown]]']],
  ['[[B#^id]] and [[#own]]', ['link B#^id <- [[B#^id]]', 'link #own <- [[#own]]']],
  ['![[pic.png|400]]', ['embed pic.png <- ![[pic.png|400]]']],
  [
    '[x](a%20b.md#part) ![y](<c d.png>)',
    ['link a b.md#part <- [x](a%20b.md#part)', 'embed c d.png <- ![y](<c d.png>)'],
  ],
  ['[paper](paper%20(1).pdf "title")', ['link paper (1).pdf <- [paper](paper%20(1).pdf "title")']],
  ['[web](https://x.y/z) [mail](mailto:a@b.c) [[]] [a] (b)', []],
  ['`[[no]]` and\n```\n[[no]]\n```\n    [[yes, a paragraph goes on]]', []],
  ['> [!note]\n> [[In a callout]]', ['link In a callout <- [[In a callout]]']],
  ['> [!note]\n> ```\n> [[no]]\n> ```\n> [[yes]]', ['link yes <- [[yes]]']],
  ['> [!tool]- x\n> ```result ok\n> [[no]]', []],
  [
    '| [[Note\\|words]] | [[Note#Part\\|w]] |',
    ['link Note <- [[Note\\|words]]', 'link Note#Part <- [[Note#Part\\|w]]'],
  ],
  ['[[ [[Inner]]', ['link Inner <- [[Inner]]']],
  ['[![alt](a.png)](b.md)', ['embed a.png <- ![alt](a.png)']],
])('links of %j', (text, expected) => {
  expect(links(text)).toEqual(expected);
});

const note = `---
a: 1
---
intro ^first

# One
text

## Two: *it*
more
- item ^item
- other

\`\`\`
# no heading
\`\`\`
^code

# Three
end`;

test('a heading gives its section, also by a path and however it is written in a link', () => {
  expect(sectionOf(note, 'three', null)).toBe('# Three\nend');
  expect(sectionOf(note, 'Two *it*', null)).toMatch(/^## Two[\s\S]*\^code$/);
  expect(sectionOf(note, 'One#Two: *it*', null)).toMatch(/^## Two/);
  expect(sectionOf(note, 'Three#Two: *it*', null)).toBeNull();
  expect(sectionOf(note, 'no heading', null)).toBeNull();
});

test('a block id gives its paragraph, item or the block above it', () => {
  expect(sectionOf(note, null, 'first')).toBe('intro');
  expect(sectionOf(note, null, 'item')).toBe('- item');
  expect(sectionOf(note, null, 'code')).toBe('```\n# no heading\n```');
  expect(sectionOf(note, null, 'none')).toBeNull();
});

test('no place gives the whole note without front matter', () => {
  expect(sectionOf(note, null, null)).toMatch(/^intro/);
  expect(sectionOf('plain', null, null)).toBe('plain');
});

test('a backslash makes a link of two brackets text, and an embed a link', () => {
  const targets = (text: string) => findLinks(text).map(({ kind, target }) => `${kind} ${target}`);
  expect(targets('see \\[[Plan]]')).toEqual([]);
  expect(targets('see \\\\[[Plan]]')).toEqual(['link Plan']);
  expect(targets('see \\![[photo.png]]')).toEqual(['link photo.png']);
  expect(targets('\\[[a [[b]]')).toEqual(['link b']);
  expect(targets('[[a \\[[b]]')).toEqual(['link a \\[[b']);
});
