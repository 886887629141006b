import type { ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import spawn from 'cross-spawn';
import { asUsual } from '../../../files';
import { createProcessTree, type Guard, type ProcessTree, within } from '../../foundation';
import { createIntake } from '../fence/intake';
import { longestMessage, tooLong } from '../fence/limits';
import { ProgramError } from '../fence/program-error';
import { readMessages, type TellingTransport } from '../fence/read-message';
import { inSlices } from '../fence/slices';
import { createLines, longLine } from './lines';
import { startError } from './start-error';

/** A program, and how it is started. */
export interface Startable {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
}

/** What is put round one process. */
export interface Enclosure {
  /** What is to be started in its place. Throws a `ProgramError`. */
  enter(program: Startable): Promise<Startable>;
  /** Words of the program in which it may say what it was refused. */
  heard(words: string): void;
  /** The process has ended, or never was. */
  left(): void;
}

export interface StdioParts extends Startable {
  readonly guard: Guard;
  readonly enclosure: Enclosure | null;
  /** Each line the program writes to its standard error. */
  onStderr(line: string): void;
  /** A line of standard output that is no message; `count` so far. */
  onJunk(line: string, count: number): void;
}

/** A result that says why something failed is no longer. */
const longestComplaint = 64 * 1024;
/** More lines of standard error at once are not read by anybody. */
const mostNotes = 200;
const timeouts = { afterStdin: 600, afterTerm: 600, afterKill: 2_000 };
/** How long after a message it is looked what the program has started: of one that breaks off, that is all that is known. */
const glanceMs = 1_000;

/**
 * A server as a program: messages over its standard input and output, one a line. It runs in a process group of its own;
 * closing ends that whole group, and what the program has started outside of it. `stderr` and `pid` tell the SDK that this is a local pipe.
 */
export interface StdioTransport extends TellingTransport {
  readonly stderr: null;
  readonly pid: number | null;
}

/** One closure: starting, ending and whatever the program does by itself decide about the same process. */
export function createStdioTransport(parts: StdioParts): StdioTransport {
  const { command, cwd, environment, guard, enclosure } = parts;
  let child: ChildProcess | null = null;
  let tree: ProcessTree | null = null;
  let glance: NodeJS.Timeout | null = null;
  let ending: Promise<void> = Promise.resolve();
  let closing: Promise<void> | null = null;
  let isSignalled = false;
  const intake = createIntake();

  const transport: StdioTransport = {
    intake,
    stderr: null,
    get pid() {
      return child?.pid ?? null;
    },
    async start() {
      if (cwd !== undefined && !(await isFolder(cwd)))
        throw new ProgramError({ code: 'no-folder', folder: cwd });
      const startable = (await enclosure?.enter(parts)) ?? parts;
      if (closing !== null) throw new ProgramError({ code: 'stopped-early' });
      await new Promise<void>((resolve, reject) => {
        const program = launch(startable);
        if (program.pid !== undefined) {
          guard.watch(program.pid);
          tree = createProcessTree(program.pid);
        }
        program.once('spawn', () => resolve());
        program.once('error', (error) => {
          reject(startError(error, command, environment));
          transport.onerror?.(error);
        });
        child = program;
        follow(program);
      });
    },
    async send(message) {
      const stdin = child?.stdin;
      if (!stdin?.writable) throw new ProgramError({ code: 'program-gone' });
      await new Promise<void>((resolve, reject) => {
        stdin.write(`${JSON.stringify(message)}\n`, (error) =>
          error ? reject(new ProgramError({ code: 'program-gone' }, { cause: error })) : resolve(),
        );
      });
    },
    close: () => (closing ??= stop()),
  };
  const receiver = createReceiver(transport, parts.onJunk);

  function follow(program: ChildProcess): void {
    const lines: Buffer[] = [];
    const messages = createLines(longestMessage, (line) => lines.push(line));
    void read(program.stdout, async (slice) => {
      // Emptied also when nobody listens any more, so that it can end as it wants to.
      if (intake.isOver) return;
      const fits = messages.add(slice);
      for (const line of lines.splice(0)) {
        if (enclosure && line.length < longestComplaint && line.includes('"isError":true'))
          enclosure.heard(line.toString('utf8'));
        await receiver.receive(line);
        if (closing === null) glance ??= setTimeout(lookBelow, glanceMs).unref();
      }
      if (fits) return;
      const error = tooLong(longestMessage);
      parts.onStderr(error.message);
      transport.onerror?.(error);
      void transport.close();
      throw error;
    });
    passNotes(program.stderr, (line) => {
      enclosure?.heard(line);
      parts.onStderr(line);
    });
    program.stdin?.on('error', () => undefined);
    program.once('exit', (code, signal) => {
      // Also while we close it: an exit of its own is why the wire broke off.
      if (!isSignalled && (closing === null || code !== 0)) transport.onerror?.(endedBy(code, signal));
    });
    ending = new Promise((resolve) => {
      const settle = () => resolve();
      program.once('exit', settle);
      program.once('error', settle);
    });
    void ending.then(async () => {
      await drained(program);
      void transport.close();
    });
  }

  function lookBelow(): void {
    glance = null;
    const pid = child?.pid;
    if (pid !== undefined && tree?.glance()) guard.watch(pid, tree.descendants());
  }

  async function stop(): Promise<void> {
    const pid = child?.pid;
    if (glance) clearTimeout(glance);
    if (child && tree && pid !== undefined) {
      // Before it may end: nothing tells afterwards what was its.
      tree.look();
      child.stdin?.end();
      if (!(await within(ending, receiver.hasSpoken() ? timeouts.afterStdin : 0)) || !tree.hasEnded()) {
        isSignalled = true;
        await tree.end(timeouts);
      }
      child.stdout?.destroy();
      child.stderr?.destroy();
      guard.release(pid);
    }
    enclosure?.left();
    transport.onclose?.();
  }

  return transport;
}

/** Takes the lines of standard output apart. */
function createReceiver(transport: StdioTransport, onJunk: StdioParts['onJunk']) {
  const { intake } = transport;
  let hasSpoken = false;
  let junk = 0;
  return {
    /** Until then it is starting, and may not read what its standard input tells it. */
    hasSpoken: () => hasSpoken,
    async receive(line: Buffer): Promise<void> {
      if (line.length === 0) {
        intake.take(0);
        return;
      }
      // Several may stand in a list (revision 2025-03-26).
      const all = readMessages(line);
      hasSpoken = true;
      // Reading it took as long as what follows will.
      if (line.length > longLine) await setImmediate();
      const bytes = line.length / Math.max(1, all.length);
      if (all.length === 0) intake.take(line.length);
      for (const result of all) {
        if (result.kind === 'message') intake.message(result.message, bytes);
        else intake.take(bytes);
        if (result.kind === 'message') transport.onmessage?.(result.message);
        else if (result.kind === 'broken') transport.onbroken?.(result.broken);
      }
      if (all.some(({ kind }) => kind !== 'junk')) return;
      const text = line.toString('utf8');
      if (text.trim() !== '') onJunk(text, ++junk);
    },
  };
}

function launch({ command, args, cwd, environment }: Startable): ChildProcess {
  // What it writes is not ours to close to others.
  return asUsual(() =>
    spawn(command, [...args], {
      env: environment,
      ...(cwd !== undefined && { cwd }),
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
      shell: false,
    }),
  );
}

const isFolder = (path: string) =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

/** Standard error, always drained: a program that blocks on a full pipe answers no more. */
function passNotes(stderr: Readable | null, onStderr: (line: string) => void): void {
  let lines: Buffer[] = [];
  const notes = createLines(64 * 1024, (line) => lines.push(line));
  const reports = new Set<string>();
  const tellOnce = (words: string) => {
    if (!reports.has(words)) onStderr(words);
    reports.add(words);
  };
  void read(stderr, (slice) => {
    if (!notes.add(slice)) tellOnce('(a line without end was left out)');
    if (lines.length > mostNotes) tellOnce('(it writes more lines than can be read; some were left out)');
    for (const line of lines.slice(-mostNotes)) onStderr(line.toString('utf8'));
    lines = [];
  });
}

/** To its end, or until nothing more of it is wanted. */
async function read(stream: Readable | null, take: (slice: Buffer) => void | Promise<void>): Promise<void> {
  try {
    if (stream) for await (const slice of inSlices(stream)) await take(slice);
  } catch {
    // Whoever stopped has said why; what broke off has an exit of its own.
  }
}

function endedBy(code: number | null, signal: NodeJS.Signals | null): ProgramError {
  return new ProgramError(signal === null ? { code: 'exited', exitCode: code } : { code: 'killed', signal });
}

/** What the program wrote before it ended still counts; a grandchild that holds the pipe open does not keep us. */
async function drained(child: ChildProcess): Promise<void> {
  const over = Promise.all(
    [child.stdout, child.stderr].map(
      (stream) =>
        new Promise<void>((resolve) => {
          if (!stream || stream.destroyed || stream.readableEnded) resolve();
          else stream.once('close', () => resolve());
        }),
    ),
  );
  await within(over, 250);
}
