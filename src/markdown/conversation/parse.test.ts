import { expect, test } from 'vitest';
import type { TagNames } from '../model';
import { parseConversation } from './parse';
import { sentText, turnAt, turnsBefore } from './turns-to-send';

const tags: TagNames = {
  newChat: ['NewChat', '新对话'],
  user: ['User', '我'],
  system: ['System', '系统'],
  assistant: ['Claude', 'OpenAI'],
};

function messages(text: string, at = text.length): string[] {
  const conversation = parseConversation(text, tags, []);
  return turnsBefore(conversation, at).map((turn) => `${turn.role}: ${sentText(text, turn)}`);
}

test.each([
  [
    'intro\n\n#User : 1+1=?\n\n#Claude : 2\n\n#User : and 3?',
    ['user: 1+1=?', 'assistant: 2', 'user: and 3?'],
  ],
  ['#User :\nhello\n\nworld', ['user: hello\n\nworld']],
  ['#user : a\n\n#CLAUDE : b\n\n#我 : c', ['user: a', 'assistant: b', 'user: c']],
  ['#User : old\n\n#NewChat #System : be terse\n\n#User : q', ['system: be terse', 'user: q']],
  ['#User : q\n\n> [!note] hidden #User : x\n> y\n\n> plain quote', ['user: q\n\n> plain quote']],
  ['#User : see\n\n```\n#Claude : no\n```', ['user: see\n\n```\n#Claude : no\n```']],
  ['hey #User : hi', ['user: hi']],
  ['## #User : in heading\n\nbody', ['user: in heading\n\nbody']],
  ['- #User : in list\n- second', ['user: in list\n- second']],
  ['#User/work : a', ['user: a']],
])('a note of the older plugin reads the same: %j', (text, expected) => {
  expect(messages(text)).toEqual(expected);
});

test.each([
  ['two tags in one paragraph are two messages', '#User : a\n#Claude : b', ['user: a', 'assistant: b']],
  ['the colon is optional', '#User hello', ['user: hello']],
  ['blanks around the colon are no text', '#User  :  hello', ['user: hello']],
  ['a full-width colon will do', '#我：你好', ['user: 你好']],
  ['a bare mention is text', '#User : please ask #Claude about it', ['user: please ask #Claude about it']],
  [
    'a mention with a colon opens a message',
    '#User : a\nthen #Claude : b',
    ['user: a\nthen', 'assistant: b'],
  ],
  ['inline code hides a tag', '#User : write `x #Claude : y`', ['user: write `x #Claude : y`']],
  ['an indented code line hides a tag', '#User : a\n\n    #Claude : b', ['user: a\n\n    #Claude : b']],
  [
    'a list item may hold a fence',
    '#User : a\n- x\n  ```\n  #Claude : b\n  ```\n#Claude : c',
    ['user: a\n- x\n  ```\n  #Claude : b\n  ```', 'assistant: c'],
  ],
  [
    'a list that ends closes its fence',
    '#User : a\n- ```\n  code\n#Claude : c',
    ['user: a\n- ```\n  code', 'assistant: c'],
  ],
  [
    'code in a quote hides a tag',
    '#User : a\n> ```\n> #Claude : b\n> ```',
    ['user: a\n> ```\n> #Claude : b\n> ```'],
  ],
  ['front matter is never sent', '---\nagent: x\n#User : no\n---\n#User : yes', ['user: yes']],
  ['numbers are no tags', '#User : see #1 : x', ['user: see #1 : x']],
  ['a tag needs a blank before it', '#User : a#Claude : b', ['user: a#Claude : b']],
  [
    'a callout between texts leaves one blank line',
    '#Claude : a\n\n> [!thinking]- 1 s\n> hm\n\nb',
    ['assistant: a\n\nb'],
  ],
  ['a callout right below a quote is one', '#User : a\n> quote\n> [!note] x\n> y', ['user: a\n> quote']],
  [
    'a quoted head of a callout in code is none',
    '#User : a\n> ```\n> [!note] x',
    ['user: a\n> ```\n> [!note] x'],
  ],
  ['a new chat forgets what was before', '#User : a\n\n#NewChat\n\n#User : b', ['user: b']],
  ['a task is a list mark too', '- [ ] #User : do', ['user: do']],
])('%s', (_, text, expected) => {
  expect(messages(text)).toEqual(expected);
});

