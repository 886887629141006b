// Loaded into a process that is watched: at each SIGUSR2 a line of what it holds goes to the file named by COUNTED.
import { appendFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const file = process.env.COUNTED;
if (file)
  process.on('SIGUSR2', () => {
    collect();
    const resources = process.getActiveResourcesInfo();
    const timers = resources.filter((name) => name === 'Timeout' || name === 'Immediate').length;
    const { heapUsed, external } = process.memoryUsage();
    appendFileSync(
      file,
      `${JSON.stringify({ pid: process.pid, heap: heapUsed + external, timers, handles: resources.length - timers })}\n`,
    );
  });
