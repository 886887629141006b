import { expect, test } from 'vitest';
import { roleTagsOf } from './role-tag';

const tags = { newChat: ['NewChat'], user: ['User', '我'], system: ['System'], assistant: ['Claude'] };
const read = (line: string) => roleTagsOf(line, tags).map(({ role, tag, from, to }) => [role, tag, from, to]);

test('a tag that opens a line is found with its colon, whatever its case or script', () => {
  expect(read('#User : hello')).toEqual([['user', 'User', 0, 8]]);
  expect(read('#claude: hi')).toEqual([['assistant', 'claude', 0, 9]]);
  expect(read('#我 ： 你好')).toEqual([['user', '我', 0, 5]]);
  expect(read('- #Claude/fast : hi')).toEqual([['assistant', 'Claude/fast', 2, 17]]);
});

test('a new chat may stand before another tag', () => {
  expect(read('#NewChat #System : be brief')).toEqual([
    ['new-chat', 'NewChat', 0, 9],
    ['system', 'System', 9, 19],
  ]);
});

test('further inside a line, a tag before a blank and a colon is one as well', () => {
  expect(read('Note: #Claude : hi')).toEqual([['assistant', 'Claude', 6, 16]]);
  expect(read('#User : so #Claude : hi')).toEqual([
    ['user', 'User', 0, 8],
    ['assistant', 'Claude', 11, 21],
  ]);
  expect(read('so `#Claude : hi` and #Claude: it')).toEqual([]);
});

test('other tags and headings open nothing', () => {
  expect(read('#todo later')).toEqual([]);
  expect(read('# Heading')).toEqual([]);
  expect(read('ask #Claude about it')).toEqual([]);
});

test('a tag that the app gives by itself is nobody’s without a colon', () => {
  const given = { ...tags, given: ['Ollama'] };
  const roles = (line: string) => roleTagsOf(line, given).map(({ role }) => role);
  expect(roles('#Ollama2 : hi')).toEqual(['assistant']);
  expect(roles('#Ollama is a program')).toEqual([]);
  expect(roleTagsOf('#Ollama : hi', { ...given, user: ['ollama'] })).toMatchObject([{ role: 'user' }]);
});
