import { expect, test } from 'vitest';
import { vaultForEach } from './vault-for-each';

const { call, put, text } = vaultForEach();

const note = [
  '---',
  '# title: no heading',
  'title: Log',
  '---',
  '',
  'Underlined',
  'in two lines',
  '============',
  '',
  'first',
  '',
  '# C# | "quoted" **basics**',
  '',
  'second',
  '',
  '<!--',
  '# Commented',
  '-->',
  '',
  '## Notes',
  '',
  'third',
  '',
  '# Monday',
  '',
  'fifth',
  '',
  '## Notes',
  '',
  'fourth',
  '',
  '## Notes',
  '',
  '```',
  '# Fenced',
  '```',
  '',
].join('\n');

/** The values that a hint tells to take. */
const named = (hint: string): string[] => JSON.parse(`[${hint.slice(hint.indexOf(': ') + 2)}]`);

async function write(heading: string, content = 'new') {
  const { docs } = await call('read_docs', { paths: ['Log.md'] });
  const section = { heading, content };
  return call('update_doc', { path: 'Log.md', section, expected_hash: docs[0].hash });
}

test('the headings that a hint names are those of the note, and each works when it is sent back', async () => {
  await put('Log.md', note);
  const names = named((await write('Nowhere')).hint);
  expect(names).toEqual([
    'Underlined in two lines',
    'C# | "quoted" **basics**',
    'Notes (1)',
    'Monday',
    'Notes (2)',
    'Notes (3)',
  ]);
  expect(named((await write('Notes')).hint)).toEqual([names[2], ...names.slice(4)]);
  expect(named((await write('Monday#Notes')).hint)).toEqual(names.slice(4));
  const texts = ['first', 'second', 'third', 'fifth', 'fourth', '```\n# Fenced\n```'];
  for (const [at, heading] of names.entries()) {
    await put('Log.md', note);
    const { docs } = await call('read_docs', { paths: ['Log.md'], headings: [heading] });
    expect([heading, docs[0].text]).toEqual([heading, expect.stringContaining(texts[at]!)]);
    expect([heading, await write(heading)]).toMatchObject([heading, { changed: true }]);
    expect(await text('Log.md')).not.toContain(texts[at]);
  }
});

test('an underlined heading keeps its line; its text ends at the next one', async () => {
  await put('Log.md', note);
  expect(await write('Underlined in two lines', 'put')).toMatchObject({ changed: true });
  expect(await text('Log.md')).toBe(note.replace('first', 'put'));
});

test('each of several headings of a name can be named, also where another one has the name with a number', async () => {
  await put('Log.md', '# Notes (2)\n1\n# Notes\n2\n# Notes\n3\n');
  const names = named((await write('Notes')).hint);
  expect(names).toHaveLength(2);
  for (const [at, name] of names.entries()) {
    const { docs } = await call('read_docs', { paths: ['Log.md'], headings: [name] });
    expect(docs[0].text).toBe(`# Notes\n${at + 2}`);
  }
  expect(await write(names[1]!, 'new')).toMatchObject({ changed: true });
  expect(await text('Log.md')).toBe('# Notes (2)\n1\n# Notes\n2\n# Notes\n\nnew\n');
  const { docs } = await call('read_docs', { paths: ['Log.md'], headings: ['Notes'] });
  expect(docs[0].text).toBe('# Notes\n2\n\n# Notes\n\nnew');
});
