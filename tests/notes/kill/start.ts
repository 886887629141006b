import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { NoteEvent } from '../../../src/contract/notes';
import { createQueue, type Queue } from '../../../src/core/foundation';
import type { NotesWire } from '../follower';

/** One file that plain Node runs. The bundler has a process of its own: its threads and a test runner's don't agree. */
export async function bundleHost(folder: string): Promise<string> {
  const file = join(folder, 'host.mjs');
  const bundler = join(import.meta.dirname, '../../../node_modules/rolldown/bin/cli.mjs');
  const how = ['-c', join(import.meta.dirname, 'rolldown.config.mjs')];
  await promisify(execFile)(process.execPath, [bundler, ...how, '--file', file]);
  return file;
}

type Said =
  | { kind: 'ready'; recovered: string[] }
  | { kind: 'event'; event: NoteEvent }
  | { kind: 'pushed'; id: number }
  | { kind: 'refused'; id: number; code: string }
  | { kind: 'acknowledged'; run: string; number: number };

export interface RunningHost {
  readonly wire: NotesWire;
  readonly recovered: readonly string[];
  stream(run: string, onAcknowledged: (number: number) => void): void;
  /** Renames the note (null: puts it in the trash); the host dies on the way. Resolves when it is gone. */
  move(to: string | null, dies: 'before' | 'between' | 'after'): Promise<void>;
  /** Puts the note in the trash and makes a new one of its name; the host dies on the way. Resolves when it is gone. */
  again(text: string, dies: 'between' | 'after'): Promise<void>;
  /** SIGKILL; resolves when it is gone and all that it had said was heard. */
  kill(): Promise<void>;
}

export async function startHost(file: string, args: string[]): Promise<RunningHost> {
  const child: ChildProcess = spawn(process.execPath, [file, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const pushes = new Map<number, { resolve(): void; reject(error: unknown): void }>();
  let events: Queue<NoteEvent> = createQueue();
  let onAcknowledged: (number: number) => void = () => undefined;
  let lastPush = 0;
  const ready = Promise.withResolvers<readonly string[]>();
  const lines = createInterface({ input: child.stdout! });
  const heardAll = once(lines, 'close');
  child.stdin?.on('error', () => undefined);
  const ask = (message: object) => child.stdin?.write(`${JSON.stringify(message)}\n`);

  lines.on('line', (line) => {
    // The last line of a killed process may be cut.
    if (!line.endsWith('}')) return;
    const said = JSON.parse(line) as Said;
    switch (said.kind) {
      case 'ready':
        ready.resolve(said.recovered);
        break;
      case 'event':
        events.push(said.event);
        break;
      case 'pushed':
        pushes.get(said.id)?.resolve();
        break;
      case 'refused':
        pushes.get(said.id)?.reject(new Error(said.code));
        break;
      case 'acknowledged':
        onAcknowledged(said.number);
    }
  });
  child.once('exit', () => ready.reject(new Error('The host ended before it was ready.')));
  const recovered = await ready.promise;

  return {
    recovered,
    wire: {
      follow(_path, seen, signal) {
        events = createQueue();
        ask({ kind: 'follow', seen });
        return events.read(signal);
      },
      push(_path, sessionId, version, updates) {
        const id = ++lastPush;
        ask({ kind: 'push', id, sessionId, version, updates });
        return new Promise((resolve, reject) => {
          pushes.set(id, { resolve: () => resolve({ version }), reject });
        });
      },
    },
    stream(run, listener) {
      onAcknowledged = listener;
      ask({ kind: 'stream', run });
    },
    async move(to, dies) {
      ask({ kind: 'move', to, dies });
      await heardAll;
    },
    async again(text, dies) {
      ask({ kind: 'again', text, dies });
      await heardAll;
    },
    async kill() {
      child.kill('SIGKILL');
      await heardAll;
    },
  };
}
