import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMapping, readToolBody } from './body';
import { withArguments } from './noted';
import { printToolCall, reprintToolBlock } from './print';
import { readToolCallout } from './read';

type Arguments = Record<string, unknown>;

/** A person's block, run with other arguments. */
function run(body: string, args: Arguments): string {
  const block = `\`\`\`s\n${body}\n\`\`\``;
  return reprintToolBlock(block, '', { server: 's', tool: 'find' }, args).split('\n').slice(1, -1).join('\n');
}

describe('what a person noted in a block stays where it is when its arguments change', () => {
  test.each<[string, Arguments, string]>([
    [
      'tool: find\nopts:\n  # the customer asked for x\n  a: x # tail\n  b: 0x1F',
      { opts: { a: 'y', b: 31 } },
      'tool: find\nopts:\n  # the customer asked for x\n  a: y # tail\n  b: 0x1F',
    ],
    [
      'tool: find\nlist:\n  - one # first\n  # between\n  - two',
      { list: ['one', 'three'] },
      'tool: find\nlist:\n  - one # first\n  # between\n  - three',
    ],
    [
      'tool: find\nlist:\n  - one # first\n  # between\n  - two # second\n  - three # third',
      { list: ['one', 'three'] },
      'tool: find\n# between\n# second\nlist:\n  - one # first\n  - three # third',
    ],
    [
      'tool: find\ntags: [a, b] # flow\nn: 1',
      { tags: ['a', 'c'], n: 1 },
      'tool: find\ntags: [a, c] # flow\nn: 1',
    ],
    [
      'tool: find\nat:\n  - {x: 1, y: "z"} # start\n  - {x: 2, y: "z"} # end',
      {
        at: [
          { x: 1, y: 'z' },
          { x: 3, y: 'z' },
        ],
      },
      'tool: find\nat:\n  - {x: 1, y: "z"} # start\n  - {x: 3, y: "z"} # end',
    ],
    [
      'tool: find\nopts: &o\n  # why\n  a: x # tail\nn: 1',
      { opts: { a: 'y', b: [1] }, n: 1 },
      'tool: find\nopts:\n  # why\n  &o\n  a: y # tail\n  b:\n    - 1\nn: 1',
    ],
    [
      '# of the family\ntool: find # by name\n# who\nquery:   Ada   # the first',
      { query: 'Bob' },
      '# of the family\ntool: find # by name\n# who\nquery: Bob   # the first',
    ],
    [
      'query: Ada # who\ntool: find\n# how many\nlimit: 3',
      { query: 'Bob' },
      'query: Bob # who\ntool: find\n# how many',
    ],
    [
      'tool: find\n{"query": "Ada", # who\n "limit": 3}',
      { query: 'Bob', limit: 3 },
      'tool: find\n{\n  "query": "Bob", # who\n  "limit": 3\n}',
    ],
    // YAML refuses it: only a line of its own is a comment.
    ['tool: find\n# who\nquery: from: me # x', { query: 'Bob' }, '# who\ntool: find\nquery: Bob'],
  ])('%j %j', (body, args, wanted) => {
    expect(run(body, args)).toBe(wanted);
    expect(readToolBody(wanted)).toMatchObject({ tool: 'find', arguments: args, error: null });
  });
});

test("what a person noted in a model's call stays when that is made again, with its own arguments or others", () => {
  const result = { state: 'ok', ms: 3, at: null, turn: 1, cached: false, truncated: false } as const;
  const noted = '# my note on this call\ntool: find\n# where\ncity:   Linz # home\nopts: {a: 1} # few';
  const text = `> [!tool]- s · find · 3 ms\n> \`\`\`s\n> ${noted.replaceAll('\n', '\n> ')}\n> \`\`\`\n> \`\`\`result ok\n> \`\`\``;
  const call = readToolCallout(text)?.call;
  if (!call) throw new Error('no call');
  const print = (args: Arguments) =>
    printToolCall({ ...call, arguments: args, result: { ...result, definition: null, other: [], parts: [] } })
      .replaceAll('\n> ', '\n')
      .replaceAll('> ', '');
  expect(print({ opts: { a: 1 }, city: 'Linz' })).toContain(`\n${noted}\n`);
  expect(print({ city: 'Graz', opts: { a: 1 } })).toContain(
    `\n${noted.replace('city:   Linz', 'city: Graz')}\n`,
  );
});

/** Values as people write them, each part with a comment that is only its own. */
const scalars = [
  'x',
  '"two words"',
  "'it''s'",
  '31',
  '0x1F',
  '1.50',
  'true',
  '~',
  'null',
  '""',
  '12:30',
  '-',
];
type Written = { readonly lines: string[]; readonly inline: string | null };

const number = (text: string, from: { next: number }) => text.replaceAll('@', () => `#c${from.next++}.`);

