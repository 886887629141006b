import { expect, test } from 'vitest';
import { wordsOf } from '../../src/entities/insight/lost-words';
import { type Answer, vaultForEach } from '../vault-server/vault-for-each';

const { call, make, put, text } = vaultForEach();

const keys = 'id: T-020\ntype: task\ntitle: I\n';
/** Notes that say they are an entity, in a manner that nobody can read; after the repair they are, where one is certain. */
const forms: Readonly<Record<string, { text: string; becomes: 'entity' | 'left to a person' }>> = {
  'indented but for the last key': {
    text: '---\n  id: T-020\n  type: task\n  title: I\nstatus: blocked\n---\nx',
    becomes: 'entity',
  },
  'indented by a tab': { text: '---\n\tid: T-020\n\ttype: task\n---\nx', becomes: 'entity' },
  'a broken mapping of several lines': {
    text: '---\n{\n  "id": "T-020",\n  "type": "task",,\n  "title": [\n}\n---\nx',
    becomes: 'left to a person',
  },
  'a key with a question mark': {
    text: '---\n? id\n: T-020\ntype: task\ntitle: [a\n---\nx',
    becomes: 'entity',
  },
  'below another key': {
    text: '---\nentity:\n  id: T-020\n  type: task\ntitle: [a\n---\nx',
    becomes: 'left to a person',
  },
  'an indented id without an end': {
    text: '---\nentity:\n  id: T-020\n  type: task\nx',
    becomes: 'left to a person',
  },
  'a directive before it': { text: `%YAML 1.2\n---\n${keys}---\nx`, becomes: 'entity' },
  'wide colons': { text: '---\nid：T-020\ntype： task\ntitle： I\n---\nx', becomes: 'entity' },
  'an empty front matter before it': { text: `---\n---\n${keys}---\nx`, becomes: 'entity' },
  'an empty front matter and its own': { text: `---\n---\n---\n${keys}---\nx`, becomes: 'entity' },
  'an empty front matter and a blank line': { text: `---\n\n---\n\n---\n${keys}---\nx`, becomes: 'entity' },
};

test.each(Object.entries(forms))('a note whose id stands there with %s is named', async (_, form) => {
  await make('task', { title: 'Other' });
  const path = 'Elsewhere/note.md';
  await put(path, form.text);
  expect(await call('get_entity', { id: 'T-020' })).toMatchObject({ code: 'not_found' });
  const { findings } = await call('check_project');
  expect(findings).toMatchObject([{ file: path, problem: expect.stringContaining('T-020') }]);
  expect(await make('task', { title: 'Next' })).toBe('T-021');
  for (let round = 0; round < 2; round++) await call('check_project', { fix: ['all'] });
  const after = await text(path);
  for (const word of wordsOf(form.text)) expect(wordsOf(after)).toContain(word);
  const answer = await call('get_entity', { id: 'T-020', fields: ['type', 'path'] });
  const left = (await call('check_project')).findings as Answer[];
  if (form.becomes === 'entity') {
    expect(answer.entity).toMatchObject({ type: 'task', path });
    expect(left).toEqual([]);
  } else {
    expect(after).toBe(form.text);
    expect(left).toMatchObject([{ file: path, repair: 'by hand' }]);
  }
});

test('a number for an id is told of, also without a title', async () => {
  await make('task', { title: 'Other' });
  await put('Projects/tasks/x num.md', '---\nid: 14\ntype: task\n---\nx');
  await put('Projects/tasks/x nested.md', '---\nentity:\n  id: T-020\n  type: task\n---\nx');
  expect((await call('check_project')).findings).toMatchObject([
    { file: 'Projects/tasks/x num.md', repair: 'give it an id of its own' },
    { file: 'Projects/tasks/x nested.md', repair: 'by hand' },
  ]);
});

test.each([
  ['that speak of an entity', '---\nparent:\n  id: T-001\ntitle: [a\n---\nx'],
  ['of other programs', '---\nid: 14\ntype: task\n---\nx'],
  ['with a rule as their first line', '---\nSome words.\n\nMore of them: id.\n---\nx'],
  ['with an empty front matter', '---\n---\nWords: none\n\n---\nid: none\n'],
])('notes %s are none', async (_, written) => {
  await make('task', { title: 'Other' });
  await put('Elsewhere/note.md', written);
  expect((await call('check_project')).findings).toEqual([]);
});
