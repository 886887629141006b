import { spawn } from 'node:child_process';
import { endWithInput, serve, text, tool } from './speak.mjs';

const sleeper =
  "process.on('SIGHUP', () => undefined); setInterval(() => undefined, 1_000); console.log(process.pid)";
const stubborn = `process.on('SIGTERM', () => undefined); ${sleeper}`;
/** Starts a sleeper in a session of its own, tells its number, and ends with its input. */
const middle = `const { spawn } = require('node:child_process');
spawn(process.execPath, ['-e', ${JSON.stringify(sleeper)}], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] });
process.stdin.resume().on('end', () => process.exit());`;

function start(program, stdin = 'ignore') {
  const child = spawn(process.execPath, ['-e', program], {
    detached: true,
    stdio: [stdin, 'pipe', 'ignore'],
  });
  child.unref();
  return new Promise((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk).trim())));
}

const pids = Promise.all([start(sleeper), start(stubborn), start(middle, 'pipe')]);
serve({
  'tools/list': () => ({ tools: [tool('pids')] }),
  'tools/call': async () => text(`${process.pid} ${(await pids).join(' ')}`),
});
endWithInput();
