import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createFollower } from '../notes/follower';
import { comeIn, ensureBuilt, startCore } from './support/core';
import { wireOf } from './support/notes-wire';

beforeAll(ensureBuilt, 120_000);

test('a window that was not told of a rename before the app died goes on with its note where it is', {
  timeout: 60_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'interlinear-moved-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [vault, data] = [join(folder, 'vault'), join(folder, 'data')];
  for (const made of [vault, data]) await mkdir(made);
  await writeFile(join(vault, 'Talk.md'), 'said\n');
  await writeFile(join(data, 'mcp.json'), JSON.stringify({ bundled: { vault: { enabled: false } } }));
  const start = () => {
    const core = startCore(vault, data);
    onTestFinished(() => core.end('SIGKILL'));
    return core;
  };
  const first = start();
  const window = createFollower('Talk.md', 'window');
  window.connect(wireOf(await comeIn(first)));
  await window.until(() => window.sessionId !== null);
  window.type(0, 0, 'typed ');
  await window.until(() => !window.hasUnsent());
  await first.end('SIGKILL');
  window.disconnect();
  window.type(0, 0, 'meanwhile ');
  await rename(join(vault, 'Talk.md'), join(vault, 'Moved.md'));

  window.connect(wireOf(await comeIn(start())));
  await window.until(() => window.events.some((event) => event.kind === 'renamed'));
  expect(window.events.findLast((event) => event.kind === 'renamed')).toMatchObject({ path: 'Moved.md' });
  await window.until(() => !window.hasUnsent());
  await expect.poll(() => readFile(join(vault, 'Moved.md'), 'utf8')).toBe('meanwhile typed said\n');
});
