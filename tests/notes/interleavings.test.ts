import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { extent } from '../support/extent';
import { createNotesCore } from './core';
import { createFollower } from './follower';

const seeds = extent(24, 400);

/** The same numbers for the same seed (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const lines = (text: string) => text.split('\n');

async function interleave(seed: number): Promise<void> {
  const below = random(seed);
  const folder = await mkdtemp(join(tmpdir(), 'interleave-'));
  const root = join(folder, 'vault');
  const file = join(root, 'A.md');
  await mkdir(root);
  const crlf = seed % 3 === 0;
  const onDisk = (text: string) => (crlf ? text.replaceAll('\n', '\r\n') : text);
  writeFileSync(file, onDisk(Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n')));
  const { vault, notes, close } = createNotesCore(join(folder, 'data'));
  await vault.open(root);
  const followers = ['a', 'b'].map((clientId) => createFollower('A.md', clientId));
  for (const follower of followers) follower.connect(notes);
  for (const follower of followers) await follower.until(() => follower.sessionId !== null);
  const { session, release } = await notes.hold('A.md');
  const end = session.anchor(session.text().length, 1);
  const stop = session.keepSaving();
  session.edit('run', { from: end.position(), insert: '\nanswer:' });

  const marks: string[] = [];
  let streamed = '';
  let number = 0;
  for (let step = 0; step < 60; step++) {
    const follower = followers[below(2)]!;
    switch (below(7)) {
      case 0:
      case 1: {
        const mark = `‹typed${number++}›`;
        const at = below(follower.text().length + 1);
        // Not inside another mark: that would be a test that breaks its own marks.
        const before = follower.text().lastIndexOf('‹', at - 1);
        const inside = before !== -1 && follower.text().indexOf('›', before) >= at;
        follower.type(inside ? before : at, inside ? before : at, mark);
        marks.push(mark);
        break;
      }
      case 2:
      case 3: {
        const token = `‹token${number++}›`;
        session.edit('run', { from: end.position(), insert: token });
        streamed += token;
        break;
      }
      case 4: {
        // Another program: reads, changes a line, writes; in one step, as the disk sees it.
        const text = readFileSync(file, 'utf8').split(onDisk('\n'));
        const mark = `‹disk${number++}›`;
        const line = below(text.length);
        if (below(2) === 0) text.splice(line, 0, mark);
        else text[line] = `${text[line]} ${mark}`;
        if (below(2) === 0) writeFileSync(file, text.join(onDisk('\n')));
        else {
          writeFileSync(`${file}.tmp`, text.join(onDisk('\n')));
          renameSync(`${file}.tmp`, file);
        }
        marks.push(mark);
        break;
      }
      case 5:
        follower.disconnect();
        await turn();
        follower.connect(notes);
        break;
      case 6:
        if (below(3) === 0) void session.save();
        else
          for (let waits = below(6); waits > 0; waits--)
            await new Promise((resolve) => setTimeout(resolve, 1));
    }
    if (below(3) === 0) await turn();
  }
  for (const follower of followers) await follower.until(() => !follower.hasUnsent());
  stop();
  expect(await notes.save('A.md')).toMatchObject({ kind: 'saved' });
  await vault.sweep();
  expect(await notes.save('A.md')).toMatchObject({ kind: 'saved' });
  for (const follower of followers) await follower.until(() => follower.text() === session.text());
  const text = session.text();
  const disk = await readFile(file, 'utf8');
  for (const mark of marks) expect(text.split(mark), `${mark} in run ${seed}\n${text}`).toHaveLength(2);
  const order = [...text.matchAll(/‹token\d+›/g)].map(([token]) => token).join('');
  expect(order, `stream of run ${seed}`).toBe(streamed);
  expect(lines(disk.replaceAll('\r\n', '\n')), `disk of run ${seed}`).toEqual(lines(text));
  for (const follower of followers) follower.disconnect();
  release();
  await close();
  await rm(folder, { recursive: true, force: true });
}

test('two windows, a run and another program write at once in 200 random orders: all end equal, nothing is lost', {
  timeout: 240_000,
}, async () => {
  for (let seed = 1; seed <= seeds; seed++) await interleave(seed);
});
