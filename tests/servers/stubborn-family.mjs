import { spawn } from 'node:child_process';
import { serve, text, tool } from './speak.mjs';

/** Neither it nor its child ends when asked to. */
const stubborn =
  "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1_000); console.log('up')";
const child = spawn(process.execPath, ['-e', stubborn], { stdio: ['ignore', 'pipe', 'ignore'] });
const isUp = new Promise((resolve) => child.stdout.once('data', resolve));
process.on('SIGTERM', () => undefined);
setInterval(() => undefined, 1_000);
serve({
  'tools/list': () => ({ tools: [tool('pids')] }),
  'tools/call': async () => {
    await isUp;
    return text(`${process.pid} ${child.pid}`);
  },
});
