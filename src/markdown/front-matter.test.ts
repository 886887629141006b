import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editFrontMatter, readFrontMatter } from './front-matter';

const note = `---
# about this note
title: "A note"   # quoted on purpose
tags: [a,   b]
alist:
- one   # first
- two

model:   claude
nested:
    deep:  yes
---
# Body
tags: no
`;

test('front matter is read as data, with its range', () => {
  expect(readFrontMatter(note)).toMatchObject({
    values: {
      title: 'A note',
      tags: ['a', 'b'],
      alist: ['one', 'two'],
      model: 'claude',
      nested: { deep: 'yes' },
    },
    problem: null,
    from: 0,
    to: note.indexOf('# Body'),
  });
  expect(readFrontMatter('no front matter')).toBeNull();
  expect(readFrontMatter('---\nnever closed')).toBeNull();
});

test('what is not a mapping is a problem, not an exception', () => {
  expect(readFrontMatter('---\n- a\n---\n')?.problem).toContain('name: value');
  expect(readFrontMatter('---\na: [1\n---\n')?.problem).toBeTruthy();
  expect(readFrontMatter('---\na: &x 1\nb: *y\n---\n')?.problem).toBeTruthy();
});

test('changing a key leaves every other byte as it was', () => {
  expect(editFrontMatter(note, { model: 'gpt' })).toBe(note.replace('model:   claude', 'model: gpt'));
  expect(editFrontMatter(note, { title: 'B' })).toBe(note.replace('title: "A note"', 'title: B'));
  expect(editFrontMatter(note, { alist: ['x'] })).toBe(
    note.replace('alist:\n- one   # first\n- two', '# first\nalist:\n  - x'),
  );
  expect(editFrontMatter(note, { tags: undefined })).toBe(note.replace('tags: [a,   b]\n', ''));
  expect(editFrontMatter(note, { alist: undefined })).toBe(
    note.replace('alist:\n- one   # first\n- two\n', '# first\n'),
  );
  expect(editFrontMatter(note, { added: 1 })).toBe(note.replace('yes\n---', 'yes\nadded: 1\n---'));
  expect(editFrontMatter(note, { missing: undefined })).toBe(note);
});

test('a note without front matter gets some, and loses none of its text', () => {
  expect(editFrontMatter('text', { a: 1 })).toBe('---\na: 1\n---\ntext');
  expect(editFrontMatter('text', { a: undefined })).toBe('text');
  expect(editFrontMatter('---\n---\ntext', { a: 1 })).toBe('---\na: 1\n---\ntext');
});

test('front matter that cannot be read is not edited', () => {
  expect(() => editFrontMatter('---\na: [1\n---\n', { a: 1 })).toThrow(/not valid YAML/);
});

test('flow mappings and anchors are edited too', () => {
  expect(readFrontMatter(editFrontMatter('---\n{a: 1, b: 2}\n---\n', { a: 3 }))?.values).toEqual({
    a: 3,
    b: 2,
  });
  expect(readFrontMatter(editFrontMatter('---\na: &x [1]\nb: *x\n---\n', { b: 2 }))?.values).toEqual({
    a: [1],
    b: 2,
  });
});

test('any edit reads back, and the body stays', () => {
  const key = fc.constantFrom('title', 'tags', 'alist', 'model', 'nested', 'new', 'with space', '12');
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.string({ unit: 'grapheme' }),
    fc.constant(undefined),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(key, value), { maxLength: 4 }), (changes) => {
      let text = note;
      const data: Record<string, unknown> = { ...readFrontMatter(note)?.values };
      for (const [name, given] of changes) {
        text = editFrontMatter(text, { [name]: given });
        data[name] = given;
      }
      const read = readFrontMatter(text);
      expect(read?.problem).toBeNull();
      expect(JSON.parse(JSON.stringify(read?.values))).toEqual(JSON.parse(JSON.stringify(data)));
      expect(text.slice(read?.to)).toBe('# Body\ntags: no\n');
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 300) },
  );
}, 120_000);

