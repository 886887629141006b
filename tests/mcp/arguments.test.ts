import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { operations } from '../../src/contract/operations';
import type { Caller, Decision } from '../../src/contract/tools';
import { openDatabase } from '../../src/core/foundation';
import { parseArguments } from '../../src/core/providers/tool-calls';
import { createTools } from '../../src/core/tools';
import { parseConversation } from '../../src/markdown';
import { createMemorySettings } from '../support/in-memory';
import { ownPrograms } from '../support/test-programs';
import { idOf, ours, world } from './setup';

async function asking() {
  const { mcp, host, until: untilServer } = await world({ wire: ours('wire') });
  await untilServer('wire', ({ state, tools }) => state.kind === 'ready' && tools !== null);
  const settings = createMemorySettings({ tools: { approval: 'ask', callsPerNote: -1, cache: 'run' } });
  const database = openDatabase(':memory:', () => undefined);
  const tools = createTools({
    mcp,
    schemas: ownPrograms().schemas,
    settings,
    database,
    clock: host.clock,
    log: host.log,
  });
  onTestFinished(() => tools.close());
  let number = 0;

  /** What the card carries, what the caller was told, and what the server was sent; `edited`: by the person at the card. */
  async function call(args: Record<string, unknown>, by: Caller, edited?: Record<string, unknown>) {
    const told: string[] = [];
    let carried: string | null = null;
    const over = new AbortController();
    const running = tools
      .run(
        {
          callId: `call-${++number}`,
          runId: null,
          path: 'A.md',
          by,
          serverId: idOf(mcp, 'wire'),
          tool: 'echo',
          arguments: args,
          unattended: null,
          earlier: [],
        },
        new AbortController().signal,
        (step) => step.kind === 'running' && told.push(JSON.stringify(step.arguments)),
      )
      .finally(() => over.abort());
    for await (const waiting of tools.approvals.follow(over.signal)) {
      if (waiting.length === 0) continue;
      const [shown] = operations['tools.approvals'].item.parse(waiting);
      carried = JSON.stringify(shown?.arguments);
      const decision = { kind: 'allow', remember: 'once', ...(edited && { arguments: edited }) };
      await tools.decide(shown?.id ?? '', decision as Decision);
      break;
    }
    const { status, parts } = await running;
    if (status === 'ok') expect(tools.history.find({ limit: 1 })[0]?.arguments).toBe(told.at(-1));
    const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join();
    return { status, text, carried, told };
  }
  return { call };
}

/** JSON as a model may write it: also what no `JSON.stringify` would. */
const key = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 6 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('path', 'constructor', 'toString', 'hasOwnProperty', 'toJSON', '0', 'length'),
  },
  { weight: 1, arbitrary: fc.constant('__proto__') },
);
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom('-0', '1e21', '12345678901234567890', '0.1e-400', '1e400', '-1e999'),
);
const string = fc.oneof(
  fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value)),
  fc.constantFrom('"\\ud800"', '"a\\u202eb\\u200b\\u2028"', '"\\u005f"'),
);
const { object } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    number,
    string,
    fc.constantFrom('null', 'true', 'false'),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(key, tie('value')), { maxLength: 4 })
    .map((entries) => `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`),
}));

const onTheWire = (args: string | null) => `"arguments":${args},"_meta"`;

test('what is shown, kept and sent of a call are the same bytes, or nothing is sent and the reason is said', async () => {
  const { call } = await asking();
  let made = 0;
  await fc.assert(
    fc.asyncProperty(object, fc.constantFrom<Caller>('model', 'person', 'app', 'hook'), async (text, by) => {
      const raw = JSON.parse(text) as Record<string, unknown>;
      const read = parseArguments(text);
      // Of the value that it was read into nobody could say so.
      if (read.error?.includes('another one')) return;
      const { status, text: answer, carried, told } = await call(raw, by);
      if (read.arguments === null) {
        expect(read.error).toMatch(/__proto__|too large/);
        expect([status, carried, told]).toEqual(['error', null, []]);
        expect(answer).toMatch(/__proto__|too large/);
        return;
      }
      expect([status, answer]).toEqual(['ok', expect.anything()]);
      expect(carried).toBe(JSON.stringify(read.arguments));
      expect(told).toEqual([carried]);
      // What a result shows of hidden letters is another matter.
      if (/^[\x20-\x7e]*$/.test(carried ?? '')) expect(answer).toContain(onTheWire(carried));
      made++;
    }),
    { numRuns: 120, seed: 7 },
  );
  expect(made).toBeGreaterThan(20);
});

test('what the person writes at the card is what is sent, and a key that means more than a name is refused', async () => {
  const { call } = await asking();
  const good = await call({ path: 'a' }, 'model', { path: 'b', constructor: 'c' });
  expect(good.text).toContain(onTheWire('{"path":"b","constructor":"c"}'));
  const bad = call({ path: 'a' }, 'model', JSON.parse('{"path":"a","__proto__":{"recursive":true}}'));
  await expect(bad).rejects.toThrow('__proto__');
});

test('arguments that are too deep, too many, sparse or no data at all are refused with the reason', async () => {
  const { call } = await asking();
  let deep: unknown = 1;
  for (let level = 0; level < 20_000; level++) deep = [deep];
  const sparse: unknown[] = [];
  sparse[3] = 1;
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ deep }, /nested more than/],
    [{ many: Array.from({ length: 200_000 }, () => 0) }, /more than 100,000 values/],
    [{ sparse }, /no JSON/],
    [{ when: new Date() }, /no JSON/],
    [{ n: Number.NaN }, /too large/],
    [{ n: 10n }, /no JSON/],
  ];
  for (const [args, reason] of cases) {
    const { status, text, carried } = await call(args, 'hook');
    expect([status, carried]).toEqual(['error', null]);
    expect(text).toMatch(reason);
  }
});

test('a number that would be sent as another one is refused by its name, wherever it is written', () => {
  for (const number of ['12345678901234567890', '9007199254740993', '1e400']) {
    const json = `{"n": [${number}]}`;
    const named = expect.stringContaining(`the number ${number}`);
    expect(parseArguments(json)).toEqual({ arguments: null, error: named });
    for (const body of [`n: [${number}]`, `n: ${number}\nquery: from: me`, json]) {
      const [block] = blocksOf(`tool: echo\n${body}`);
      expect([block?.arguments, block?.error], body).toEqual([null, named]);
    }
  }
  const [block] = blocksOf('tool: echo\nn: [1.0, 1e3, 0.1, 12345678901234567000]\nid: "9007199254740993"');
  expect([block?.arguments, block?.error]).toEqual([
    { n: [1, 1000, 0.1, 12345678901234567000], id: '9007199254740993' },
    null,
  ]);
});

const noTags = { newChat: [], user: [], system: [], assistant: [] };
const blocksOf = (body: string) =>
  parseConversation(`\`\`\`wire\n${body}\n\`\`\`\n`, noTags, ['wire']).blocks;

test('a block written by hand is called with what stands in it', async () => {
  const { call } = await asking();
  const [block] = blocksOf('tool: echo\npath: tmp/old.txt\n__proto__:\n  recursive: true');
  const { status, text } = await call(block?.arguments ?? {}, 'person');
  expect([status, text]).toEqual(['error', expect.stringContaining('__proto__')]);
});
