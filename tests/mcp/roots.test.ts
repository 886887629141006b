import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createLog, systemClock } from '../../src/core/foundation';
import type { Mcp } from '../../src/core/mcp';
import { createVault } from '../../src/core/vault';
import { call, idOf, ours, until, world } from './setup';

const textOf = ({ parts }: Awaited<ReturnType<typeof call>>) =>
  parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
const inVault = `\${vault}`;

/** Servers beside a real vault that has these folders. */
async function vaultWith(
  folders: string[],
  servers: Record<string, unknown>,
  vaultServers?: Record<string, unknown>,
) {
  const log = createLog(() => undefined);
  const vault = createVault({
    log,
    clock: systemClock,
    trust: { isTrusted: () => true },
    moveToTrash: async () => undefined,
  });
  onTestFinished(() => vault.close());
  const made = await world(servers, {
    ...(vaultServers && { vaultServers }),
    folders: vault.folders,
    prepare(root) {
      for (const name of [...folders, '.hidden', 'node_modules']) mkdirSync(join(root, name));
      writeFileSync(join(root, 'Top.md'), 'a note');
      return vault.open(root);
    },
  });
  return { ...made, files: vault };
}

async function rootsOf(mcp: Mcp, server: string) {
  const answer = textOf(await call(mcp, server, 'roots'));
  return answer === 'refused' ? answer : JSON.parse(answer).roots;
}
const rootsAt = (vault: string, ...names: string[]) =>
  names.map((name) => ({ name, uri: pathToFileURL(join(vault, name)).href }));

for (const era of ['legacy', 'modern']) {
  const asks = ours('asks-roots');
  const asking = { ...asks, args: [...asks.args, era] };

  test(`a server that was given the vault may ask for its folders, each with its name, others may not: ${era}`, async () => {
    const { mcp, vault } = await vaultWith(
      ['Work', 'A b'],
      {
        given: { ...asking, roots: [inVault] },
        one: { ...asking, roots: [`${inVault}/Work`, `${inVault}/Gone`] },
        none: { ...asking, roots: [] },
      },
      { own: asking },
    );
    expect(mcp.find('own')).toMatchObject({ roots: null, knowsVault: true });
    const both = rootsAt(vault, 'A b', 'Work');
    expect(await rootsOf(mcp, 'own')).toEqual(both);
    expect(await rootsOf(mcp, 'given')).toEqual(both);
    expect(await rootsOf(mcp, 'one')).toEqual(rootsAt(vault, 'Work'));
    expect(await rootsOf(mcp, 'none')).toEqual([]);
  });

  test(`a vault without folders is told as itself, by name; a folder that comes is told instead: ${era}`, async () => {
    const { mcp, vault, files } = await vaultWith([], { given: { ...asking, roots: [inVault] } });
    const name = vault.split(/[/\\]/).at(-1);
    expect(await rootsOf(mcp, 'given')).toEqual([{ name, uri: pathToFileURL(vault).href }]);
    await files.createFolder('Work');
    expect(await rootsOf(mcp, 'given')).toEqual(rootsAt(vault, 'Work'));
  });
}

test('a server that has nothing to do with the vault is refused', async () => {
  const { mcp } = await vaultWith(['Work'], { other: ours('asks-roots') });
  expect(mcp.find('other')).toMatchObject({ roots: null, knowsVault: false });
  expect(await rootsOf(mcp, 'other')).toBe('refused');
});

test('a server hears of folders that come, go and are given, and of no others', async () => {
  const asks = ours('asks-roots');
  const { mcp, vault, files } = await vaultWith(['Work'], {
    all: { ...asks, roots: [inVault] },
    one: { ...asks, roots: [`${inVault}/Work`] },
  });
  expect(await rootsOf(mcp, 'all')).toEqual(rootsAt(vault, 'Work'));
  expect(await rootsOf(mcp, 'one')).toEqual(rootsAt(vault, 'Work'));
  await files.createFolder('Later');
  await files.create('Later/deep/note.md', 'no change at the top');
  expect(textOf(await call(mcp, 'all', 'change'))).toBe('1');
  expect(await rootsOf(mcp, 'all')).toEqual(rootsAt(vault, 'Later', 'Work'));
  // Another program makes it.
  mkdirSync(join(vault, 'Made elsewhere'));
  await until(files.folders, (names) => names.includes('Made elsewhere'));
  expect(textOf(await call(mcp, 'all', 'change'))).toBe('2');
  await files.rename('Work', 'Done');
  expect(textOf(await call(mcp, 'all', 'change'))).toBe('3');
  expect(textOf(await call(mcp, 'one', 'change'))).toBe('1');
  expect(await rootsOf(mcp, 'one')).toEqual([]);
  expect(textOf(await call(mcp, 'all', 'heard'))).toBe('3');
});

test('a person who restricts a server does so without a new start, and it hears of it', async () => {
  const asks = ours('asks-roots');
  const { mcp, vault, server } = await vaultWith(
    ['Private', 'Work'],
    {},
    { own: { ...asks, sandbox: false } },
  );
  expect(await rootsOf(mcp, 'own')).toEqual(rootsAt(vault, 'Private', 'Work'));
  const { state } = server('own');
  await mcp.update(idOf(mcp, 'own'), { roots: [`${inVault}/Work`] });
  expect(textOf(await call(mcp, 'own', 'change'))).toBe('1');
  expect(await rootsOf(mcp, 'own')).toEqual(rootsAt(vault, 'Work'));
  expect(server('own')).toMatchObject({ roots: [`${inVault}/Work`], state });
});
