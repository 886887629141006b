import { expect, test } from 'vitest';
import { parseConversation } from '../../../markdown';
import { toolBlockTemplate } from './tool-template';

const tags = { newChat: [], user: ['User'], system: [], assistant: [] };

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

test('what a schema refers to is followed, and a value that may be missing has the type that it has else', () => {
  const block = toolBlockTemplate('m', 'move', {
    $defs: { place: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } },
    properties: {
      to: { $ref: '#/$defs/place' },
      at: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/place' }] },
      how: { oneOf: [{ const: 'fast', title: 'Fast' }, { const: 'slow' }] },
    },
    required: ['to', 'at', 'how'],
  });
  expect(block).toBe('```m\ntool: move\nto:\n  x: 0\nat:\n  x: 0\nhow: fast # "fast" | "slow"\n```');
});
