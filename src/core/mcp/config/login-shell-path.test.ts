import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askShell } from './login-shell-path';

function shell(...lines: string[]): string {
  const path = join(mkdtempSync(join(tmpdir(), 'shell-')), 'shell');
  writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(path, 0o755);
  return path;
}

test.skipIf(process.platform === 'win32')(
  'a shell says its PATH, whatever its start-up files print',
  async () => {
    const path = shell('echo Welcome', 'PATH=/of/the/person:$PATH', 'eval "$2"');
    expect(await askShell(path, 10_000)).toBe(`/of/the/person:${process.env.PATH}`);
  },
);

test.skipIf(process.platform === 'win32')(
  'a shell that fails or is not there has nothing to say',
  async () => {
    expect(await askShell(shell('exit 3'), 10_000)).toBeNull();
    expect(await askShell('/no/such/shell', 10_000)).toBeNull();
  },
);

test.skipIf(process.platform === 'win32')(
  'a shell that waits is ended in time, with what it began',
  async () => {
    const path = shell('sleep 600 & echo $! > "$0.child"', 'wait');
    expect(await askShell(path, 500)).toBeNull();
    expect(existsSync(`${path}.child`)).toBe(true);
    const child = Number(readFileSync(`${path}.child`, 'utf8'));
    const isThere = () => {
      try {
        // A process that has ended and waits to be noticed counts as gone.
        return !/\) Z /.test(readFileSync(`/proc/${child}/stat`, 'utf8'));
      } catch {
        return false;
      }
    };
    await expect.poll(isThere, { timeout: 5_000 }).toBe(false);
  },
);

test.skipIf(process.platform === 'win32')('a shell that is broken off takes back its locks', async () => {
  const path = shell(
    'trap \'rm "$0.lock"\' EXIT',
    'trap "exit 1" HUP',
    'touch "$0.lock"',
    'while :; do sleep 0.1; done',
  );
  const signal = new AbortController();
  const asked = askShell(path, 30_000, signal.signal);
  await expect.poll(() => existsSync(`${path}.lock`), { timeout: 10_000 }).toBe(true);
  signal.abort();
  expect(await asked).toBeNull();
  expect(existsSync(`${path}.lock`)).toBe(false);
});
