import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extent } from '../../support/extent';
import { createNotesCore } from '../core';
import { createFollower } from '../follower';
import { bundleHost, type RunningHost, startHost } from './start';

let folder: string;
let host: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kill-steps-'));
  host = await bundleHost(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** How often each is tried. */
const rounds = Array.from({ length: extent(1, 60) }, (_, round) => round);
const before = 'one\ntwo\nthree\n';

/** A note with text that was acknowledged and is not on disk yet, killed while it is moved; what the next start makes of it. */
async function dying(name: string, deed: (host: RunningHost) => Promise<void>) {
  const [root, data] = [join(folder, name, 'vault'), join(folder, name, 'data')];
  await mkdir(root, { recursive: true });
  await writeFile(join(root, 'A.md'), before);
  await writeFile(join(root, 'Other.md'), '');
  const running = await startHost(host, [root, data, 'A.md']);
  const follower = createFollower('A.md', 'me');
  follower.connect(running.wire);
  await follower.until(() => follower.sessionId !== null);
  follower.type(0, 4, 'typed ');
  await follower.until(() => !follower.hasUnsent());
  await deed(running);
  follower.disconnect();
  const { vault, notes, close } = createNotesCore(data);
  await vault.open(root);
  const recovered = await notes.recover();
  await close();
  const files = (await readdir(root)).filter((file) => file.endsWith('.md') && file !== 'Other.md');
  const texts = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
  const left = (await readdir(join(data, 'journals'))).filter((file) => file.endsWith('.journal'));
  const kept = existsSync(join(data, 'kept')) ? await readdir(join(data, 'kept')) : [];
  return { recovered, files, texts, left, kept };
}

const typed = 'typed two\nthree\n';

test.each([
  ['before', 'A.md'],
  ['between', 'B.md'],
  ['after', 'B.md'],
] as const)(
  'killed %s a rename and its record: all that was typed is in the note, once',
  async (dies, now) => {
    for (const round of rounds)
      expect(await dying(`rename-${dies}-${round}`, (host) => host.move('B.md', dies))).toEqual({
        recovered: [now],
        files: [now],
        texts: [typed],
        left: [],
        kept: [],
      });
  },
  extent(60_000, 600_000),
);

test.each([
  ['before', ['A.md'], [typed]],
  ['between', [], []],
  ['after', [], []],
] as const)(
  'killed %s a removal and its record: the text is in the note or went with it, and nothing comes back',
  async (dies, files, texts) => {
    for (const round of rounds)
      expect(await dying(`trash-${dies}-${round}`, (host) => host.move(null, dies))).toEqual({
        recovered: files,
        files,
        texts,
        left: [],
        kept: [],
      });
  },
  extent(60_000, 600_000),
);

test.each([
  ['between', [], []],
  ['after', ['A.md'], ['anew\n']],
] as const)(
  'killed %s the removal of a note and a new one of its name: the new one has nothing of the old',
  async (dies, files, texts) => {
    for (const round of rounds)
      expect(await dying(`again-${dies}-${round}`, (host) => host.again('anew\n', dies))).toMatchObject({
        files,
        texts,
        left: [],
        kept: [],
      });
  },
  extent(60_000, 600_000),
);
