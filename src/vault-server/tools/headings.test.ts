import { expect, test } from 'vitest';
import { vaultForEach } from '../../../tests/vault-server/vault-for-each';

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
