import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createObjects } from '../../../src/core/versions/store/objects';
import { readRecord } from '../../../src/core/versions/store/records';
import { built } from '../../support/built';
import { extent } from '../../support/extent';
import { createRandom } from '../../whole/support/random';
import { createNotesCore } from '../core';
import type { Op } from './record';
import { diskAfter, lay } from './replay';

const states = extent(60, 3_000);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

async function recorded(folder: string): Promise<Op[]> {
  const { file, remove } = await built('tests/notes/power/scenario.ts');
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [file, folder], {
      maxBuffer: 512 * 1024 * 1024,
    });
    return JSON.parse(stdout) as Op[];
  } finally {
    await remove();
  }
}

/** All texts that a person can get at: notes, texts of notes that are no more, the trash. */
function textsIn(folder: string): { path: string; text: string }[] {
  return ['vault', 'data/kept', 'share/Trash/files']
    .filter((place) => existsSync(join(folder, place)))
    .flatMap((place) =>
      readdirSync(join(folder, place), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md'))
        .map((name) => ({ path: `${place}/${name}`, text: readFileSync(join(folder, place, name), 'utf8') })),
    );
}

async function unreadableVersions(folder: string): Promise<string[]> {
  const place = join(folder, 'data/versions');
  const missing: string[] = [];
  for (const vault of existsSync(place) ? readdirSync(place) : []) {
    const index = join(place, vault, 'index.log');
    const objects = createObjects(join(place, vault, 'objects'));
    for (const line of existsSync(index) ? readFileSync(index, 'utf8').split('\n') : []) {
      const entry = readRecord(line);
      if (entry?.kind === 'text' && (await objects.get(entry.object)) === null) missing.push(line);
    }
  }
  return missing;
}

test(`of ${states} disks that a power cut may leave, each starts with all that was safe, once`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'power-'));
  const log = await recorded(folder);
  const { whole } = createRandom(seed);
  const below = (most: number) => whole(0, most - 1);
  for (let state = 0; state < states; state++) {
    const length = 1 + below(log.length);
    const moment = `state ${state} after ${length} of ${log.length}, SEED=${seed}`;
    rmSync(folder, { recursive: true, force: true });
    lay(diskAfter(log, length, below), folder, folder);
    if (!existsSync(join(folder, 'vault'))) continue;
    const { vault, notes, close } = createNotesCore(join(folder, 'data'));
    await vault.open(join(folder, 'vault'));
    await notes.recover();
    await close();
    const texts = textsIn(folder);
    const all = texts.map(({ text }) => text).join('');
    // What could not be told for certain lies among what was recovered, beside the note that may have it.
    const once = texts.flatMap(({ path, text }) => (path.startsWith('data/kept/') ? [] : [text])).join('');
    const said = log.slice(0, length).flatMap((op) => (op.kind === 'said' ? [op.what.split(' ')[1]!] : []));
    for (const mark of said)
      expect(
        all.includes(`‹${mark}›`),
        `${mark}, ${moment}, ${JSON.stringify(texts.map(({ path, text }) => [path, text.slice(0, 300)]))}`,
      ).toBe(true);
    const marks = [...once.matchAll(/‹\w+›/g)].map(([mark]) => mark);
    expect(
      marks.filter((mark, at) => marks.indexOf(mark) !== at),
      moment,
    ).toEqual([]);
    expect(all, moment).not.toContain('\0');
    expect(await unreadableVersions(folder), moment).toEqual([]);
  }
  rmSync(folder, { recursive: true, force: true });
  process.stdout.write(`Power cut: ${states} disks of ${log.length} operations held, SEED=${seed}.\n`);
}, 900_000);
