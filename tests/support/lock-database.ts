import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** Another program that has the database to itself until it is let go: to write in, or for good reading as well. */
export async function lockDatabase(
  path: string,
  kind: 'writing' | 'everything' = 'writing',
): Promise<() => Promise<unknown>> {
  const lock = kind === 'writing' ? 'begin immediate' : 'pragma locking_mode = exclusive; begin exclusive';
  const program = `const db = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)});
    db.exec('${lock}'); console.log('locked'); setInterval(() => {}, 1e6)`;
  const locking = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(locking.stdout, 'data');
  const ended = once(locking, 'exit');
  const release = () => {
    locking.kill('SIGKILL');
    return ended;
  };
  onTestFinished(async () => void (await release()));
  return release;
}
