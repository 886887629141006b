import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { vaultForEach } from '../../../tests/vault-server/vault-for-each';
import { numbersName } from './numbers';

const { call, make, put, root } = vaultForEach();
const record = () => join(root(), '.interlinear', numbersName);

async function madeAndGone(): Promise<void> {
  const id = await make('task', { title: 'Gone' });
  const { entity } = await call('get_entity', { id, fields: ['path'] });
  await rm(join(root(), entity.path));
}

test.each([
  ['lost its last line end', async () => writeFile(record(), (await readFile(record(), 'utf8')).trimEnd())],
  ['was removed', () => rm(record())],
  ['was emptied', () => writeFile(record(), '')],
  ['was garbled', () => writeFile(record(), Buffer.from([0, 255, 7, 84, 45]))],
  ['was glued', () => writeFile(record(), 'T-001T-002T-003')],
])('no id is given twice where the record of ids %s, and it is whole again', async (_, damage) => {
  for (let count = 0; count < 3; count++) await madeAndGone();
  await damage();
  await madeAndGone();
  await madeAndGone();
  expect(await make('task', { title: 'Next' })).toBe('T-006');
  expect(await readFile(record(), 'utf8')).toMatch(/^(?:T-\d{3}\n)*T-006\n$/);
});

test('a number typed by mistake, in a note or in the record, leaves the numbers of what comes after as they are', async () => {
  await make('task', { title: 'One' });
  await writeFile(record(), 'T-001\nT-999999999\n');
  await put('Projects/tasks/T-999999999 Far.md', '---\nid: T-999999999\ntype: task\ntitle: Far\n---\n');
  expect(await make('task', { title: 'Two' })).toBe('T-002');
  await call('update_entity', { id: 'T-999999999', data: { title: 'Further' } });
  expect(await make('task', { title: 'Three' })).toBe('T-003');
  expect(await readFile(record(), 'utf8')).toBe('T-002\nT-003\n');
});

test('a record that is a folder is named when nothing can be made', async () => {
  await mkdir(record(), { recursive: true });
  expect(await call('create_entity', { type: 'task', data: { title: 'One' } })).toMatchObject({
    message: expect.stringContaining(`.interlinear/${numbersName}`),
  });
});

test('a record of another process that lost its line ends is read, and what is added begins a line', async () => {
  await mkdir(join(root(), '.interlinear'), { recursive: true });
  await writeFile(record(), 'T-003T-004');
  expect(await make('task', { title: 'Next' })).toBe('T-005');
  expect(await readFile(record(), 'utf8')).toBe('T-005\n');
});
