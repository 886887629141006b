import { expect, test } from 'vitest';
import { outlineOf } from './outline';

const tags = { newChat: ['NewChat'], user: ['User'], system: [], assistant: ['Claude'] };

test('turns, headings outside code, and calls are listed in the order of the note', () => {
  const text =
    '# Plan\n\n#User : What now?\n\n```memory\ntool: find\nq: x\n```\n\n#Claude : First\n\n## Then\n\n```sh\n# no heading\n```\n\n> [!tool]- memory · find · 5 ms\n> ```memory\n> tool: find\n> ```\n> ```result ok ms=5\n> y\n> ```\n';
  const { headings, calls } = outlineOf(text, tags, ['memory']);
  expect(headings.map(({ level, role, text: words }) => [level, role, words])).toEqual([
    [2, null, 'Plan'],
    [1, 'user', 'What now?'],
    [1, 'assistant', 'First'],
    [3, null, 'Then'],
  ]);
  expect(calls.map(({ tool, state, ms }) => [tool, state, ms])).toEqual([
    ['find', 'not-run', null],
    ['find', 'ok', 5],
  ]);
});
