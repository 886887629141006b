import { expect, test } from 'vitest';
import { parseConversation } from '../conversation/parse';
import type { TagNames } from '../model';
import { printFailure, printThinking } from '../notices';

const tags: TagNames = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };

test('a call of the older plugin is read with its results', () => {
  const text = [
    '#Claude : let me see',
    '',
    '> [!tool] Tool Call (Memory Server: read_graph)',
    '> Server ID: mem-1',
    '> ```Memory Server',
    '> tool: read_graph',
    '> query: x',
    '> ```',
    '> Duration: 12ms',
    '> Tokens: 40',
    '> Cached: yes (900ms old)',
    '> Executed: 2025-10-12T10:00:00.000Z',
    '> Results:',
    '> ```',
    '> [',
    '>   { "type": "text", "text": "```found" },',
    '>   { "type": "resource", "resource": { "uri": "a:b", "text": "t" } }',
    '> ]',
    '> ```',
    '',
    'done',
  ].join('\n');
  const part = parseConversation(text, tags, []).turns[0]!.parts[1]!;
  expect(part).toMatchObject({
    kind: 'call',
    call: {
      form: 'tars-call',
      server: 'Memory Server',
      tool: 'read_graph',
      arguments: { query: 'x' },
      result: {
        state: 'ok',
        ms: 12,
        at: '2025-10-12T10:00:00.000Z',
        cached: true,
        parts: [
          { kind: 'text', text: '```found' },
          { kind: 'resource', uri: 'a:b', text: 't' },
        ],
      },
    },
  });
});

test('a call of the older plugin without results was interrupted', () => {
  const text = '#Claude : x\n\n> [!tool] Tool Call (m: t)\n> Server ID: m\n> ```m\n> tool: t\n> ```';
  expect(parseConversation(text, tags, []).turns[0]!.parts[1]).toMatchObject({
    kind: 'call',
    call: { tool: 't', result: { state: 'interrupted', parts: [] } },
  });
});

test('the older result form belongs to the block above it', () => {
  const text =
    '#User : x\n\n```m\ntool: t\n```\n\n> [!tool]- Tool Result (245ms) 📦\n> Duration: 245ms, Type: json, Cached (2m ago)\n> ```json\n> {"a":1}\n> ```';
  const { blocks, turns } = parseConversation(text, tags, ['m']);
  expect(blocks[0]?.result?.value).toMatchObject({
    state: 'ok',
    ms: 245,
    cached: true,
    parts: [{ kind: 'json', value: { a: 1 } }],
  });
  expect(turns[0]!.parts.at(-1)).toMatchObject({ kind: 'call', call: { form: 'tars-result', tool: 't' } });
});

const olderResult = '> [!tool]- Tool Result (245ms)\n> Duration: 245ms, Type: text\n> ```\n> found\n> ```';
const found = { state: 'ok', ms: 245, parts: [{ kind: 'text', text: 'found' }] };

test('an older result also belongs to a block of a server that is not here any more', () => {
  const text = `#Claude : look\n\n\`\`\`Old Server\ntool: t\nq: 1\n\`\`\`\n\n${olderResult}\n\ndone`;
  const { blocks, turns } = parseConversation(text, tags, ['m']);
  expect(blocks).toEqual([]);
  expect(turns[0]!.parts).toMatchObject([
    { kind: 'text' },
    {
      kind: 'call',
      call: { form: 'tars-result', server: 'Old Server', tool: 't', arguments: { q: 1 }, result: found },
    },
    { kind: 'text' },
  ]);
});

test('an older result without its call is history too: the tool is not known, what it said is', () => {
  for (const above of [
    '',
    '```js\nf()\n```\n\n',
    '```js\n```\n\n',
    '```m\ntool: t\n```\n\nsaid between\n\n',
  ]) {
    const { turns } = parseConversation(`#Claude : look\n\n${above}${olderResult}`, tags, ['m']);
    expect(turns[0]!.parts.at(-1), above).toMatchObject({
      kind: 'call',
      call: { form: 'tars-result', server: 'TARS', tool: 'unknown', arguments: {}, result: found },
    });
  }
});

test('reasoning and failures are never sent', () => {
  const text = `#Claude : a\n\n${printThinking('hm\n#User : x', 3.21)}\n\n${printFailure('No key', 'It was refused.', 'Open settings.')}`;
  const { turns } = parseConversation(text, tags, []);
  expect(turns).toHaveLength(1);
  expect(turns[0]!.parts).toMatchObject([
    { kind: 'text' },
    { kind: 'callout', type: 'thinking' },
    { kind: 'callout', type: 'failure' },
  ]);
  expect(text).toContain('> [!thinking]- 3.2 s\n> hm');
});

test('a callout that says tool but holds no call is an ordinary one', () => {
  const text = '#Claude : a\n\n> [!tool] my favourite tools\n> hammer';
  expect(parseConversation(text, tags, []).turns[0]!.parts[1]).toMatchObject({
    kind: 'callout',
    type: 'tool',
  });
});
