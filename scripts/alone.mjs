import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from './run.mjs';

/** Does the work when no other process of this clone is at work of that name; one that was killed at it holds up nobody. */
export async function alone(name, work) {
  const lock = join(root, `.${name}`);
  const isTaken = () => {
    try {
      process.kill(Number(readFileSync(lock, 'utf8')), 0);
      return true;
    } catch (error) {
      // It is another person's program, which runs.
      return error.code === 'EPERM';
    }
  };
  let said = false;
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      // Where nothing can be written the work itself says so.
      if (error.code !== 'EEXIST') return work();
    }
    if (isTaken()) {
      if (!said) console.error(`Another one is ${name} already; waiting …`);
      said = true;
      await delay(200);
    } else rmSync(lock, { force: true });
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}
