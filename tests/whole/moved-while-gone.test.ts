import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createFollower } from '../notes/follower';
import { comeIn, ensureBuilt, startCore } from './support/core';
import { wireOf } from './support/notes-wire';

beforeAll(ensureBuilt, 120_000);

async function home(notes: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'interlinear-moved-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [vault, data] = [join(folder, 'vault'), join(folder, 'data')];
  for (const made of [vault, data]) await mkdir(made);
  for (const [path, text] of Object.entries(notes)) await writeFile(join(vault, path), text);
  await writeFile(join(data, 'mcp.json'), JSON.stringify({ bundled: { vault: { enabled: false } } }));
  const start = () => {
    const core = startCore(vault, data);
    onTestFinished(() => core.end('SIGKILL'));
    return core;
  };
  return { vault, start, read: (path: string) => readFile(join(vault, path), 'utf8') };
}

test('a window that was not told of a rename before the app died goes on with its note where it is', {
  timeout: 60_000,
}, async () => {
  const { vault, start, read } = await home({ 'Talk.md': 'said\n' });
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
  await expect.poll(() => read('Moved.md')).toBe('meanwhile typed said\n');
});

test.each(['Moved.md', 'Deep/Moved.md'])(
  'what is typed into a note in which nothing was unsaved, while the app is dead, goes along with it to %s, and not into another in its place',
  { timeout: 60_000 },
  async (to) => {
    const { vault, start, read } = await home({
      'A.md': '# Day\n\n- one\n- two\nmine\n',
      'B.md': '# Day\n\n- one\n- two\nother\n',
    });
    await mkdir(join(vault, 'Deep'));
    const first = start();
    const window = createFollower('A.md', 'window');
    window.connect(wireOf(await comeIn(first)));
    await window.until(() => window.sessionId !== null);
    await first.end('SIGKILL');
    window.disconnect();
    window.type(0, 0, 'meanwhile ');
    await rename(join(vault, 'A.md'), join(vault, to));
    await rename(join(vault, 'B.md'), join(vault, 'A.md'));

    window.connect(wireOf(await comeIn(start())));
    await window.until(() => window.events.some((event) => event.kind === 'renamed'));
    await window.until(() => !window.hasUnsent());
    await expect.poll(() => read(to)).toBe('meanwhile # Day\n\n- one\n- two\nmine\n');
    expect(await read('A.md')).toBe('# Day\n\n- one\n- two\nother\n');
  },
);

test('of two open notes that others were moved over while the app is dead, every word is kept, and none is in another note', {
  timeout: 60_000,
}, async () => {
  const words = (name: string) => `# Day\n\n- one\n- two\n- three\nof ${name}\n`;
  const { vault, start, read } = await home({ 'A.md': words('A'), 'B.md': words('B'), 'C.md': words('C') });
  const first = start();
  const visitor = await comeIn(first);
  const windows = ['A.md', 'B.md'].map((path) => ({ path, window: createFollower(path, path) }));
  for (const { path, window } of windows) {
    window.connect(wireOf(visitor));
    await window.until(() => window.sessionId !== null);
    window.type(0, 0, `saved in ${path} `);
    await window.until(() => !window.hasUnsent());
    await expect.poll(() => read(path)).toContain(`saved in ${path} `);
  }
  await first.end('SIGKILL');
  for (const { path, window } of windows) {
    window.disconnect();
    window.type(0, 0, `dead in ${path} `);
  }
  await rename(join(vault, 'C.md'), join(vault, 'A.md'));
  await rename(join(vault, 'A.md'), join(vault, 'B.md'));

  const { client } = await comeIn(start());
  const events = client.stream('notes.follow', {
    path: 'B.md',
    seen: { sessionId: windows[1]?.window.sessionId ?? '', version: windows[1]?.window.version() ?? 0 },
  });
  for await (const event of events) {
    expect(event).toMatchObject({ kind: 'opened', another: true, text: words('C') });
    break;
  }
  const kept: string[] = [];
  for await (const { texts } of client.stream('recovery.list', {})) {
    for (const { note, reason } of texts) kept.push(`${note} ${reason}`);
    break;
  }
  expect(kept).toContain('B.md replaced');
  expect(await read('B.md')).toBe(words('C'));
});
