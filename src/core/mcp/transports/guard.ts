import { type ChildProcess, spawn } from 'node:child_process';
import type { Log } from '../../foundation';

/**
 * A program of ours that outlives the app by a second: it is told which process groups belong to the app and stops
 * them when the app is gone, however it went (also by kill -9): the pipe between them then ends.
 */
export interface Guard {
  watch(pid: number): void;
  release(pid: number): void;
  close(): void;
}

/** Plain Node, kept as text so that it runs wherever the app's own code is packed. */
const program = `
'use strict';
const { spawnSync } = require('node:child_process');
const watched = new Set();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {});
let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const pid = Number(line.slice(1));
    if (!Number.isSafeInteger(pid) || pid < 2) continue;
    if (line[0] === '+') watched.add(pid);
    else watched.delete(pid);
  }
});
const stop = (signal) => {
  for (const pid of watched) {
    try {
      if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true });
      else process.kill(-pid, signal);
    } catch {
      watched.delete(pid);
    }
  }
};
let ended = false;
const end = () => {
  if (ended) return;
  ended = true;
  stop('SIGTERM');
  if (watched.size === 0) process.exit();
  setTimeout(() => {
    stop('SIGKILL');
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
  const watched = new Set<number>();
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
    for (const pid of watched) guardProcess.stdin?.write(`+${pid}\n`);
    return child;
  }

  return {
    watch(pid) {
      if (child) {
        watched.add(pid);
        child.stdin?.write(`+${pid}\n`);
      } else {
        watched.add(pid);
        running();
      }
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

const systemOnly = () =>
  process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot, PATH: process.env.PATH } : {};
