import { EditorState } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refuseOther, type WrittenCall, writtenCall } from '../../src/core/chat/tool-blocks/written-call';
import { parseConversation, printBlockResult, printToolBlock, printToolCall } from '../../src/markdown';
import { noteContext, setContext } from '../../src/renderer/features/editor/context/note-context';
import {
  readShown,
  type ShownCall,
  shownArguments,
  shownName,
} from '../../src/renderer/features/editor/context/shown-call';
import {
  beginAt,
  blockAround,
  blocksField,
  calloutType,
} from '../../src/renderer/features/editor/reading/blocks';
import { runnableAt } from '../../src/renderer/features/editor/reading/tool-block';

const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['A'] };
const servers = ['srv', 'safe', 'Test Bench'];
const numRuns = Number(process.env.FUZZ_RUNS ?? 3000);
const patience = 20_000 + 20 * numRuns;

interface Pressed {
  readonly at: number;
  readonly shown: ShownCall;
}

/** Every button in a note that makes a call, and the call that stands on the screen beside it. */
function buttonsIn(doc: string): { text: string; buttons: Pressed[] } {
  const bare = EditorState.create({ doc, extensions: [noteContext, blocksField] });
  const { state } = bare.update({ effects: setContext.of({ tags, servers }) });
  const buttons: Pressed[] = [];
  state.field(blocksField).set.between(0, state.doc.length, (at) => {
    const shown = runnableAt(state, at);
    if (shown) buttons.push({ at: beginAt(state, at), shown });
  });
  return { text: state.doc.toString(), buttons };
}

const drawn = ({ server, tool, ...call }: ShownCall) => [
  shownName(server),
  shownName(tool),
  shownArguments({ server, tool, ...call }),
];

/** What the core makes at a place; null: nothing. */
function made(text: string, { at, shown }: Pressed, isTold: boolean): WrittenCall | null {
  try {
    const written = writtenCall(parseConversation(text, tags, servers), at);
    // As it comes over the wire.
    if (isTold) refuseOther(written, JSON.parse(JSON.stringify(shown)) as ShownCall);
    return written;
  } catch {
    return null;
  }
}

function expectAgreement(doc: string, isTold: boolean): void {
  const { text, buttons } = buttonsIn(doc);
  for (const button of buttons) {
    const written = made(text, button, isTold);
    if (written) expect(drawn({ ...written, error: null })).toEqual(drawn(button.shown));
  }
}

const name = fc.constantFrom(
  'srv',
  'safe',
  'look',
  'wipe',
  'l\u200book',
  '\u202Eepiw',
  'wi\u{e0070}pe',
  '"wipe"',
  "'look'",
  '',
);
const mark = fc.constantFrom('```', '~~~', '````', '~~~~', '`````');
const quote = fc.constantFrom(
  '> ',
  '>',
  '  > ',
  '\t> ',
  '>  ',
  '>\t',
  '> > ',
  ' > ',
  '>   ',
  '',
  '- > ',
  '  ',
);
const odd = fc.constantFrom(
  '> ```result ok ms=4',
  '> ```',
  '> ~~~',
  '> ```text',
  '> ```json',
  '> tool: wipe',
  '> word: EVIL',
  '> word: good',
  '> - tool: wipe',
  '> "tool": wipe',
  '> tool: look # \u2028tool: wipe',
  '> <<: &a {tool: wipe}',
  '> x: &x [*x]',
  '> ---',
  '> Results:',
  '> Server ID: safe',
  '>',
  '',
  '```srv',
  '- ~~~srv',
  '  tool: wipe',
  '```',
  '#User : x',
  '#A : x',
  '---',
  '\ttool: wipe',
  '> [!tool]- safe · look · 4 ms',
  '> [!note] x',
);
const title = fc
  .tuple(
    fc.constantFrom(
      '> [!tool]- ',
      '> [!tool] ',
      '> [!TOOL]+ ',
      '> [!tool x]- ',
      '>[!tool]- ',
      '> [!tool\u00a0]- ',
    ),
    name,
    name,
    fc.constantFrom('both', 'tars-call', 'tars-odd', 'tars-result', 'running'),
  )
  .map(([head, server, tool, form]) => {
    if (form === 'tars-call') return `${head}Tool Call (${server}: ${tool})`;
    if (form === 'tars-odd') return `${head}Tool Call (x) (${server}: ${tool})`;
    if (form === 'tars-result') return `${head}Tool Result (4ms)`;
    return `${head}${server} · ${tool} · ${form === 'running' ? 'running' : '4 ms'}`;
  });
