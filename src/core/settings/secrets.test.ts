import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLog } from '../foundation';
import { createSecretStore } from '.';

async function withoutKeyring(folder = mkdtempSync(join(tmpdir(), 'secrets-'))) {
  const warnings: string[] = [];
  const store = await createSecretStore({
    folder,
    log: createLog(() => undefined),
    onWarning: (title) => warnings.push(title),
    keyring: async () => null,
  });
  return { folder, store, warnings };
}

test('without a keyring keys go to an encrypted file, with a plain warning', async () => {
  const { folder, store, warnings } = await withoutKeyring();
  expect(store.kind).toBe('file');
  expect(warnings).toEqual(['Keys are kept in a file']);
  await store.set('provider:a', 'planted-secret-1');
  expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).not.toContain('planted-secret-1');
  if (process.platform !== 'win32') expect(statSync(join(folder, 'secrets.key')).mode & 0o777).toBe(0o600);
  const again = await withoutKeyring(folder);
  expect(await again.store.get('provider:a')).toBe('planted-secret-1');
  expect(await again.store.get('provider:b')).toBeNull();
  await again.store.delete('provider:a');
  expect(await store.get('provider:a')).toBeNull();
});

test('keys set at the same time are all kept', async () => {
  const { store } = await withoutKeyring();
  await Promise.all(Array.from({ length: 20 }, (_, n) => store.set(`key ${n}`, `value ${n}`)));
  expect(await Promise.all(Array.from({ length: 20 }, (_, n) => store.get(`key ${n}`)))).toEqual(
    Array.from({ length: 20 }, (_, n) => `value ${n}`),
  );
});

test('a value moved to another name does not open', async () => {
  const { folder, store } = await withoutKeyring();
  await store.set('cheap', 'one');
  const path = join(folder, 'secrets.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"cheap"', '"dear"'));
  await expect(store.get('dear')).rejects.toMatchObject({ code: 'secrets.unavailable' });
});

test('what another key had sealed says so, and is there once it is stored again', async () => {
  const { folder, store } = await withoutKeyring();
  await store.set('provider:a', 'one');
  writeFileSync(join(folder, 'secrets.key'), Buffer.alloc(32, 7));
  const { store: next } = await withoutKeyring(folder);
  await expect(next.get('provider:a')).rejects.toThrow(
    /stored as “provider:a” .*another key\. Store it again\./,
  );
  await next.set('provider:a', 'two');
  expect(await next.get('provider:a')).toBe('two');
});

test('a keyring that answers is used', async () => {
  const keyring = {
    kind: 'system' as const,
    get: async () => 'x',
    set: async () => {},
    delete: async () => {},
  };
  const store = await createSecretStore({
    folder: '/nowhere',
    log: createLog(() => undefined),
    onWarning: () => expect.unreachable(),
    keyring: async () => keyring,
  });
  expect(store).toBe(keyring);
});
