import { expect, test } from 'vitest';
import { parseConversation } from '../../../markdown';
import { jsonLines } from './json-lines';

const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };
const lines = (text: string) =>
  jsonLines(text, parseConversation(text, tags, []))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);

test('each conversation is a line: instructions, what was said before, the last question and its answer', () => {
  expect(
    lines(
      '#System : Be brief.\n\n#User : one\n\n#User : and more\n\n#Claude : 1\n\n> [!thinking]- 1 s\n> hm\n\n#User : two\n\n#Claude : 2\n\n#NewChat\n\n#User : x\n\n#Claude : y\n\n#User : not answered',
    ),
  ).toEqual([
    { system: 'Be brief.', query: 'two', response: '2', history: [['one\n\nand more', '1']] },
    { query: 'x', response: 'y' },
  ]);
});

test('a note without an answer has no lines', () => {
  expect(lines('#User : hi')).toEqual([]);
});
