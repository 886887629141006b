import { type ChildProcess, spawn } from 'node:child_process';
import type { Log } from '../secrets/log';
import { findDescendants, killDescendants } from './descendants';

/**
 * A program of ours that outlives the app by a second: it is told which process groups belong to the app and stops
 * them when the app is gone, however it went (also by kill -9): the pipe between them then ends.
 */
export interface Guard {
  /** `withSessions`: also what it starts in sessions of its own, as a sandbox does. */
  watch(pid: number, withSessions?: boolean): void;
  release(pid: number): void;
  close(): void;
}

/** Plain Node, kept as text so that it runs wherever the app's own code is packed. */
const program = `
'use strict';
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const findDescendants = ${findDescendants};
const killDescendants = ${killDescendants};
const watched = new Set();
const withSessions = new Set();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {});
let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const pid = Number(line.slice(1));
    if (!Number.isSafeInteger(pid) || pid < 2) continue;
    if (line[0] === '-') {
      watched.delete(pid);
      withSessions.delete(pid);
    } else {
      watched.add(pid);
      if (line[0] === '*') withSessions.add(pid);
    }
  }
});
const stop = (signal, some = watched) => {
  for (const pid of some) {
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
  stop('SIGSTOP', withSessions);
  const inside = [...withSessions].flatMap((pid) => findDescendants(pid, fs));
  stop('SIGTERM');
  stop('SIGCONT', withSessions);
  if (watched.size === 0) process.exit();
  setTimeout(() => {
    stop('SIGKILL');
    killDescendants(inside, fs);
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
  const watched = new Map<number, '+' | '*'>();
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
    for (const [pid, how] of watched) guardProcess.stdin?.write(`${how}${pid}\n`);
    return child;
  }

  return {
    watch(pid, withSessions = false) {
      const how = withSessions ? '*' : '+';
      watched.set(pid, how);
      if (child) child.stdin?.write(`${how}${pid}\n`);
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

const systemOnly = () =>
  process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot, PATH: process.env.PATH } : {};
