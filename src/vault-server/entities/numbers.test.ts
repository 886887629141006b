import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { vaultForEach } from '../../../tests/vault-server/vault-for-each';
import { numbersName } from './numbers';

const { call, make, root } = vaultForEach();
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

test('a record of another process that lost its line ends is read, and what is added begins a line', async () => {
  await mkdir(join(root(), '.interlinear'), { recursive: true });
  await writeFile(record(), 'T-003T-004');
  expect(await make('task', { title: 'Next' })).toBe('T-005');
  expect(await readFile(record(), 'utf8')).toBe('T-005\n');
});
