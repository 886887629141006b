import { expect, test } from 'vitest';
import { toolFinder } from './find-tools';

const tool = (name: string, description: string, serverName = 'box', title = '') => ({
  name,
  title,
  description,
  serverName,
});
const vault = (name: string, description: string, title: string) => tool(name, description, 'vault', title);
const tools = [
  tool('paint', 'Puts colour on the canvas.'),
  tool('print_page', 'Sends the page to a printer.'),
  tool('echo', 'Echoes back the input string.', 'everything'),
  tool('get_sum', 'The sum of two numbers.', 'everything'),
  tool('write', 'Puts text into a file, and reads it again.', 'disk'),
  tool('write_all', 'Puts text into many files.', 'disk'),
  tool('readMediaFile', 'An image or a sound as base64.', 'disk'),
  tool('listissues', 'What is open in a repository.', 'GitHub'),
  tool('search', 'Looks through everything.', 'web'),
  tool('find_pages', 'A search of the web: search, search, search.', 'web'),
  tool('inspect', 'Shows what a program does.', 'debug'),
  tool('创建实体', '在图中创建实体'),
  tool('get_it', 'Fetches one thing.', 'shop'),
  tool('get', 'Fetches anything.', 'shop'),
  vault('list_files', 'Files of the vault or of one workspace, sorted by path.', 'List files'),
  vault('create_entity', 'New milestone, story, task, decision or document, as a note.', 'Create entity'),
  vault('get_entity', 'One entity, or more of them.', 'Get entity'),
  vault('update_entity', 'Changes fields or body. Leaves all else in the note as it is.', 'Update entity'),
  vault('update_doc', 'Changes or creates a note. Give one of content, edits, append.', 'Update document'),
];
const find = toolFinder(tools);
const names = (query: string) => find(query).map(({ name }) => name);

test.each([
  // A letter is missing, wrong, too many, or has changed places with the next one.
  ['pint', 'paint'],
  ['piant', 'paint'],
  ['pai', 'paint'],
  ['wrte', 'write'],
  ['writte', 'write'],
  ['wriet', 'write'],
  ['ecoh', 'echo'],
  ['eho', 'echo'],
  ['lst files', 'list_files'],
  ['list flies', 'list_files'],
  ['creat entiy', 'create_entity'],
  ['udpate docment', 'update_doc'],
  // The beginning of a mistyped word.
  ['updt doc', 'update_doc'],
  ['insepc', 'inspect'],
  // By what is told of a tool.
  ['create task', 'create_entity'],
  ['colour canvas', 'paint'],
  ['paper printer', 'print_page'],
  // However a name is written.
  ['readmedia', 'readMediaFile'],
  ['read media file', 'readMediaFile'],
  ['createEntity', 'create_entity'],
  ['create-entity', 'create_entity'],
  ['issues', 'listissues'],
  ['github', 'listissues'],
  ['git hub', 'listissues'],
  ['實體', undefined],
  ['实体', '创建实体'],
  ['体', '创建实体'],
  ['创建一个实体', '创建实体'],
  // The very name, even where another tool tells more of it.
  ['search', 'search'],
  ['write', 'write'],
  ['WRITE all', 'write_all'],
  ['get it', 'get_it'],
  // Still being typed.
  ['in', 'inspect'],
  ['e', 'echo'],
  // Nothing.
  ['', undefined],
  ['  ', undefined],
  ['?!', undefined],
  ['what is the of and to', undefined],
  ['weigh a planet', undefined],
  ['xyzzy', undefined],
])('“%s” finds first %s', (query, first) => {
  expect(names(query)[0]).toBe(first);
});

test.each([
  ['update note', ['update_doc', 'update_entity']],
  ['note', ['create_entity', 'update_doc', 'update_entity']],
  ['entity', ['create_entity', 'get_entity', 'update_entity']],
  ['vault', ['create_entity', 'get_entity', 'list_files', 'update_doc', 'update_entity']],
])('“%s” finds %s first of all', (query, all) => {
  expect(names(query).slice(0, all.length).sort()).toEqual(all);
});

test('a word that is spelt right finds nothing that is only like it', () => {
  expect(names('write')).not.toContain('print_page');
  expect(names('paint')).toEqual(['paint']);
  expect(names('echo')).toEqual(['echo']);
});

test('those equally good stay in the order given', () => {
  const same = ['b', 'c', 'a'].map((server) => tool('copy', 'Copies.', server));
  expect(toolFinder(same)('copy').map(({ serverName }) => serverName)).toEqual(['b', 'c', 'a']);
});

test('2,000 tools are found among while one types', () => {
  const verbs = ['create', 'read', 'update', 'delete', 'list', 'search', 'move', 'copy', 'send', 'open'];
  const many = Array.from({ length: 2000 }, (_, n) =>
    tool(
      `${verbs[n % 10]}_thing${n}`,
      `Takes the thing${n} and makes ${'word '.repeat(40)}of it${n}, ${verbs[(n * 7) % 10]} by part${n % 97}.`,
      `server${n % 40}`,
    ),
  );
  const findAmongMany = toolFinder([...many, ...tools]);
  findAmongMany('warm');
  const started = performance.now();
  for (let n = 1; n <= 20; n++) findAmongMany('lst files wrte piant creat entiy'.slice(0, n + 8));
  expect((performance.now() - started) / 20).toBeLessThan(100);
  expect(findAmongMany('piant').map(({ name }) => name)).toContain('paint');
  expect(findAmongMany('lst files')[0]?.name).toBe('list_files');
});

test('what is told at great length, or asked at great length, holds nothing up', () => {
  const long = [...tools, tool('long', 'word1 '.repeat(200_000))];
  const started = performance.now();
  expect(toolFinder(long)(`paint ${'and more of it '.repeat(20_000)}`)[0]?.name).toBe('paint');
  expect(performance.now() - started).toBeLessThan(1000);
});

test('what says most of the words comes before what is called by one of them', () => {
  const both = toolFinder([
    tool('shed', 'Tells what is in there.'),
    tool('unlock', 'Opens the wooden door of the garden.'),
  ]);
  expect(both('garden shed wooden door').map(({ name }) => name)).toEqual(['unlock', 'shed']);
});
