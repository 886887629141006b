import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { NoSandbox } from '../../../contract/sandbox';
import { type Guard, signalGroup, within } from '../../foundation';
import { ProgramError } from '../fence/program-error';
import type { FromKeeper, ToKeeper, WrapRequest } from './keeper-messages';

/** The program beside the app that makes sandboxes, see `keeper-program`; started with the first one, again if it died. */
export interface Keeper {
  /** Null: a program can be put into a sandbox here. Tried once, for real. */
  trouble(): Promise<NoSandbox | null>;
  /** A script for `/bin/sh`. Throws a `ProgramError`. */
  wrap(request: WrapRequest): Promise<string>;
  release(key: string): void;
  close(): Promise<void>;
}

export interface KeeperParts {
  /** How plain Node is run. */
  readonly node: { readonly command: string; readonly env: Readonly<Record<string, string>> };
  /** Absolute; null: this host has none. */
  readonly program: string | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly guard: Guard;
  onDenied(key: string, host: string): void;
}

const readyMs = 15_000;
const wrapMs = 10_000;
const endMs = 1_000;
/** Beyond the search path: how the computer itself reaches the network. */
const passedOn = new Set(['PATH', 'LANG', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY']);

interface Running {
  readonly child: ChildProcess;
  readonly trouble: Promise<NoSandbox | null>;
  readonly ended: Promise<void>;
  readonly waiting: Map<number, (answer: FromKeeper | null) => void>;
}

/** `mode`: only the hosts that a server may reach, or any. One closure: the process, what was asked of it and what waits for its answer end together. */
export function createKeeper(parts: KeeperParts, mode: 'listed' | 'any'): Keeper {
  let running: Running | null = null;
  let last = 0;

  function start(program: string): Running {
    const folder = mkdtempSync(join(tmpdir(), 'il-box-'));
    const [cwd, temporary] = [join(folder, 'cwd'), join(folder, 'tmp')];
    mkdirSync(cwd);
    mkdirSync(temporary);
    const child = spawn(parts.node.command, [program, folder, mode], {
      cwd,
      env: {
        ...Object.fromEntries(
          Object.entries(parts.environment).filter(([name]) => passedOn.has(name.toUpperCase())),
        ),
        HOME: cwd,
        TMPDIR: temporary,
        ...parts.node.env,
      },
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
      windowsHide: true,
    });
    const { pid } = child;
    if (pid !== undefined) parts.guard.watch(pid);
    const waiting: Running['waiting'] = new Map();
    let tellReady: (trouble: NoSandbox | null) => void = () => undefined;
    const trouble = new Promise<NoSandbox | null>((resolve) => {
      tellReady = resolve;
    });
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    const here: Running = { child, trouble, ended, waiting };
    void ended.then(() => {
      // Its relay goes with it.
      if (pid !== undefined) {
        signalGroup(pid, 'SIGKILL');
        parts.guard.release(pid);
      }
      rmSync(folder, { recursive: true, force: true });
      if (running === here) running = null;
      tellReady({ why: 'refused', detail: 'It ended.' });
      for (const answer of waiting.values()) answer(null);
    });
    child.stdin?.on('error', () => undefined);
    // An app that has nothing else to do may end.
    child.unref();
    for (const stream of [child.stdin, child.stdout]) (stream as { unref?: () => void } | null)?.unref?.();
    if (child.stdout)
      createInterface({ input: child.stdout }).on('line', (line) => {
        const message = JSON.parse(line) as FromKeeper;
        if (message.kind === 'ready') tellReady(message.trouble);
        else if (message.kind === 'denied') parts.onDenied(message.key, message.host);
        else waiting.get(message.id)?.(message);
      });
    return here;
  }

  async function trouble(): Promise<NoSandbox | null> {
    if (parts.program === null || process.platform === 'win32')
      return { why: 'system', detail: process.platform };
    running ??= start(parts.program);
    const answer = running.trouble;
    if (await within(answer, readyMs)) return answer;
    running?.child.kill('SIGKILL');
    return { why: 'refused', detail: 'It did not answer.' };
  }

  const tell = ({ child }: Running, message: ToKeeper) => child.stdin?.write(`${JSON.stringify(message)}\n`);

  return {
    trouble,
    async wrap(request) {
      const reason = await trouble();
      if (reason !== null || running === null)
        throw new ProgramError({
          code: 'no-sandbox',
          ...(reason ?? { why: 'refused', detail: 'It ended.' }),
        });
      const here = running;
      const id = ++last;
      const answer = new Promise<FromKeeper | null>((resolve) => here.waiting.set(id, resolve));
      tell(here, { kind: 'wrap', id, request });
      const isThere = await within(answer, wrapMs);
      here.waiting.delete(id);
      const given = isThere ? await answer : null;
      if (given?.kind === 'wrapped') return given.script;
      const detail = given?.kind === 'failed' ? given.message : 'It did not answer.';
      throw new ProgramError({ code: 'no-sandbox', why: 'refused', detail });
    },
    release(key) {
      if (running) tell(running, { kind: 'release', key });
    },
    async close() {
      const here = running;
      if (!here) return;
      here.child.stdin?.end();
      if (await within(here.ended, endMs)) return;
      here.child.kill('SIGKILL');
      await within(here.ended, endMs);
    },
  };
}
