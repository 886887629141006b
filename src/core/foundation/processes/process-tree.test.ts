import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../secrets/log';
import { findDescendants, signalDescendants } from './descendants';
import { createGuard } from './guard';
import { createProcessTree } from './process-tree';

const files = { readdirSync, readFileSync };
const sleeper = 'process.stdout.write(process.pid + "\\n"); setInterval(() => undefined, 1000)';
/** Starts a sleeper in a session of its own and waits. */
const parent = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(sleeper)}], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] }); setInterval(() => undefined, 1000)`;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function family() {
  const program = spawn(process.execPath, ['-e', parent], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const pid = program.pid ?? 0;
  const [line] = await once(createInterface({ input: program.stdout }), 'line');
  const below = Number(line);
  onTestFinished(() => {
    for (const one of [pid, below]) if (isAlive(one)) process.kill(one, 'SIGKILL');
  });
  return { program, pid, below };
}

test.skipIf(process.platform !== 'linux')(
  'on Linux: what was seen below a program that broke off is ended, though it has a session of its own',
  async () => {
    const { program, pid, below } = await family();
    const tree = createProcessTree(pid);
    expect(tree.glance()).toBe(true);
    expect(tree.glance()).toBe(false);
    program.kill('SIGKILL');
    await once(program, 'exit');
    expect(tree.hasEnded()).toBe(false);
    await tree.end({ afterTerm: 5_000, afterKill: 5_000 });
    expect(tree.hasEnded()).toBe(true);
    // As soon as the computer has buried it.
    await expect.poll(() => isAlive(below), { timeout: 5_000 }).toBe(false);
  },
);

test.skipIf(process.platform !== 'linux')(
  'on Linux: a process that has taken over the number of another is left alone',
  async () => {
    const { pid, below } = await family();
    const [known] = findDescendants(pid, [], files);
    expect(known?.pid).toBe(below);
    const earlier = [{ pid: below, startTime: `${Number(known?.startTime) - 1}` }];
    expect(findDescendants(2 ** 22 + 1, earlier, files)).toEqual([]);
    expect(signalDescendants(earlier, 'SIGKILL', pid, files)).toBe(0);
    expect(signalDescendants([known!], 0, pid, files)).toBe(1);
  },
);

test.skipIf(process.platform !== 'linux')(
  'on Linux: with the app ends what was seen below a program, though that is gone already',
  async () => {
    const { program, pid, below } = await family();
    const guard = createGuard({
      node: { command: process.execPath, env: {} },
      log: createLog(() => undefined),
    });
    guard.watch(pid);
    const tree = createProcessTree(pid);
    tree.glance();
    guard.watch(pid, tree.descendants());
    program.kill('SIGKILL');
    await once(program, 'exit');
    guard.close();
    await expect.poll(() => isAlive(below), { timeout: 5_000 }).toBe(false);
  },
);
