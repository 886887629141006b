import { expect, test } from 'vitest';
import { createTextGuard } from './conversation/guard';
import { parseConversation } from './conversation/parse';
import { findLinks } from './links';
import { sectionOf } from './sections';
import { printToolCall } from './tool-calls/print';

const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };
const size = 2_000_000;

const paragraph =
  'A sentence about [[a note]] with `code` and some #tag in it, as people write them every day.\n\n';
const call = printToolCall({
  server: 'memory',
  tool: 'search',
  arguments: { query: 'x' },
  result: {
    state: 'ok',
    ms: 3,
    at: null,
    turn: 1,
    cached: false,
    truncated: false,
    definition: null,
    other: [],
    parts: [{ kind: 'text', text: 'found it\n'.repeat(20) }],
  },
});
const turn = `#User : ask\n\n${paragraph.repeat(15)}#Claude : say\n\n${paragraph}${call}\n\n`;

/** Text that a scanner with a second look at every place would take minutes for. */
const inputs: Record<string, string> = {
  'a long conversation': turn.repeat(size / turn.length),
  'one line of brackets': '['.repeat(size),
  'open wiki links': '[['.repeat(size / 2),
  'open addresses': '[](('.repeat(size / 4),
  'backtick runs': '` `` ``` '.repeat(size / 9),
  'inline hashes': ' #User'.repeat(size / 6),
  blanks: `#User${' '.repeat(size)}`,
  'nested quotes': '> '.repeat(size / 2),
  'quote lines': '> x\n'.repeat(size / 4),
  'nested lists': '- '.repeat(size / 2),
  'open fences': '```\n~~~\n'.repeat(size / 8),
  'tool titles': `> [!tool] Tool Call (${': '.repeat(size / 2)}`,
  callouts: '> [!tool]- x\n> ```m\n\n'.repeat(size / 22),
  'blocks of HTML': '<b x=1>\n<!-- -->\n<p>\n\n'.repeat(size / 24),
  'open tags': '<b c\n'.repeat(size / 5),
  underlines: 'a\nb\n---\n'.repeat(size / 8),
  'blank lines': `#User\n${' \n'.repeat(size / 2)}x`,
};

test.each(Object.entries(inputs))(
  '2 MB of %s are read without delay',
  (_, text) => {
    const before = performance.now();
    parseConversation(text, tags, ['m']);
    findLinks(text);
    sectionOf(text, 'none', null);
    sectionOf(text, null, 'none');
    // Generous, so that a busy machine does not fail it; anything quadratic takes minutes.
    expect(performance.now() - before).toBeLessThan(10_000);
  },
  30_000,
);

test('a long answer streams through the guard without delay', () => {
  const before = performance.now();
  const guard = createTextGuard(tags, '#Claude : ');
  for (let at = 0; at < size; at += 50) guard.push(turn.slice(at % turn.length, (at % turn.length) + 50));
  guard.end();
  expect(performance.now() - before).toBeLessThan(10_000);
}, 30_000);
