import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { watchProcesses } from './no-process-left';

const before = { TMPDIR: process.env.TMPDIR, exitCode: process.exitCode };
afterEach(() => {
  process.env.TMPDIR = before.TMPDIR;
  process.exitCode = before.exitCode;
});

/** What has ended but was not fetched by its parent yet is gone all the same. */
function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

const forever = 'setInterval(() => {}, 1_000)';
const leaver = `const child = require('node:child_process').spawn(process.execPath, ['-e', '${forever}'], { detached: true, stdio: 'ignore' });
  child.unref(); console.log(child.pid);`;

test.runIf(process.platform === 'linux')(
  'a process that a test leaves behind fails the run, and is ended',
  async () => {
    const end = watchProcesses(100);
    const pid = Number(spawnSync(process.execPath, ['-e', leaver], { encoding: 'utf8' }).stdout);
    expect(isRunning(pid)).toBe(true);
    await expect(end()).rejects.toThrow(`${pid} ${process.execPath} -e ${forever}`);
    expect(process.exitCode).toBe(1);
    await expect.poll(() => isRunning(pid)).toBe(false);
  },
);

test.runIf(process.platform === 'linux')(
  'a run that leaves nothing passes, and its folder goes',
  async () => {
    const end = watchProcesses(2_000);
    const folder = tmpdir();
    spawnSync(process.execPath, ['-e', '']);
    await end();
    expect(existsSync(folder)).toBe(false);
  },
);
