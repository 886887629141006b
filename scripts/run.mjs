import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');
export const isWindows = process.platform === 'win32';

/** The project's own Node, where it is installed; else the one that runs this. */
export function projectNode() {
  const own = join(root, 'node_modules/node/bin', isWindows ? 'node.exe' : 'node');
  return existsSync(own) ? own : process.execPath;
}

/** A tool of the project as arguments for Node, without a shell in between. */
export function tool(packageName, file) {
  return join(root, 'node_modules', packageName, file);
}

/**
 * Runs a program to its end and answers `{ code, output }`. Signals reach it too. `capture` keeps the output instead
 * of showing it, `toStderr` keeps our own standard output free of it; `limit` is in milliseconds; `cwd` is the clone.
 */
export function run(command, args, { capture = false, toStderr = false, limit, cwd = root } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd,
      stdio: capture ? ['ignore', 'pipe', 'pipe'] : ['inherit', toStderr ? 2 : 'inherit', 'inherit'],
      // npm is a script on Windows, which needs the shell; its arguments here are all our own.
      shell: isWindows && command === 'npm',
    });
    let output = '';
    const keep = (chunk) => {
      output += chunk;
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    const timer = limit && setTimeout(() => child.kill('SIGKILL'), limit);
    // A terminal sends Ctrl+C to the program itself.
    const forward = (signal) => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, forward);
    const finish = (code, text) => {
      clearTimeout(timer);
      for (const signal of signals) process.off(signal, forward);
      done({ code, output: output + text });
    };
    child.once('error', (error) => finish(127, error.message));
    child.once('close', (code, signal) => finish(code ?? (signal === 'SIGINT' ? 130 : 143), ''));
  });
}
