import { mkdir, readFile, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { vaultForEach } from '../vault-server/vault-for-each';

const { call, make, root, update } = vaultForEach();

test('symbolic links go along with what is archived and restored, each as it was written', async () => {
  const id = await make('task', { title: 'Dig', body: 'Deep' });
  const { entity } = await call('get_entity', { id, fields: ['path'] });
  await mkdir(join(root(), 'Desk'));
  const [near, whole, chain] = ['Desk/Near.md', 'Whole.md', 'Desk/Chain.md'].map((path) =>
    join(root(), path),
  );
  await symlink(`../${entity.path}`, near ?? '');
  await symlink(join(root(), entity.path), whole ?? '');
  await symlink('Near.md', chain ?? '');
  const read = () => Promise.all([near, whole, chain].map((link) => readFile(link ?? '', 'utf8')));
  for (const archived of [true, false]) {
    await call('list_files', {});
    await update(id, { archived });
    const { path } = (await call('get_entity', { id, fields: ['path'] })).entity;
    for (const text of await read()) expect(text).toContain('Deep');
    expect(path.includes('archive')).toBe(archived);
    expect(await readlink(near ?? '')).toBe(`../${path}`);
    expect(await readlink(whole ?? '')).toBe(join(root(), path));
    expect(await readlink(chain ?? '')).toBe('Near.md');
  }
});
