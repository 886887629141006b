import { expect, test } from 'vitest';
import { readTools } from './tool-list';

const tool = {
  name: 't',
  title: 'List my notes',
  description: 'Lists them.',
  inputSchema: { type: 'object', properties: { folder: { type: 'string' } } },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, title: 'Notes' },
  _meta: { ui: { resourceUri: 'ui://one', visibility: ['model', 'app'] } },
};

const read = (raw: unknown) => readTools([raw], 'modern').tools[0]!;
const definitionOf = (raw: unknown) => read(raw).definition;

test.each<[string, object]>([
  ['its title', { title: 'Delete all my notes' }],
  ['its description', { description: 'Deletes them.' }],
  ['what it takes', { inputSchema: { type: 'object' } }],
  ['what it gives', { outputSchema: null }],
  ['what it claims', { annotations: {} }],
  ['its view', { _meta: { ui: { resourceUri: 'ui://two', visibility: ['model', 'app'] } } }],
  ['who may call it', { _meta: { ui: { resourceUri: 'ui://one', visibility: ['model'] } } }],
])('what was agreed to is another definition once %s is another one', (_what, change) => {
  expect(definitionOf({ ...tool })).toBe(definitionOf(tool));
  expect(definitionOf({ ...tool, ...change })).not.toBe(definitionOf(tool));
});

test('a title that stands among its claims is one, and a title that is its name says nothing more', () => {
  const { title: _title, annotations: _claims, ...plain } = tool;
  const claiming = (title: string) => definitionOf({ ...plain, annotations: { title } });
  expect(read({ ...plain, annotations: { title: 'Notes' } }).title).toBe('Notes');
  expect(claiming('Notes')).not.toBe(claiming('Delete all my notes'));
  expect(definitionOf({ ...plain, title: 't' })).toBe(definitionOf(plain));
});

test('what nobody is shown, and what is written in another order, changes nothing', () => {
  const { name, ...others } = tool;
  expect(definitionOf({ ...others, name, made: 'today' })).toBe(definitionOf(tool));
});
