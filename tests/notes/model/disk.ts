import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** One run of the app, whose system calls are slowed, fail, or end with it. */
export interface AppProcess {
  dead: boolean;
  /** Calls that have been made and not answered. */
  underway: number;
  /** How many turns of the loop this call takes longer. */
  delay(): number;
  /** The code of the error that this call ends with; null: none. */
  fails(call: string): string | null;
}

const current = new AsyncLocalStorage<AppProcess>();

/** Runs as a part of that process: whatever it starts is a part of it, too. */
export const inProcess = <T>(app: AppProcess, work: () => T): T => current.run(app, work);

const asyncCalls = ['open', 'rename', 'rm', 'stat', 'lstat', 'access', 'readdir', 'realpath'] as const;
const handleCalls = ['writeFile', 'sync', 'read', 'stat', 'chmod', 'close'] as const;
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
      const answer = await call.apply(this, args);
      if (app.dead) return await never;
      return answer;
    } finally {
      app.underway--;
    }
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
  for (const name of syncCalls) replace(fs, name, (call) => mortal(name, call));
  syncBuiltinESMExports();
  return () => {
    for (const step of undo) step();
    syncBuiltinESMExports();
  };
}