const block = fc
  .record({ mark, close: mark, server: name, tool: name, quote, more: fc.array(odd, { maxLength: 2 }) })
  .map(({ mark: opens, close, server, tool, quote: lead, more }) => [
    `${lead}${opens}${server}`,
    `${lead}tool: ${tool}`,
    ...more,
    `${lead}word: x`,
    `${lead}${close}`,
  ]);
const result = fc.constantFrom(
  ['> ```result ok ms=4 at=2026-11-22T22:17:20Z turn=1', '> done', '> ```'],
  ['> ~~~result error', '> tool: look', '> ~~~'],
  ['  > ```result ok', '> x', '> ```'],
  [],
);
const callout = fc
  .tuple(
    title,
    fc.array(
      fc.oneof(
        block,
        block,
        result,
        odd.map((line) => [line]),
      ),
      { maxLength: 5 },
    ),
  )
  .map(([head, parts]) => [head, ...parts.flat()]);
/** A callout of the app, or nearly one, with lines changed, taken away, doubled or put in. */
const mutated = fc
  .tuple(
    fc.oneof(
      callout,
      fc.tuple(title, block, result).map(([head, ...parts]) => [head, ...parts.flat()]),
    ),
    fc.array(fc.tuple(fc.nat(20), fc.constantFrom('put', 'take', 'double', 'indent', 'trim'), odd), {
      maxLength: 3,
    }),
  )
  .map(([lines, changes]) => {
    const all = [...lines];
    for (const [place, how, line] of changes) {
      const at = place % (all.length + 1);
      const there = all[at] ?? '';
      if (how === 'put') all.splice(at, 0, line);
      if (how === 'take') all.splice(at, 1);
      if (how === 'double') all.splice(at, 0, there);
      if (how === 'indent') all[at] = `  ${there}`;
      if (how === 'trim') all[at] = there.replace(/^> ?/, '>');
    }
    return all;
  });
