import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { bodyOf, newNote, withBody, withValues } from './note-text';
import { quickMapping } from './quick-mapping';
import { readEntity, readParts } from './read';

const runs = { numRuns: Number(process.env.FUZZ_RUNS ?? 500) };

const key = fc.constantFrom(
  'id',
  'title',
  'status',
  'mood',
  'tags',
  'depends_on',
  'x-y',
  'null',
  'yes',
  '_a',
);
const scalar = fc.oneof(
  fc.constantFrom(
    'plain words',
    '12',
    '-3',
    '007',
    '1.5',
    '1e3',
    '0x1F',
    'true',
    'False',
    'no',
    '~',
    'null',
    'Null',
    '.inf',
    "'it''s'",
    '"say \\"hi\\""',
    '"two"',
    "'one'",
    '2026-10-24',
    '2026-10-24T10:00:00.000Z',
    'a: b',
    'a #b',
    'a#b',
    '[[T-001 x]]',
    '"[[T-001 x]]"',
    '- x',
    '| ',
    '> ',
    '*a',
    '&a b',
    '!tag x',
    '{a: 1}',
    '[a, b]',
    '[a, "b", 3]',
    '[a, [b]]',
    '[]',
    '[ ]',
    'ends:',
    '@at',
    '`tick`',
    '%x',
    ', x',
    '? x',
    'über',
    'T-001',
  ),
  fc.string({ maxLength: 12 }),
);
const line = fc.oneof(
  fc.tuple(key, scalar).map(([name, value]) => `${name}: ${value}`),
  fc
    .tuple(key, fc.array(scalar, { maxLength: 3 }))
    .map(([name, items]) => `${name}:\n${items.map((item) => `  - ${item}`).join('\n')}`),
  fc.tuple(key, scalar).map(([name, item]) => `${name}:\n- ${item}`),
  fc.constantFrom('# comment', '', 'key:', 'deep:\n  a: 1', '  stray', 'no colon'),
);
const source = fc.array(line, { maxLength: 8 }).map((lines) => `${lines.join('\n')}\n`);

test('what the quick reader reads, it reads as a YAML parser does', () => {
  let quick = 0;
  fc.assert(
    fc.property(source, (text) => {
      const read = quickMapping(text);
      if (read === null) return;
      quick++;
      expect(read).toEqual(parse(text) ?? {});
    }),
    { numRuns: runs.numRuns * 10 },
  );
  expect(quick).toBeGreaterThan(runs.numRuns / 5);
});

const ends = fc.constantFrom('\n', '\r\n');

test('any note keeps every byte outside the keys that change', () => {
  const lines = fc.constantFrom(
    '# comment',
    'title: "A b"   # quoted',
    'tags: [a,   b]',
    'list:\n- one  # first\n- two',
    'nested:\n    deep:  yes',
    'text: |\n  two\n  lines',
    'odd-key :  1',
    'status:   blocked',
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(lines, { maxLength: 8 }),
      fc.array(ends, { minLength: 40, maxLength: 40 }),
      fc.constantFrom('', '\uFEFF'),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('status', 'priority', 'depends_on'),
      (head, breaks, mark, tail, name) => {
        let at = 0;
        const text = `---\nid: T-001\n${head.map((each) => `${each}\n`).join('')}---\n`.replace(
          /\n/g,
          () => breaks[at++ % 40] ?? '\n',
        );
        const note = mark + text + tail;
        const value = name === 'depends_on' ? ['T-002', 'T-003'] : 'new value';
        const changed = withValues('x.md', note, { [name]: value });
        const parts = readParts(changed);
        expect(parts.values?.[name]).toEqual(value);
        expect(parts.body).toBe(readParts(note).body);
        expect(changed.startsWith(mark)).toBe(true);
        const kept = (whole: string): string[] =>
          whole.split(/(?<=\n)/).filter((each) => !/^(?:status|priority|depends_on)|T-00[23]/.test(each));
        expect(kept(readParts(changed).head)).toEqual(kept(readParts(note).head));
        expect(withValues('x.md', changed, { [name]: value })).toBe(changed);
      },
    ),
    runs,
  );
}, 120_000);

test('a body is replaced without the front matter changing by a byte, and reads back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (body) => {
      const note = '---\r\nid:  T-001\r\n---\r\nold\r\n';
      const changed = withBody(note, body);
      expect(readParts(changed).head).toBe(readParts(note).head);
      expect(bodyOf(changed)).toBe(body.replaceAll('\r\n', '\n').replace(/^\n+/, '').trimEnd());
    }),
    runs,
  );
});

test('a new note reads back as it was given, whatever the title', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }), (title) => {
      const text = newNote({ id: 'T-001', type: 'task', title, nothing: undefined }, 'Body');
      expect(readParts(text).values).toEqual({ id: 'T-001', type: 'task', title });
    }),
    runs,
  );
});

test('a note is an entity by its id; links and numbers short of digits are read as ids', () => {
  const read = (values: Record<string, unknown>) =>
    readEntity({ path: 'a/b.md', modified: 0, revision: '' }, values);
  expect(read({ id: 't-001' })).toMatchObject({
    id: 'T-001',
    type: 'task',
    title: 'b',
    status: 'not_started',
  });
  expect(read({ id: 'X-001' })).toBeNull();
  expect(read({ id: 12 })).toBeNull();
  expect(read({ title: 'T-001' })).toBeNull();
  expect(
    read({
      id: 'T-1',
      parent: '[[Projects/stories/S-002 Some story|the story]]',
      depends_on: ['[[T-003]]', 'T-004'],
    }),
  ).toMatchObject({
    parent: 'S-002',
    dependsOn: ['T-003', 'T-004'],
  });
});
