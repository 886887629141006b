import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { extent } from '../../support/extent';
import { createFollower } from '../follower';
import { bundleHost, type RunningHost, startHost } from './start';

const rounds = extent(12, 200);
/** Each with a vault of its own. */
const lives = extent(1, 5);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function numbersOf(text: string, run: string): number[] {
  return [...text.matchAll(new RegExp(`‹${run}\\.(\\d+)›`, 'g'))].map(([, number]) => Number(number));
}

/** How often each mark that was typed stands in the text. */
function countTyped(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [mark] of text.matchAll(/‹typed\d+›/g)) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  return counts;
}

/** Every mark is whole: nothing was cut inside one. */
function isWhole(text: string): boolean {
  return text.replaceAll(/‹[^‹›]+›/g, '').search(/[‹›]/) === -1;
}

test.each(Array.from({ length: lives }, (_, life) => life + 1))(
  `life %i, killed ${rounds} times while a person types and an answer streams: all that was acknowledged is there, once, in order`,
  {
    timeout: extent(180_000, 1_200_000),
  },
  async () => {
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

    /** Resolves when it has what it missed, and the host has what was not acknowledged. */
    async function join_({ wire }: RunningHost): Promise<void> {
      const before = follower.events.length;
      follower.connect(wire);
      const isIn = () =>
        follower.events.slice(before).some(({ kind }) => kind === 'opened' || kind === 'rejoined');
      await follower.until(() => isIn() && !follower.hasUnsent());
    }

    for (let round = 0; round < rounds; round++) {
      const running = await startHost(host, [root, join(folder, 'data'), path]);
      await join_(running);
      expect(countTyped(follower.text()), `round ${round}`).toEqual(new Map(typed.map((mark) => [mark, 1])));
      const run = `run${round}`;
      const begun = new Promise<void>((resolve) => {
        running.stream(run, (number) => {
          acknowledged.set(run, number);
          resolve();
        });
      });
      await begun;
      const until = performance.now() + Math.random() * (round % 5 === 0 ? 800 : 100);
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
    }

    const running = await startHost(host, [root, join(folder, 'data'), path]);
    expect(running.recovered).toEqual([path]);
    await join_(running);
    const text = follower.text();
    for (const [run, last] of acknowledged) {
      const numbers = numbersOf(text, run);
      expect(numbers, run).toEqual(numbers.map((_, index) => index));
      expect(numbers.length, run).toBeGreaterThan(last);
    }
    expect(countTyped(text)).toEqual(new Map(typed.map((mark) => [mark, 1])));
    expect(isWhole(text)).toBe(true);
    // Saved again after the last start, with the line ends that it had.
    await follower.until(() =>
      follower.events.some((event) => 'save' in event && event.save.kind === 'saved'),
    );
    const names = await readdir(root);
    expect(names.filter((name) => name.endsWith('.md'))).toEqual([path]);
    await running.kill();
    expect(await readFile(file, 'utf8')).toMatch(/begin\r\nend\r\n/);
    await rm(folder, { recursive: true, force: true });
  },
);
