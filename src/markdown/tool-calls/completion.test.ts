import { expect, test } from 'vitest';
import { parseConversation } from '../conversation/parse';
import { completionAt } from './completion';
import { toolBlockTemplate } from './template';

const tags = { newChat: [], user: ['User'], system: [], assistant: [] };

/** `|` is the cursor. */
function complete(marked: string): unknown {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const block = parseConversation(text, tags, ['m']).blocks[0]!;
  const found = completionAt(text, block, offset);
  return found && { ...found, from: undefined, to: undefined, replaces: text.slice(found.from, found.to) };
}

test('after tool: the tool is completed', () => {
  expect(complete('x\n```m\ntool: re|ad # why\n```')).toMatchObject({
    kind: 'tool',
    typed: 're',
    replaces: 'read',
  });
  expect(complete('```m\ntool:|\n```')).toMatchObject({ kind: 'tool', typed: '', replaces: '' });
});

test('on a new line an argument that is not used yet', () => {
  expect(complete('```m\ntool: a\nquery: x\n"two words": 1\nli|\n```')).toMatchObject({
    kind: 'argument',
    used: ['query', 'two words'],
    toolMissing: false,
    typed: 'li',
    replaces: 'li',
  });
  expect(complete('```m\n|\n```')).toMatchObject({ kind: 'argument', toolMissing: true });
});

test('after an argument its value', () => {
  expect(complete('```m\ntool: a\nmode: fa|\n```')).toMatchObject({
    kind: 'value',
    argument: 'mode',
    typed: 'fa',
  });
});

test('in nested lines, and on the marks of the fence, nothing', () => {
  expect(complete('```m\ntool: a\nlist:\n  - |x\n```')).toBeNull();
  expect(complete('```|m\ntool: a\n```')).toBeNull();
  expect(complete('```m\ntool: a\n```|')).toBeNull();
});

test('a template holds required arguments first and is valid as it stands', () => {
  const block = toolBlockTemplate('m', 'make', {
    type: 'object',
    properties: {
      note: { type: 'string', default: '```' },
      count: { type: 'integer', minimum: 1 },
      mode: { enum: ['fast', 'slow'] },
      deep: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      extra: { type: 'array' },
    },
    required: ['mode', 'count', 'deep'],
  });
  expect(block).toBe(
    '````m\ntool: make\ncount: 1\nmode: fast # "fast" | "slow"\ndeep:\n  a: ""\n# note: "```"\n# extra: []\n````',
  );
  expect(parseConversation(block, tags, ['m']).blocks[0]).toMatchObject({
    tool: 'make',
    arguments: { count: 1, mode: 'fast', deep: { a: '' } },
    error: null,
  });
});

test('a schema of any shape gives a template', () => {
  for (const schema of [
    {},
    { properties: 3 },
    { properties: { a: null, b: { type: ['null', 'number'] } }, required: ['a', 'b'] },
  ]) {
    expect(toolBlockTemplate('m', 't', schema)).toMatch(/^```m\ntool: t\n/);
  }
});
