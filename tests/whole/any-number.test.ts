import { expect, test } from 'vitest';
import { prepareMessages } from '../../src/core/chat/question/prepare';
import { guardedPage } from '../../src/core/views/guarded-page';
import { withPlainEnds } from '../../src/entities/base/line-ends';
import { mergeTexts } from '../../src/entities/base/merge-text';
import { withEntities } from '../../src/entities/canvas/canvas-many';
import { parseConversation, printForeignTurn } from '../../src/markdown';
import { outlineOf } from '../../src/renderer/features/conversation/context/outline';

const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };
/** More than a call takes arguments. */
const many = 200_000;

test('of any number of links each that leads nowhere is told of', async () => {
  const text = `#User : ${'[[a]]'.repeat(many)}`;
  const conversation = parseConversation(text, tags, []);
  const reader = {
    vault: { read: no, readBytes: no, findLinked: () => null },
    notes: { opened: () => undefined },
    accepts: { images: false, pdf: false },
    expandLimit: 1000,
  };
  const prepared = await prepareMessages(conversation, text, conversation.turns, {
    path: 'a.md',
    reader,
    resource: no,
    toolOf: () => null,
    modelName: (_, tool) => tool,
    system: [],
    defaultSystem: '',
  });
  expect(prepared.warnings).toHaveLength(many);
});

test.each([
  ['children of an element', () => guardedPage('<br>'.repeat(many))],
  ['headings', () => outlineOf(`#Claude : \n${'# a\n'.repeat(many)}`, tags, [])],
  [
    'backticks',
    () => printForeignTurn([{ kind: 'resource', uri: 'a:', text: '` '.repeat(many) }], 's', tags, ''),
  ],
])('any number of %s is read', (_, read) => {
  read();
});

test('texts of any number of lines are merged, and keep their ends', () => {
  const lines = 'a\n'.repeat(many);
  expect(mergeTexts(`${lines}b\nc\nd`, `${lines}B\nc\nd`, `${lines}b\nc\nD`)).toBe(`${lines}B\nc\nD`);
  const { after } = withPlainEnds(`x\r\ny`);
  expect(after([{ from: 0, to: 1, text: `x\n${lines}` }])).toBe(`x\r\n${'a\r\n'.repeat(many)}\r\ny`);
});

test('a canvas of any number of cards takes more', () => {
  const node = (_: unknown, at: number) => ({
    id: `n${at}`,
    type: 'text',
    text: '',
    x: 0,
    y: at,
    width: 1,
    height: 1,
  });
  const text = JSON.stringify({ nodes: Array.from({ length: many }, node), edges: [] });
  expect(withEntities('a.canvas', text, [], [], () => true).text).toBe(text);
});

function no(): never {
  throw new Error('not asked for');
}