const above = fc.constantFrom<string[]>([], [], [], ['@ above'], ['', '@'], ['@', '@']);

const value = fc.letrec<{
  node: Written;
  map: Written;
  list: Written;
  flow: Written;
  text: Written;
  scalar: Written;
}>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    tie('scalar'),
    tie('map'),
    tie('list'),
    tie('flow'),
    tie('text'),
  ),
  scalar: fc
    .tuple(fc.constantFrom(...scalars.slice(0, -1)), fc.constantFrom('', '', ' @', '   @'))
    .map(([text, beside]) => ({ lines: [], inline: text + beside })),
  flow: fc
    .constantFrom('[a, b] @', '[ a,b ]', '{x: 1,  y: [2]} @', '[]', '{} @', '[{a: 1}, 0x1F] @')
    .map((inline) => ({ lines: [], inline })),
  text: fc
    .constantFrom(['|', '  one', '  two'], ['>-', '  one', '', '  # no comment'], ['|+ @', '  one', ''])
    .map(([inline = '', ...lines]) => ({ lines, inline })),
  map: fc
    .tuple(
      fc.constantFrom(null, null, '@', '&m', '&m @'),
      fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', '"c d"', '12'), tie('node'), above), {
        minLength: 1,
        maxLength: 3,
        selector: ([key]) => key,
      }),
      above,
    )
    .map(([inline, entries, below]) => ({
      inline,
      lines: [
        ...entries.flatMap(([key, node, before]) => [...before, ...entry(`${key}:`, node)]),
        ...below,
      ].map((line) => (line === '' ? '' : `  ${line}`)),
    })),
  list: fc
    .tuple(
      fc.constantFrom(null, null, '@'),
      fc.array(fc.tuple(tie('node'), above), { minLength: 1, maxLength: 4 }),
    )
    .map(([inline, items]) => ({
      inline,
      lines: items
        .flatMap(([node, before]) => [...before, ...entry('-', node)])
        .map((line) => (line === '' ? '' : `  ${line}`)),
    })),
}));

function entry(head: string, { lines, inline }: Written): string[] {
  return [inline === null ? head : `${head} ${inline}`, ...lines];
}

const bodies = fc
  .tuple(
    fc.uniqueArray(fc.tuple(fc.constantFrom('p', 'q', 'r', 's'), value.node, above), {
      minLength: 1,
      maxLength: 4,
      selector: ([key]) => key,
    }),
    fc.nat(4),
    fc.constantFrom('tool: find', 'tool: find @', 'tool: "find"  @ t'),
  )
  .map(([entries, at, tool]) => {
    const parts = entries.map(([key, node, before]) => [...before, ...entry(`${key}:`, node)].join('\n'));
    const body = parts.toSpliced(Math.min(at, parts.length), 0, tool).join('\n');
    let anchors = 0;
    return number(body, { next: 0 }).replace(/&m/g, () => `&m${anchors++}`);
  })
  .filter((body) => readToolBody(body)?.error === null);

/** A few changes anywhere inside. */
const changes = fc.array(fc.tuple(fc.array(fc.nat(5), { maxLength: 4 }), fc.nat(4), fc.nat(7)), {
  minLength: 1,
  maxLength: 3,
});
const others: unknown[] = ['new', 5, 'two\nlines', ['a', 31], {}, { a: { b: 1 } }, '# sign', null];

function changed(given: unknown, [at, ...path]: readonly number[], how: number, what: number): unknown {
  const other = others[what];
  if (Array.isArray(given)) {
    const place = at === undefined ? given.length : at % (given.length + 1);
    if (place === given.length) return [...given, other];
    if (how === 0) return given.toSpliced(place, 1);
    return given.with(place, changed(given[place], path, how, what));
  }
  if (isMapping(given)) {
    const key = at === undefined ? undefined : Object.keys(given)[at];
    if (key === undefined) return { ...given, added: other };
    const { [key]: old, ...rest } = given;
    return how === 0 ? rest : { ...given, [key]: changed(old, path, how, what) };
  }
  return other;
}

test('a block with any change reads back to exactly the arguments, and no comment in it is lost', () => {
  fc.assert(
    fc.property(bodies, changes, (body, made) => {
      const before = readToolBody(body)?.arguments ?? {};
      const args = made.reduce<unknown>(
        (given, [path, how, what]) => changed(given, path, how, what),
        before,
      );
      const written = withArguments(body, 'find', args as Arguments);
      const read = readToolBody(written);
      expect([read?.tool, read?.error]).toEqual(['find', null]);
      expect(JSON.parse(JSON.stringify(read?.arguments))).toEqual(JSON.parse(JSON.stringify(args)));
      for (const [comment] of body.matchAll(/#c\d+\./g)) expect(written).toContain(comment);
      if (JSON.stringify(args) === JSON.stringify(before)) expect(written).toBe(body);
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 500) },
  );
}, 120_000);
