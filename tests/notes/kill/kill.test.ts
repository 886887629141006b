import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFollower } from '../follower';
import { bundleHost, startHost } from './start';

const rounds = 50;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function numbersOf(text: string, run: string): number[] {
  return [...text.matchAll(new RegExp(`‹${run}\\.(\\d+)›`, 'g'))].map(([, number]) => Number(number));
}

/** Every mark is whole: nothing was cut inside one. */
function isWhole(text: string): boolean {
  return text.replaceAll(/‹[^‹›]+›/g, '').search(/[‹›]/) === -1;
}

test(`killed ${rounds} times while a person types and an answer streams: all that was acknowledged is there, once, in order`, {
  timeout: 180_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kill-'));
  const root = join(folder, 'vault');
  const path = 'A.md';
  const file = join(root, path);
  await mkdir(root);
  await writeFile(file, 'begin\r\nend\r\n');
  const host = await bundleHost(folder);
  const follower = createFollower(path, 'person');
  const acknowledged = new Map<string, number>();
  const typed: string[] = [];

  for (let round = 0; round < rounds; round++) {
    const running = await startHost(host, [root, join(folder, 'data'), path]);
    follower.connect(running.wire);
    await follower.until(() => follower.sessionId !== null && !follower.hasUnsent());
    for (const mark of typed) expect(follower.text().split(mark), `${mark}, round ${round}`).toHaveLength(2);
    const run = `run${round}`;
    const begun = new Promise<void>((resolve) => {
      running.stream(run, (number) => {
        acknowledged.set(run, number);
        resolve();
      });
    });
    await begun;
    const until = performance.now() + Math.random() * (round % 5 === 0 ? 1_500 : 150);
    while (performance.now() < until) {
      const mark = `‹typed${typed.length}›`;
      typed.push(mark);
      follower.type(0, 0, mark);
      await pause(Math.random() * 10);
    }
    await running.kill();
    follower.disconnect();
    const disk = await readFile(file, 'utf8');
    expect(isWhole(disk), `the file after round ${round}`).toBe(true);
    expect(disk.endsWith('\uFFFD')).toBe(false);
  }

  const running = await startHost(host, [root, join(folder, 'data'), path]);
  expect(running.recovered).toEqual([path]);
  follower.connect(running.wire);
  await follower.until(() => !follower.hasUnsent());
  const text = follower.text();
  for (const [run, last] of acknowledged) {
    const numbers = numbersOf(text, run);
    expect(numbers, run).toEqual(numbers.map((_, index) => index));
    expect(numbers.length, run).toBeGreaterThan(last);
  }
  for (const mark of typed) expect(text.split(mark), mark).toHaveLength(2);
  expect(isWhole(text)).toBe(true);
  // Saved again after the last start, with the line ends that it had.
  await follower.until(() => follower.events.some((event) => 'save' in event && event.save.kind === 'saved'));
  const names = await readdir(root);
  expect(names.filter((name) => name.endsWith('.md'))).toEqual([path]);
  await running.kill();
  expect(await readFile(file, 'utf8')).toMatch(/begin\r\nend\r\n/);
  await rm(folder, { recursive: true, force: true });
});
