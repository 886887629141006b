import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { Guard } from '../processes/guard';
import { signalGroup } from '../processes/process-group';
import type { FromChecker } from './check-messages';

export interface CheckProcessParts {
  /** How plain Node is run. */
  readonly node: { readonly command: string; readonly env: Readonly<Record<string, string>> };
  /** Absolute. */
  readonly program: string;
  readonly guard: Guard;
}

/** `time`: it took longer than it may. `ended`: its process did not survive it. */
export type ProcessAnswer =
  | Extract<FromChecker, { kind: 'checked' | 'unusable' }>
  | { readonly kind: 'time' | 'ended' | 'no-process' };

/** One process that checks, one check after the other. */
export interface CheckProcess {
  readonly isOver: boolean;
  /** Both as JSON. Never rejects. After an answer that is not of the process itself it is over. */
  check(schema: string, value: readonly Uint8Array[]): Promise<ProcessAnswer>;
  end(): void;
  readonly ended: Promise<void>;
}

/** Milliseconds to start and to read what is to be checked, and those of a check; mebibytes of what it may keep. */
const limits = { reading: 5_000, checking: 250, heap: 256 };
/** Nothing of ours is in it: it is only told what it needs to run, and tests know by the temporary folder whose it is. */
const passedOn = ['SystemRoot', 'TMPDIR'];

/** One closure: the process, and the one check that it is at. */
export function startCheckProcess(
  { node, program, guard }: CheckProcessParts,
  most: typeof limits = limits,
): CheckProcess {
  let isOver = false;
  let isReady = false;
  let answer: ((answer: ProcessAnswer) => void) | null = null;
  let timer: NodeJS.Timeout | undefined;

  const child = spawn(node.command, [`--max-old-space-size=${most.heap}`, program], {
    cwd: tmpdir(),
    env: {
      ...Object.fromEntries(
        passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
      ),
      ...node.env,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
    // A group of its own, for the guard.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const { pid, stdin, stdout } = child;
  if (pid !== undefined) guard.watch(pid);
  // An app that has nothing else to do may end.
  child.unref();
  for (const stream of [stdin, stdout]) (stream as { unref?: () => void }).unref?.();
  stdin.on('error', () => undefined);

  const ended = new Promise<void>((resolve) => {
    const onEnd = () => {
      if (pid !== undefined) guard.release(pid);
      isOver = true;
      give({ kind: isReady ? 'ended' : 'no-process' });
      resolve();
    };
    child.once('exit', onEnd);
    child.once('error', onEnd);
  });

  function give(given: ProcessAnswer): void {
    clearTimeout(timer);
    const to = answer;
    answer = null;
    to?.(given);
  }

  function end(): void {
    if (isOver) return;
    isOver = true;
    if (pid !== undefined) signalGroup(pid, 'SIGKILL');
    child.kill('SIGKILL');
  }

  function endAfter(ms: number, kind: 'time' | 'no-process'): void {
    const waiting = answer;
    clearTimeout(timer);
    timer = setTimeout(
      // What has come while this thread was busy is still read first.
      () =>
        setImmediate(() => {
          if (answer === null || answer !== waiting) return;
          end();
          give({ kind });
        }),
      ms,
    );
  }

  function take(message: FromChecker): void {
    switch (message.kind) {
      case 'ready':
        isReady = true;
        break;
      // Once before it compiles, and once before it checks.
      case 'begins':
        endAfter(most.checking, 'time');
        break;
      case 'checked':
      case 'unusable':
        give(message);
    }
  }

  let rest = '';
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    try {
      for (const line of lines) take(JSON.parse(line) as FromChecker);
    } catch {
      // It is not itself any more.
      end();
    }
  });

  return {
    get isOver() {
      return isOver;
    },
    check(schema, value) {
      if (isOver) return Promise.resolve({ kind: 'ended' });
      return new Promise((resolve) => {
        answer = resolve;
        endAfter(most.reading, 'no-process');
        stdin.cork();
        for (const piece of [schema, '\n', ...value, '\n']) stdin.write(piece);
        stdin.uncork();
      });
    },
    end,
    ended,
  };
}
