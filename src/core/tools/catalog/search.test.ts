import { expect, test } from 'vitest';
import type { ToolEntry } from '../../../contract/tools';
import { answerSearch, ownTools } from './search';

const [sample] = ownTools as [ToolEntry];
const tool = (name: string, description: string, serverName = 'box'): ToolEntry => ({
  ...sample,
  name,
  title: '',
  description,
  serverName,
  modelName: `${serverName}__${name}`,
});
const tools = [
  tool('paint', 'Puts colour on the canvas.'),
  tool('print_page', 'Sends the page to a printer.'),
  tool('read_files', 'Reads files of the folder, and the list of them.'),
  tool('list_files', 'The list of the files that are in the folder.'),
  tool('delete_file', 'Removes one of the files for good.'),
  tool('create_entities', 'Makes entities in the graph.', 'memory'),
  tool('创建实体', '在图中创建实体'),
];

/** What a model is told: the names, best first. */
function told(among: readonly ToolEntry[], query: string, limit = 20): string[] {
  const [part] = answerSearch({ callId: 'c', arguments: { query, limit } }, among, [], 0).parts;
  const text = part?.kind === 'text' ? part.text : '';
  const found: { tool: string }[] = text === 'No tool does that.' ? [] : JSON.parse(text);
  return found.map(({ tool }) => among.find(({ modelName }) => modelName === tool)?.name ?? tool);
}
const names = (query: string) => told(tools, query);

test('a wrong or missing letter still finds the tool', () => {
  expect(names('pint')[0]).toBe('paint');
  expect(names('piant the canvas')[0]).toBe('paint');
  expect(names('creat entity')[0]).toBe('create_entities');
  expect(names('pritn')[0]).toBe('print_page');
  expect(names('raed fils')[0]).toBe('read_files');
  expect(names('lst files')[0]).toBe('list_files');
});

test('a rare word counts more than words that nearly every tool has', () => {
  const many = ['copy', 'move', 'open', 'close', 'lock', 'sort', 'pack', 'send'];
  const box = [...tools, ...many.map((verb) => tool(`${verb}_files`, `Can ${verb} the files.`))];
  expect(told(box, 'files printer', 1)[0]).toBe('print_page');
  expect(told(box, 'how do I remove files for good', 1)[0]).toBe('delete_file');
});

test('words that say nothing find nothing', () => {
  expect(names('what is the of and to')).toEqual([]);
});

test('other endings, servers and other scripts find', () => {
  expect(names('painting')[0]).toBe('paint');
  expect(names('memory')).toEqual(['create_entities']);
  expect(names('创建')).toEqual(['创建实体']);
});
