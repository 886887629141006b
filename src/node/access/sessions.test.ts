import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSessions } from './sessions';

test('a browser that another process ended is not let in again by a file that comes back', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sessions-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const sessions = createSessions(folder, () => 1_000);
  const session = { id: 'one', key: 'key', origin: 'http://127.0.0.1:1', port: 1, browser: 'Browser' };
  sessions.keep({ ...session, madeAt: 0, usedAt: 0 });
  expect(sessions.find('one')).toMatchObject(session);

  const place = join(folder, 'one.json');
  const copy = readFileSync(place);
  rmSync(place);
  sessions.review();
  writeFileSync(place, copy);
  expect(sessions.find('one')).toBeNull();
});
