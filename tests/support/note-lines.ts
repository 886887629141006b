import fc from 'fast-check';

const marks = [
  '',
  ' ',
  '   ',
  '    ',
  '\t',
  '- ',
  '  - ',
  '1. ',
  '> ',
  '>',
  '  > ',
  '> > ',
  '- [ ] ',
  '- > ',
  '# ',
];
const words = [
  '',
  'text',
  '---',
  '...',
  '***',
  '```',
  '```js',
  '````',
  '~~~',
  '~~~~ x',
  '```memory',
  'tool: search',
  '[!tool]- memory · search',
  '[!note]',
  '[!failure] x',
  '#User : hello',
  '#Claude : hi',
  '#Zed : who',
  '#NewChat',
  '#NewChat #User : x',
  'so #Claude : it',
  '`#User : code`',
  '#todo: milk',
  '<!-- ',
  '-->',
  '<div>',
  '</div>',
  '%%',
  '$$',
  '[[Plan]] and [b](c.md)',
  '| a | b |',
  '| x | #User : hi |',
  '|---|---|',
  'a: 1',
];

const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constantFrom(...marks), fc.constantFrom(...words)).map((all) => all.join('')),
  },
  { weight: 1, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: fc.constant('') },
);

/** Lines of notes in which everything that has a meaning to the format stands anywhere. */
export const noteLines = fc
  .tuple(fc.boolean(), fc.array(line, { maxLength: 16 }))
  .map(([begins, lines]) => (begins ? ['---', ...lines] : lines));

/** The same as one text, now and then with a byte order mark that was left in it. */
export const noteText = fc
  .tuple(fc.constantFrom('', '', '', '\uFEFF', '\uFEFF\uFEFF'), noteLines)
  .map(([mark, lines]) => mark + lines.join('\n'));