test('a whole tag goes before its first segment', () => {
  const names = { ...tags, assistant: ['user/bot'] };
  const { turns } = parseConversation('#User/bot : a\n#User/other : b', names, []);
  expect(turns.map((turn) => [turn.role, turn.tag])).toEqual([
    ['assistant', 'User/bot'],
    ['user', 'User/other'],
  ]);
});

test('a tag may be an emoji', () => {
  const names = { ...tags, user: ['🧑‍🚀', '👍🏽'] };
  expect(parseConversation('#🧑‍🚀 : a\n#👍🏽 : b', names, []).turns).toHaveLength(2);
});

test('asking in the middle of a note ignores what follows', () => {
  const text = '#User : a\n\n#Claude : b\n\n#User : c\n\n#NewChat\n\n#User : d';
  expect(messages(text, text.indexOf('b'))).toEqual(['user: a', 'assistant: b']);
  expect(messages(text, text.indexOf('c'))).toEqual(['user: a', 'assistant: b', 'user: c']);
  expect(messages(text, text.length - 1)).toEqual(['user: d']);
});

test('the turn at a place is the later one at a border and none before the first', () => {
  const text = 'intro\n#User : a\n#Claude : b';
  const conversation = parseConversation(text, tags, []);
  expect(turnAt(conversation, 3)).toBeUndefined();
  expect(turnAt(conversation, text.indexOf('#Claude'))?.tag).toBe('Claude');
  expect(turnAt(conversation, text.length)?.tag).toBe('Claude');
});

test('a person’s tool block is found with its result below, and sent with it', () => {
  const text = [
    '#User : look',
    '```Memory',
    'tool: read_graph',
    'depth: 2 # two',
    '```',
    '> [!tool]- memory · read_graph · 3 ms',
    '> ```result ok ms=3',
    '> {}',
    '> ```',
    'and tell',
  ].join('\n');
  const { blocks, turns } = parseConversation(text, tags, ['memory']);
  expect(blocks).toMatchObject([
    {
      server: 'Memory',
      tool: 'read_graph',
      arguments: { depth: 2 },
      error: null,
      result: { value: { state: 'ok', ms: 3 } },
    },
  ]);
  expect(text.slice(blocks[0]!.from, blocks[0]!.to)).toMatch(/^```Memory[\s\S]*```$/);
  expect(turns[0]!.parts.map((part) => part.kind)).toEqual(['text', 'call', 'text']);
});

test('a fence in another language, or without a tool line, is no tool block', () => {
  const text = '```js\ntool: x\n```\n```memory\nhello\n```';
  expect(parseConversation(text, tags, ['memory']).blocks).toEqual([]);
});

test('arguments that are not a mapping are named as such, and flat lines of the older plugin are read', () => {
  const text =
    '```m\ntool: a\n- 1\n```\n\n```m\ntool:b\nquery: from: me\nlimit: 3\n```\n\n```m\ntool: c\nx: [1\n```';
  const { blocks } = parseConversation(text, tags, ['m']);
  expect(blocks.map((block) => [block.tool, block.arguments, block.error !== null])).toEqual([
    ['a', null, true],
    ['b', { query: 'from: me', limit: 3 }, false],
    ['c', { x: '[1' }, false],
  ]);
});

test('a tag that the app gives by itself is a model’s where a colon is behind it and nobody took it', () => {
  const text = '#User : a\n#Ollama2 : b\n#User : c\n#Ollama is a program';
  const rolesWith = (names: object) =>
    parseConversation(text, { ...tags, ...names }, []).turns.map(({ role }) => role);
  expect(rolesWith({ given: ['Ollama'] })).toEqual(['user', 'assistant', 'user']);
  expect(rolesWith({ given: ['Ollama'], user: ['User', 'Ollama2'] })).toEqual(['user', 'user', 'user']);
});

test.each([
  ['directly below it', '\n', 'ok'],
  ['below one blank line', '\n\n', 'ok'],
  ['below two blank lines', '\n\n\n', undefined],
])('a result %s is that of the block, or of no block', (_where, between, state) => {
  const block = '```files\ntool: list\n```';
  const result = '> [!tool]- files · list · 1 ms\n> ```result ok\n> x\n> ```\n';
  const names = { newChat: ['NewChat'], user: ['User'], assistant: ['Model'], system: ['System'] };
  const { blocks } = parseConversation(`#User : Look.\n\n${block}${between}${result}`, names, ['files']);
  expect(blocks.map((one) => one.result?.value.state)).toEqual([state]);
});
