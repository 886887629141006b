import { type ChildProcess, spawn } from 'node:child_process';
import type { Log } from '../secrets/log';
import { type Descendant, findDescendants, signalDescendants } from './descendants';

/**
 * A program of ours that outlives the app by a second: it is told which process groups belong to the app and stops
 * them when the app is gone, however it went (also by kill -9): the pipe between them then ends.
 */
export interface Guard {
  /** `descendants`: those that were seen. Said again, it tells of newer ones. */
  watch(pid: number, descendants?: readonly Descendant[]): void;
  release(pid: number): void;
  close(): void;
}

/** Plain Node, kept as text so that it runs wherever the app's own code is packed. */
const program = `
'use strict';
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const findDescendants = ${findDescendants};
const signalDescendants = ${signalDescendants};
const watched = new Map();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {});
let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const [first, ...seen] = line.slice(1).split(' ');
    const pid = Number(first);
    if (!Number.isSafeInteger(pid) || pid < 2) continue;
    if (line[0] === '-') watched.delete(pid);
    else watched.set(pid, seen.map((one) => ({ pid: Number(one.split(':')[0]), startTime: one.split(':')[1] })));
  }
});
const stop = (signal) => {
  for (const pid of watched.keys()) {
    try {
      if (process.platform !== 'win32') process.kill(-pid, signal);
      else if (signal !== 'SIGSTOP' && signal !== 'SIGCONT')
        spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true });
    } catch {
      watched.delete(pid);
    }
  }
};
let ended = false;
const end = () => {
  if (ended) return;
  ended = true;
  const all = [...watched];
  stop('SIGSTOP');
  const below = all.map(([pid, seen]) => [pid, findDescendants(pid, seen, fs)]);
  const signalBelow = (signal) => below.reduce((sum, [pid, some]) => sum + signalDescendants(some, signal, pid, fs), 0);
  stop('SIGTERM');
  const left = signalBelow('SIGTERM');
  stop('SIGCONT');
  if (watched.size === 0 && left === 0) process.exit();
  setTimeout(() => {
    stop('SIGKILL');
    signalBelow('SIGKILL');
    process.exit();
  }, 1000);
};
process.stdin.on('end', end);
process.stdin.on('error', end);
`;

export function createGuard({
  node,
  log,
}: {
  node: { readonly command: string; readonly env: Readonly<Record<string, string>> };
  log: Log;
}): Guard {
  const watched = new Map<number, readonly Descendant[]>();
  let child: ChildProcess | null = null;
  let isClosed = false;

  /** Started with the first server, again if somebody ended it. */
  function running(): ChildProcess | null {
    if (child || isClosed) return child;
    const guardProcess = spawn(node.command, ['-e', program], {
      env: { ...systemOnly(), ...node.env },
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    guardProcess.on('error', (error) => log.error('server guard failed', { error }));
    guardProcess.stdin?.on('error', () => undefined);
    guardProcess.on('exit', () => {
      child = null;
    });
    // The guard must never keep the app from ending.
    guardProcess.unref();
    (guardProcess.stdin as { unref?: () => void } | null)?.unref?.();
    child = guardProcess;
    for (const [pid, descendants] of watched) guardProcess.stdin?.write(watchLine(pid, descendants));
    return child;
  }

  return {
    watch(pid, descendants = []) {
      watched.set(pid, descendants);
      if (child) child.stdin?.write(watchLine(pid, descendants));
      else running();
    },
    release(pid) {
      watched.delete(pid);
      child?.stdin?.write(`-${pid}\n`);
    },
    close() {
      isClosed = true;
      child?.stdin?.end();
      child = null;
    },
  };
}

const watchLine = (pid: number, descendants: readonly Descendant[]) =>
  `+${[pid, ...descendants.map((one) => `${one.pid}:${one.startTime}`)].join(' ')}\n`;

const systemOnly = () =>
  process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot, PATH: process.env.PATH } : {};