test.each([
  ['tags:\n  - roof # Bob pays\n  # never on Mondays\n  - wood\n', ['roof', 'wood', 'nails']],
  ['tags:\n- roof # Bob pays\n- wood # soon\n', ['wood']],
  ['tags: # Bob\n  - roof\n', ['wood', 'roof']],
  ['tags: [roof] # Bob likes these\nnext: 1\n', ['wood']],
  ['tags:\n  # first\n  - roof\n  # last\nnext: 1 # and this\n', []],
  ['tags: ["# no comment", roof] # one\n', ['# no comment']],
])('no comment is lost when a list is changed: %j', (before, tags) => {
  const edited = editFrontMatter(`---\n${before}---\nbody\n`, { tags });
  expect(readFrontMatter(edited)?.values).toMatchObject({ tags });
  for (const comment of before.match(/(?<=^|\s)# (?!no comment)[^\n]*/g) ?? [])
    expect(edited).toContain(comment);
  expect(edited).toMatch(/---\nbody\n$/);
});

test('a comment stays with its item', () => {
  const edited = editFrontMatter('---\ntags:\n  - roof # Bob pays\n  - wood\n---\n', {
    tags: ['wood', 'roof'],
  });
  expect(edited).toBe('---\ntags:\n  - wood\n  - roof # Bob pays\n---\n');
});

test.each([
  ['title: A # why A\nnext: 1\n', { title: undefined }, '# why A\nnext: 1\n'],
  ['title: A # why A\nnext: 1\n', { title: 'B' }, 'title: B # why A\nnext: 1\n'],
  ['title: A # why A\nnext: 1\n', { title: 'B\nC' }, '# why A\ntitle: |-\n  B\n  C\nnext: 1\n'],
  ['title: # why A\n  A\nnext: 1\n', { title: 'B' }, '# why A\ntitle: B\nnext: 1\n'],
  ['title: | # why A\n  A\nnext: 1\n', { title: 'B' }, '# why A\ntitle: B\nnext: 1\n'],
  ['title: # soon\nnext: 1\n', { title: 'B' }, 'title: B # soon\nnext: 1\n'],
  ['title: # soon\nnext: 1\n', { title: undefined }, '# soon\nnext: 1\n'],
  ['a:\n  b: 1 # one\n  # two\n  c: 2\nnext: 1\n', { a: 3 }, '# one\n# two\na: 3\nnext: 1\n'],
  ['a: [1, # one\n  2] # two\n', { a: undefined }, '# one\n# two\n'],
  ['title: "# no comment"\n', { title: undefined }, ''],
])('a comment beside a value stays when that changes or goes: %j %j', (before, changes, after) => {
  expect(editFrontMatter(`---\n${before}---\n`, changes)).toBe(`---\n${after}---\n`);
});

/** Each is written in a way that reading and printing would change. */
const strange = [
  '12345678901234567890',
  '-9007199254740993',
  '0.1000000000000000055511151231257827',
  '1.10',
  '1e3',
  '0x1F',
  '0o17',
  '017',
  '1_000',
  '.inf',
  '-.INF',
  '.NaN',
  '~',
  'Null',
  'yes',
  'NO',
  'True',
  '2026-11-22',
  '2026-11-22T10:00:00Z',
  '12:30:45',
  '!!str 12',
  '!!int "3"',
  '!custom word',
  '!!binary aGVsbG8=',
  "'it''s'",
  '"\\u00e9\\x41"',
  '[ a,b ,  0x1F ]',
  '{a: 1,  b: 12345678901234567890}',
  '>-\n  folded\n  text\n\n  more',
  '|+\n  kept\n',
  '\n  deep:\n      - 0x1F\n      -   1_000',
  '\n- 12345678901234567890\n-   0o17',
  '&anchor 12345678901234567890',
  '&list [1,  0x1F]',
];
const comments = ['', '   # of a person', ' #tag', '\t# ünï'];

/** A mapping of strange values, with comments beside, between and inside; the keys in their order. */
const mappings = fc
  .array(
    fc.record({
      value: fc.constantFrom(...strange),
      beside: fc.constantFrom(...comments),
      above: fc.constantFrom('', '# a line of its own\n', '\n', '# one\n# two\n'),
      isAlias: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => {
    const anchors: string[] = [];
    const lines = parts.map(({ value, beside, above, isAlias }, at) => {
      const [anchor] = isAlias ? anchors : [];
      if (anchor !== undefined) return { key: `k${at}`, above, line: `k${at}: *${anchor}${beside}\n` };
      // Each anchor is given once.
      const own = value.replace(/^&\w+/, `&a${at}`);
      if (own.startsWith('&')) anchors.push(`a${at}`);
      const [first = '', ...more] = own.split('\n');
      const line = [`k${at}: ${first}${beside}`, ...more].join('\n');
      return { key: `k${at}`, above, line: `${line}\n` };
    });
    return lines;
  });

const commentsOf = (text: string) =>
  text
    .split('\n')
    .flatMap((line) => /(?:^|\s)(#.*)$/.exec(line)?.[1] ?? [])
    .sort();

test('no edit of a key changes a byte of another, or loses a comment', () => {
  const changes = fc.constantFrom<unknown>(
    undefined,
    'word',
    5,
    'two\nlines',
    ['a', 31],
    [],
    { x: ['y'] },
    '# sign',
    null,
  );
  fc.assert(
    fc.property(mappings, fc.nat(), changes, (lines, at, value) => {
      const chosen = lines[at % lines.length]!;
      const text = `---\n${lines.map(({ above, line }) => above + line).join('')}---\nbody\n`;
      const before = readFrontMatter(text)!;
      expect(before.problem).toBeNull();
      const edited = editFrontMatter(text, { [chosen.key]: value });
      const after = readFrontMatter(edited)!;
      expect(after.values).toEqual(
        value === undefined
          ? Object.fromEntries(Object.entries(before.values).filter(([key]) => key !== chosen.key))
          : { ...before.values, [chosen.key]: value },
      );
      const anchor = /: &(\w+)/.exec(chosen.line)?.[1];
      for (const { key, line } of lines)
        if (key !== chosen.key && (anchor === undefined || !line.includes(`*${anchor}`)))
          expect(edited).toContain(line);
      const kept = commentsOf(edited);
      for (const comment of commentsOf(text)) {
        const found = kept.indexOf(comment);
        expect([comment, kept, found >= 0]).toEqual([comment, kept, true]);
        kept.splice(found, 1);
      }
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 150) },
  );
}, 120_000);

test('what no number can hold is handed out as it is written', () => {
  const source =
    'a: 12345678901234567890\nb: 0.1000000000000000055511151231257827\nc: 0x1F\nd: .inf\ne: 1.50\nf: 1e3\ng: [9007199254740993]\n';
  expect(readFrontMatter(`---\n${source}---\n`)?.values).toEqual({
    a: '12345678901234567890',
    b: '0.1000000000000000055511151231257827',
    c: '0x1F',
    d: '.inf',
    e: 1.5,
    f: 1000,
    g: ['9007199254740993'],
  });
});

test('items of a list that stay are written as they were', () => {
  const edited = editFrontMatter('---\na: [12345678901234567890, 0x1F, 1_000]\n---\n', {
    a: ['12345678901234567890', '0x1F', 'new'],
  });
  expect(edited).toBe('---\na: [12345678901234567890, 0x1F, new]\n---\n');
});

test.each([
  ['a: &x [*x, '.repeat(90_000), 'more than 100 levels deep'],
  [`x: ${'['.repeat(100_000)}`, 'more than 100 levels deep'],
  [`a: 1\n${'\n'.repeat(900_000)}b: 2`, 'more than 50,000 parts'],
  [`a: &x 1\nb: [${'*x, '.repeat(2_000)}]`, 'more than 1,000 aliases'],
])('front matter that would hold up the app is refused, and left as it is', (yaml, problem) => {
  const text = `---\n${yaml}\n---\nbody\n`;
  expect(readFrontMatter(text)).toMatchObject({ values: {}, problem: expect.stringContaining(problem) });
  expect(() => editFrontMatter(text, { a: 2 })).toThrow('not valid YAML');
});

test('a long text in front matter is no reason to refuse it', () => {
  const long = `  ${'words '.repeat(20)}\n`.repeat(8_000);
  expect(readFrontMatter(`---\nid: 1\ntext: |\n${long}---\n`)).toMatchObject({
    problem: null,
    values: { id: 1 },
  });
});

test('a key that stands twice is told with its place', () => {
  expect(readFrontMatter('---\na: 1\nb: {c: 1, c: 2}\n---\n')?.problem).toBe(
    'Map keys must be unique at line 2, column 11.',
  );
});