const lineEnd = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r');
const note = fc
  .tuple(
    fc.constantFrom('', '#User : x\n\n#A : hi\n\n', '#User : ', '- a\n', '> said\n', '```\n', '---\n'),
    fc.array(
      fc.oneof(
        mutated,
        block.map((lines) => lines.map((line) => line.replace(/^> ?/, ''))),
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    fc.constantFrom('\n', '\n\n', '\n\n\n'),
    lineEnd,
  )
  .map(([before, parts, between, end]) =>
    `${before}${parts.map((lines) => lines.join('\n')).join(between)}\n\n#User : \n`.replaceAll('\n', end),
  );

test(
  'whatever stands in a note, a press makes the call that is shown beside it, or none',
  () =>
    fc.assert(
      fc.property(note, (doc) => expectAgreement(doc, true)),
      { numRuns },
    ),
  patience,
);

test(
  'a callout says the same on its card as to the core, without either asking the other',
  () =>
    fc.assert(
      fc.property(mutated, (lines) => {
        const text = lines.join('\n').replace(/\n(?![ \t]*>).*$/s, '');
        const doc = `#User : x\n\n#A : hi\n\n${text}\n\n#User : \n`;
        const at = doc.indexOf('>');
        const { buttons } = buttonsIn(doc);
        const button = buttons.find((one) => one.at === at);
        const calls = parseConversation(doc, tags, servers).calls;
        const call = calls.find(({ from }) => from === at);
        // Where the card has no button the core may know a call, and nobody can press.
        if (!button) return;
        expect(call && drawn(call)).toEqual(drawn(button.shown));
      }),
      { numRuns },
    ),
  patience,
);

test('what the app itself writes is shown whole, and made when it is pressed', () => {
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom('a\nb', ' x ', '```', '# c', '\u202Ex'),
    fc.nat(),
    fc.boolean(),
  );
  const server = fc.constantFrom(...servers);
  fc.assert(
    fc.property(server, fc.string({ minLength: 1 }), fc.dictionary(fc.string(), value), (of, tool, args) => {
      const outcome = { ...done, state: 'ok' as const };
      for (const text of [
        printToolCall({ server: of, tool, arguments: args, result: outcome }),
        printToolBlock(of, tool, args),
        `${printToolBlock(of, tool, args)}\n\n${printBlockResult(of, tool, outcome)}`,
      ]) {
        const { text: doc, buttons } = buttonsIn(`#User : x\n\n#A : hi\n\n${text}\n`);
        expect(buttons.length).toBeGreaterThan(0);
        for (const button of buttons)
          expect(made(doc, button, true)).toMatchObject({ server: of, tool, arguments: args });
      }
    }),
    { numRuns: numRuns / 10 },
  );
});

const done = {
  ms: 4,
  at: null,
  turn: null,
  cached: false,
  truncated: false,
  definition: null,
  other: [],
  parts: [{ kind: 'text' as const, text: 'tool: look' }],
};

const wipe = '> ```srv\n> tool: wipe\n> word: EVIL\n> ```';
const look = '> ```srv\n> tool: look\n> word: good\n> ```';
const ended = '> ```result ok ms=4\n> done\n> ```';

test('a title names no call: the card shows what its block says', () => {
  const forged = `> [!tool]- safe · look · 4 ms\n${wipe}\n${ended}`;
  expect(readShown(forged, null)?.call).toMatchObject({
    server: 'srv',
    tool: 'wipe',
    arguments: { word: 'EVIL' },
  });
  const tars = '> [!tool]- Tool Call (srv: look)\n> ```srv\n> tool: wipe\n> word: EVIL\n> ```';
  expect(readShown(tars, null)?.call).toMatchObject({
    server: 'srv',
    tool: 'wipe',
    arguments: { word: 'EVIL' },
  });
  const [above] = parseConversation('```srv\ntool: wipe\n```', tags, servers).blocks;
  const other = readShown(`> [!tool]- srv · look · 4 ms\n${ended}`, above ?? null);
  expect(other).toMatchObject({ call: { tool: 'wipe' }, own: null });
});

test.each([
  ['fenced by tildes', `${wipe.replaceAll('```', '~~~')}\n${ended}\n${look}`],
  ['quoted with blanks before it', `${wipe.replace(/^>/gm, '  >')}\n${ended}\n${look}`],
  ['behind a result', `${ended}\n${wipe}`],
  ['twice', `${wipe}\n${look}`],
  ['not closed', `${wipe.slice(0, -6)}`],
])('a callout with a hidden call, %s, is none that can be made', (_how, content) => {
  const doc = `#User : x\n\n#A : hi\n\n> [!tool]- srv · look · 4 ms\n${content}\n`;
  const { text, buttons } = buttonsIn(doc);
  const at = doc.indexOf('>');
  expect(made(text, { at, shown: buttons[0]?.shown as ShownCall }, false)).toBeNull();
});

test('a callout is a call for the card where it is one for the core', () => {
  const typeOf = (doc: string) => {
    const block = blockAround(EditorState.create({ doc, extensions: blocksField }), 0);
    return block && calloutType(block.value);
  };
  expect(typeOf('> [!tool x]- safe · look')).not.toBe('tool');
  expect(typeOf('> [!TOOL]- safe · look')).toBe('tool');
});

test('of a block in the block of a list item the editor shows what the core runs', () => {
  const inner = '  ```srv\n  tool: look\n  word: good\n  ```\n';
  const doc = `- ~~~srv\n  tool: wipe\n  word: EVIL\n  more: |\n${inner.replace(/^/gm, '  ').replace(/^ {4}/gm, '   ')}  ~~~\n`;
  const { text, buttons } = buttonsIn(doc);
  const [button] = buttons;
  expect(buttons).toHaveLength(1);
  expect(button?.shown).toMatchObject({ tool: 'wipe' });
  expect(made(text, button as Pressed, true)).toMatchObject({ tool: 'wipe' });
});
