import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { findHeadings, headingsNamed } from './headings';

const runs = { numRuns: Number(process.env.FUZZ_RUNS ?? 1000) };
const reference = new MarkdownIt({ html: true });

/** Those that stand in nothing else, as CommonMark has them: line, level, title. */
function expected(text: string): [number, number, string][] {
  const tokens = reference.parse(text, {});
  return tokens.flatMap(({ type, level, map, tag }, at) =>
    type === 'heading_open' && level === 0 && map
      ? [[map[0], Number(tag.slice(1)), tokens[at + 1]?.content.replace(/\s*\n\s*/g, ' ') ?? '']]
      : [],
  );
}

const line = fc.constantFrom(
  ...[
    '',
    '',
    'words',
    'more words',
    '# One',
    '## Two ##',
    '# Three\u2028or\u0085so',
    '#',
    '###### Six',
    '#no',
    '---',
    '===',
    '--',
    '=',
    '***',
  ],
  ...[
    '- item\n',
    '- item\n---',
    'words\n- item\n---',
    '> quote\n',
    '> quote\n---',
    '- item\nlazy\n---\n',
    '```',
    '~~~',
    '<!--',
    '-->',
    '<!-- a -->',
    'words <!--',
    '<div>',
    '</div>',
    '<b>',
    '</b>',
    '<pre>',
  ],
  ...['</pre>', '<?php', '?>', '    code', '<a href="x">'],
);

test('headings are those of CommonMark, whatever stands around them', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 14 }), (lines) => {
      const text = ['start', '', ...lines].join('\n');
      const lineOf = (at: number) => text.slice(0, at).split('\n').length - 1;
      const found = findHeadings(text).map(({ from, level, title }) => [lineOf(from), level, title]);
      expect(found).toEqual(expected(text));
    }),
    runs,
  );
});

test('what is commented out, or stands in front matter or a fence, is no heading', () => {
  const text =
    '---\n# Front\n---\n<!--\n# No\n\n# Nor\n-->\n\n```\n# Fenced\n```\n\nUnder\nlined\n=====\n\n# Last\n';
  expect(findHeadings(text).map(({ title }) => title)).toEqual(['Under lined', 'Last']);
  expect(findHeadings('\uFEFF# First\n').map(({ from }) => from)).toEqual([1]);
});

test('a heading is found by its own words, also where they have the signs of a path', () => {
  const text = '# C# basics\n\n# Part\n\n## Chapter\n\n# Part#Chapter\n';
  expect(headingsNamed(text, 'C# basics').map(({ title }) => title)).toEqual(['C# basics']);
  expect(headingsNamed(text, 'c# Basics').map(({ title }) => title)).toEqual(['C# basics']);
  expect(headingsNamed(text, 'Part#Chapter').map(({ title }) => title)).toEqual(['Part#Chapter']);
  expect(headingsNamed(text, 'part#chapter').map(({ title }) => title)).toEqual(['Chapter']);
});

test('what stands between the marks of a comment is no heading; a mark that nobody closes is none', () => {
  const titles = (text: string) => findHeadings(text).map(({ title }) => title);
  expect(titles('# One\n\n%%\n# No\n\nNor\n===\n%%\n\n# Two\n')).toEqual(['One', 'Two']);
  expect(titles('%% todo\n# No\n```\n# Nor\n```\nend %%\n# Two\n')).toEqual(['Two']);
  expect(titles('%% aside %%\n# One\n50 %% of it\n# Two\n%%\n# Three\n')).toEqual(['One', 'Two', 'Three']);
  expect(titles('```\n%%\n```\n# One\n\n%%\n# No\n%%\n')).toEqual(['One']);
  expect(findHeadings('# A\n%%\n# No\n%%\nText').map(({ to }) => to)).toEqual([19]);
});
