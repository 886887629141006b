import { expect, test } from 'vitest';
import { parseConversation } from '../conversation/parse';
import { completionAt } from './completion';

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
