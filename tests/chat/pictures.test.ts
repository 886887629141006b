import { mkdir, mkdtemp, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { expandLinks } from '../../src/core/chat/question/embeds';
import { createLog, systemClock } from '../../src/core/foundation';
import { createHandlers } from '../../src/core/handlers';
import { vaultImage } from '../../src/core/hosting';
import { createVault, type Vault } from '../../src/core/vault';
import { findLinks } from '../../src/markdown';
import { createAppDouble } from '../hosts/app-double';

let folder: string;
let vault: Vault;
const pictures = [
  'attachments/pic.png',
  'attachments/twice.png',
  'trips/deep/twice.png',
  'trips/deep/deeper/far.png',
  'Summer in Rome.png',
  'trips/Tower.PNG',
  'x.png',
  'über.png',
];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  for (const path of pictures) {
    await mkdir(join(folder, 'vault', path, '..'), { recursive: true });
    await writeFile(join(folder, 'vault', path), path);
  }
  await writeFile(join(folder, 'outside.png'), 'outside');
  await symlink('../outside.png', join(folder, 'vault/leads-out.png'));
  const log = createLog(() => undefined);
  vault = createVault({ log, clock: systemClock, trust: { isTrusted: () => false }, moveToTrash: unlink });
  await vault.open(join(folder, 'vault'));
});
afterEach(async () => {
  await vault.close();
  await rm(folder, { recursive: true, force: true });
});

/** The picture that the page draws for a target: each holds its path. */
async function shown(target: string, from: string): Promise<string | null> {
  const app = await createAppDouble().createApp({} as never);
  const handlers = createHandlers({ ...app, vault });
  const address = await handlers['vault.imageAddress']({ target, from }, {} as never);
  const { pathname } = new URL(address, 'http://host');
  if (!pathname.startsWith('/files/')) return null;
  const found = await vaultImage(vault, pathname.slice('/files/'.length));
  return found && Buffer.from(found.bytes).toString();
}

/** The picture that goes along with a message in which it is embedded so. */
async function sent(embed: string, from: string): Promise<string | null> {
  const { attached } = await expandLinks(embed, findLinks(embed), from, {
    vault,
    notes: { opened: () => undefined } as never,
    accepts: { images: true, pdf: true },
    expandLimit: 100,
    resource: () => expect.unreachable(),
  });
  return attached[0]?.target ?? null;
}

test.each([
  ['its name, wherever it is', 'pic.png', 'Note.md', 'attachments/pic.png'],
  ['its path', 'attachments/pic.png', 'trips/Note.md', 'attachments/pic.png'],
  [
    'its name, the one beside the note before another',
    'twice.png',
    'trips/deep/N.md',
    'trips/deep/twice.png',
  ],
  ['its name, else the one with the shortest path', 'twice.png', 'Note.md', 'attachments/twice.png'],
  ['the end of its path', 'deeper/far.png', 'Note.md', 'trips/deep/deeper/far.png'],
  ['a name with blanks', 'Summer in Rome.png', 'trips/Note.md', 'Summer in Rome.png'],
  ['a name in other letters', 'PIC.png', 'Note.md', 'attachments/pic.png'],
  ['an ending in other letters', 'tower.png', 'Note.md', 'trips/Tower.PNG'],
  ['a name composed otherwise', 'u\u0308ber.png', 'Note.md', 'über.png'],
  ['steps up', '../x.png', 'trips/Note.md', 'x.png'],
  ['steps up and down', '../../attachments/pic.png', 'trips/deep/N.md', 'attachments/pic.png'],
  ['a step beside', './twice.png', 'trips/deep/N.md', 'trips/deep/twice.png'],
  ['a picture that is not there', 'gone.png', 'Note.md', null],
  ['a path that is not there', 'elsewhere/pic.png', 'Note.md', null],
  ['a step out of the vault', '../outside.png', 'Note.md', null],
  ['steps out of the vault', '../../outside.png', 'trips/Note.md', null],
  ['a link out of the vault', 'leads-out.png', 'Note.md', null],
])('what the page shows is what is sent: %s', async (_how, target, from, path) => {
  expect(await shown(target, from)).toBe(path);
  expect(await sent(`![[${target}]]`, from)).toBe(path);
  expect(await sent(`![[${target}|300]]`, from)).toBe(path);
  expect(await sent(`![](${encodeURI(target)})`, from)).toBe(path);
  expect(await sent(`![](<${target}>)`, from)).toBe(path);
});

test('a picture among hidden files, as a folder for attachments may be, is shown by its path', async () => {
  await mkdir(join(folder, 'vault/.attachments'));
  await writeFile(join(folder, 'vault/.attachments/a.png'), 'hidden');
  expect(await shown('.attachments/a.png', 'trips/Note.md')).toBe('hidden');
});
