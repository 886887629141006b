import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Op } from '../../notes/power/record';
import { diskAfter, lay } from '../../notes/power/replay';
import { built } from '../../support/built';
import { extent } from '../../support/extent';
import { createRandom } from '../../whole/support/random';
import { connectVault } from '../serve-vault';
import { batches } from './batches';

const states = extent(20, 1_500);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

async function recorded(folder: string): Promise<Op[]> {
  const { file, remove } = await built('tests/vault-server/power/scenario.ts');
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [file, folder], {
      maxBuffer: 64 * 1024 * 1024,
    });
    return JSON.parse(stdout) as Op[];
  } finally {
    await remove();
  }
}

/** How often each mark stands in the notes. */
function marksIn(vault: string): ReadonlyMap<string, number> {
  const text = readdirSync(vault, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(vault, name), 'utf8'))
    .join('');
  const counts = new Map<string, number>();
  for (const [mark] of text.matchAll(/‹\w+›/g)) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  return counts;
}

const marksOf = ({ ops }: (typeof batches)[number]) => ops.map(({ payload }) => payload.title);

test(`of ${states} disks that a power cut may leave, each has every batch that was answered, each batch whole or not at all, and none twice when all are sent again`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'batch-power-'));
  const vault = join(folder, 'vault');
  const log = await recorded(folder);
  const { whole } = createRandom(seed);
  const below = (most: number) => whole(0, most - 1);
  let tried = 0;
  for (let state = 0; state < states; state++) {
    const length = 1 + below(log.length);
    const moment = `state ${state} after ${length} of ${log.length}, SEED=${seed}`;
    rmSync(folder, { recursive: true, force: true });
    lay(diskAfter(log, length, below), folder, folder);
    if (!existsSync(vault)) continue;
    tried++;
    const said = new Set(log.slice(0, length).flatMap((op) => (op.kind === 'said' ? [op.what] : [])));
    const served = await connectVault(vault);
    // What was cut off is undone before anything is changed.
    await served.ask('create_entity', { type: 'milestone', data: { title: 'First' } });
    const found = marksIn(vault);
    for (const batch of batches) {
      const marks = marksOf(batch);
      const there = marks.filter((mark) => found.get(mark) === 1);
      const { batch_key } = batch.options;
      if (said.has(`safe ${batch_key}`)) expect(there, `${batch_key}, ${moment}`).toEqual(marks);
      expect([0, marks.length], `${batch_key}: ${there}, ${moment}`).toContain(there.length);
    }
    for (const batch of batches) await served.ask('batch_update', batch);
    const after = marksIn(vault);
    for (const mark of batches.flatMap(marksOf)) expect(after.get(mark), `${mark}, ${moment}`).toBe(1);
    await served.close();
  }
  rmSync(folder, { recursive: true, force: true });
  expect(tried).toBeGreaterThan(states / 2);
  process.stdout.write(
    `Power cut: ${tried} disks of ${log.length} operations of batches held, SEED=${seed}.\n`,
  );
}, 900_000);
