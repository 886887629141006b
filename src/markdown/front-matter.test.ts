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
    note.replace('alist:\n- one   # first\n- two\n', ''),
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
