import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createLog, openDatabase, systemClock } from '../../src/core/foundation';
import { createHistory } from '../../src/core/tools/history/history';
import { lockDatabase } from '../support/lock-database';

test('100 calls that are recorded while another program writes for seconds hold up nothing, and all are kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'locked-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'interlinear.db');
  const database = openDatabase(path, () => undefined);
  const log = createLog(() => undefined);
  const history = createHistory({ database, clock: systemClock, log });
  const release = await lockDatabase(path);
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  for (let n = 0; n < 100; n++) {
    const call = { callId: `c${n}`, at: n, serverId: 's', serverName: 's', tool: 't', path: null, ms: 1 };
    const how = {
      by: 'model',
      status: 'ok',
      resultBytes: 1,
      cached: false,
      approval: 'always',
      error: null,
    } as const;
    history.add({ ...call, ...how, arguments: {} });
    await delay(25);
  }
  delays.disable();
  // One that waited for the other program held up everything for two seconds.
  expect(delays.max / 1e6).toBeLessThan(1_000);
  expect(history.find({ limit: 200 })).toEqual([]);
  await release();
  await expect.poll(() => history.find({ limit: 200 })).toHaveLength(100);
  history.close();
  await database.close();
  const file = new DatabaseSync(path);
  expect(file.prepare('select count(*) as n from tool_calls').get()?.n).toBe(100);
  file.close();
});
