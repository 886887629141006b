import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { extent } from '../support/extent';
import { createNotesCore } from './core';
import { appending, type Manner, manners } from './writers/manners';

/** Of each manner. */
const interleavings = extent(6, 30);

interface Played {
  readonly typed: readonly string[];
  readonly written: readonly string[];
  readonly base: readonly string[];
  readonly text: string;
  readonly disk: string;
  readonly kind: string;
}

test.each(Object.entries(manners))(
  'another program that %s, and a person who types meanwhile: nothing is lost, doubled or undone',
  { timeout: 120_000 },
  async (name, manner) => {
    const folder = await mkdtemp(join(tmpdir(), 'writers-'));
    const root = join(folder, 'vault');
    await mkdir(root);
    const core = createNotesCore(join(folder, 'data'));
    try {
      await core.vault.open(root);
      const plays = Array.from({ length: interleavings }, (_, seed) => play(core, root, name, manner, seed));
      for (const [seed, played] of (await Promise.all(plays)).entries()) check(played, `${name}, ${seed}`);
    } finally {
      await core.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

/** One note: a program changes a line and adds one, in some moment before, between and after what is typed. */
async function play(
  { vault, notes }: ReturnType<typeof createNotesCore>,
  root: string,
  name: string,
  manner: Manner,
  seed: number,
): Promise<Played> {
  const path = `${seed}.md`;
  const place = join(root, path);
  const base = Array.from({ length: 12 }, (_, at) => `‹base${at}› a line of the note`);
  await writeFile(place, `${base.join('\n')}\n`);
  const { session, release } = await notes.hold(path);
  const typed: string[] = [];
  const type = (line: number) => {
    const mark = `‹typed${typed.length}›`;
    const at = session.text().indexOf(`‹base${line}›`);
    if (at === -1) return;
    session.edit('window-a', { from: at, insert: `${mark} ` });
    typed.push(mark);
  };
  const written = ['‹added›', '‹changed›'];
  const isAppending = name in appending;
  const foreign = async () => {
    const before = await readFile(place, 'utf8');
    const lines = before.split('\n');
    if (!isAppending) {
      const at = lines.findIndex((line) => line.includes('‹base7›'));
      lines[at] += ' ‹changed›';
    }
    await manner(place, `${lines.join('\n')}‹added› by another program\n`, (seed % 5) * 60);
  };
  const pauses = [0, 10, 60, 250, 700, 1_200];
  type(seed % 6);
  await wait(pauses[seed % pauses.length]);
  const writing = foreign();
  for (let at = 0; at < 4; at++) {
    await wait(pauses[(seed + at) % 5]);
    // Not the lines that the program changes: what both change is for the tests of merging.
    type((seed + at) % 6);
  }
  await writing;
  for (let tries = 0; tries < 40; tries++) {
    await vault.sweep();
    const { kind } = await notes.save(path);
    const disk = await readFile(place, 'utf8');
    if (kind === 'saved' && disk === session.text() && disk.includes('‹added›')) break;
    await wait(250);
  }
  const disk = await readFile(place, 'utf8');
  const { kind } = session.saveState();
  release();
  const marks = isAppending ? written.slice(0, 1) : written;
  return {
    typed,
    written: marks,
    base: base.map((line) => line.split(' ')[0] ?? ''),
    text: session.text(),
    disk,
    kind,
  };
}

function check({ typed, written, base, text, disk, kind }: Played, what: string): void {
  expect(kind, what).toBe('saved');
  expect(disk, what).toBe(text);
  for (const mark of [...typed, ...written, ...base])
    expect(text.split(mark), `${what}: ${mark}\n${text}`).toHaveLength(2);
}
