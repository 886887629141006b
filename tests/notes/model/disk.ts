import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** One run of the app, whose system calls are slowed, fail, or end with it. */
export interface AppProcess {
  dead: boolean;
  /** Calls that have been made and not answered. */
  underway: number;
  /** Those of them that the disk is carrying out: a process is not gone before they are over. */
  atDisk: number;
  /** How many turns of the loop this call takes longer. */
  delay(): number;
  /** The code of the error that this call ends with; null: none. */
  fails(call: string): string | null;
}

const current = new AsyncLocalStorage<AppProcess>();

/** Runs as a part of that process: whatever it starts is a part of it, too. */
export const inProcess = <T>(app: AppProcess, work: () => T): T => current.run(app, work);

const asyncCalls = [
  'access',
  'appendFile',
  'chmod',
  'copyFile',
  'cp',
  'link',
  'lstat',
  'mkdir',
  'open',
  'readdir',
  'readFile',
  'readlink',
  'realpath',
  'rename',
  'rm',
  'stat',
  'statfs',
  'symlink',
  'truncate',
  'unlink',
  'utimes',
  'writeFile',
] as const;
const handleCalls = [
  'appendFile',
  'chmod',
  'close',
  'datasync',
  'read',
  'readFile',
  'stat',
  'sync',
  'truncate',
  'utimes',
  'write',
  'writeFile',
] as const;
const syncCalls = [
  'renameSync',
  'linkSync',
  'openSync',
  'writeSync',
  'mkdirSync',
  'rmSync',
  'ftruncateSync',
] as const;

type Call = (...args: never[]) => unknown;

const never = new Promise<never>(() => undefined);

function slowed(name: string, call: Call): Call {
  return async function (this: unknown, ...args: never[]) {
    const app = current.getStore();
    if (!app) return call.apply(this, args);
    app.underway++;
    try {
      for (let turns = app.delay(); turns > 0; turns--) await new Promise(setImmediate);
      // Nothing of a process that was killed goes on, and nobody in it hears how it ended.
      if (app.dead) return await never;
      const code = app.fails(name);
      if (code !== null) throw Object.assign(new Error(`${code}: ${name}`), { code });
      const answer = await carriedOut(app, () => call.apply(this, args));
      if (app.dead) return await never;
      return answer;
    } catch (error) {
      if (app.dead) return await never;
      throw error;
    } finally {
      app.underway--;
    }
  };
}

async function carriedOut(app: AppProcess, work: () => unknown): Promise<unknown> {
  app.atDisk++;
  try {
    return await work();
  } finally {
    app.atDisk--;
  }
}

/** The one call that is answered by a callback: how long it takes is not left to the machine either. */
function answeredLater(call: Call): Call {
  return (file: never, answer: never) => {
    const app = current.getStore();
    if (!app) return call(file, answer);
    app.underway++;
    app.atDisk++;
    return call(file, ((error: Error | null) => {
      app.underway--;
      app.atDisk--;
      if (!app.dead) (answer as (error: Error | null) => void)(error);
    }) as never);
  };
}

/** Appends to journals fail as well. */
function mortal(name: string, call: Call): Call {
  return function (this: unknown, ...args: never[]) {
    const app = current.getStore();
    if (app?.dead) throw new Error('The process was killed.');
    const code = name === 'writeSync' ? app?.fails(name) : null;
    if (code) throw Object.assign(new Error(`${code}: ${name}`), { code });
    return call.apply(this, args);
  };
}

/** Puts this between the app and the disk; the answer takes it away. Calls outside a process go through untouched. */
export async function standBetween(): Promise<() => void> {
  const handle = await fs.promises.open('/dev/null', 'r');
  const prototype = Object.getPrototypeOf(handle) as object;
  await handle.close();
  const undo: (() => void)[] = [];
  const replace = (owner: object, name: string, wrap: (call: Call) => Call) => {
    const before = Reflect.get(owner, name) as Call;
    Reflect.set(owner, name, wrap(before));
    undo.push(() => Reflect.set(owner, name, before));
  };
  for (const name of asyncCalls) replace(fs.promises, name, (call) => slowed(name, call));
  for (const name of handleCalls) replace(prototype, name, (call) => slowed(`handle.${name}`, call));
  replace(fs, 'fdatasync', answeredLater);
  for (const name of syncCalls) replace(fs, name, (call) => mortal(name, call));
  syncBuiltinESMExports();
  return () => {
    for (const step of undo) step();
    syncBuiltinESMExports();
  };
}
