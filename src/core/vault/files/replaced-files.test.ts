import { appendFileSync, linkSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createManualClock } from '../../../../tests/support/manual-clock';
import { createReplacedFiles } from './replaced-files';

const megabyte = 1024 * 1024;

function folder() {
  const home = mkdtempSync(join(tmpdir(), 'replaced-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const clock = createManualClock();
  const late: string[] = [];
  const replaced = createReplacedFiles(clock, ({ path }) => void late.push(path));
  onTestFinished(replaced.close);
  return {
    clock,
    late,
    /** Puts a new file in the place of one with so many bytes. Who has that one open goes on by the name that is returned. */
    replace(path: string, bytes: number): string {
      const [place, held] = [join(home, path), join(home, `${path}.held`)];
      writeFileSync(place, Buffer.alloc(bytes));
      linkSync(place, held);
      const isReplaced = replaced.hold(place, path);
      const mark = statSync(place);
      writeFileSync(`${place}.new`, 'new');
      renameSync(`${place}.new`, place);
      isReplaced(mark);
      return held;
    },
  };
}

test.skipIf(process.platform === 'win32')(
  'what is written into a file that was replaced is told once it rests, for five seconds',
  () => {
    const { clock, late, replace } = folder();
    const held = replace('a.md', 10);
    appendFileSync(held, 'late');
    clock.advance(250);
    expect(late).toEqual([]);
    clock.advance(250);
    expect(late).toEqual(['a.md']);
    const other = replace('b.md', 10);
    clock.advance(5_250);
    appendFileSync(other, 'too late');
    clock.advance(5_000);
    expect(late).toEqual(['a.md']);
  },
);

test.skipIf(process.platform === 'win32')(
  'of files that were replaced no more than eight megabytes are held, the newest',
  () => {
    const { clock, late, replace } = folder();
    const [first, second] = [replace('first.md', 5 * megabyte), replace('second.md', 5 * megabyte)];
    for (const held of [first, second]) appendFileSync(held, 'late');
    clock.advance(1_000);
    expect(late).toEqual(['second.md']);
  },
);
