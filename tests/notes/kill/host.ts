import { createInterface } from 'node:readline';
import type { NoteUpdate } from '../../../src/contract/notes';
import { createNotesCore } from '../core';

/** A process to be killed: one note, followed and pushed to over stdin and stdout, with an answer that streams. */
type Ask =
  | { kind: 'follow'; seen: { sessionId: string; version: number } | null }
  | { kind: 'push'; id: number; sessionId: string; version: number; updates: NoteUpdate[] }
  | { kind: 'stream'; run: string }
  | { kind: 'move'; to: string | null; dies: 'before' | 'between' | 'after' }
  | { kind: 'again'; text: string; dies: 'between' | 'after' };

const [, , root = '', dataFolder = '', path = ''] = process.argv;
const { vault, notes } = createNotesCore(dataFolder);
const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);

await vault.open(root);
const recovered = await notes.recover();
const { session } = await notes.hold(path);
say({ kind: 'ready', recovered });

async function follow(seen: { sessionId: string; version: number } | null): Promise<void> {
  for await (const event of notes.follow(path, seen, new AbortController().signal))
    say({ kind: 'event', event });
}

/** Renames the note, or puts it in the trash, and dies on the way; at `between` only the file system knows of it. */
function move(to: string | null, dies: 'before' | 'between' | 'after'): void {
  const die = (step: typeof dies) => step === dies && process.kill(process.pid, 'SIGKILL');
  // The notes heard first what is about to happen, and hear last how it ended.
  vault.beforeOwnChange(async () => {
    die('before');
    return () => void die('between');
  });
  vault.onOwnChange(({ kind }) => void (kind !== 'written' && die('after')));
  void (to === null ? vault.trash(path) : vault.rename(path, to));
}

/** Puts the note in the trash and makes a new one of its name, and dies on the way. */
async function again(text: string, dies: 'between' | 'after'): Promise<void> {
  await vault.trash(path);
  if (dies === 'between') process.kill(process.pid, 'SIGKILL');
  await vault.create(path, text);
  process.kill(process.pid, 'SIGKILL');
}

function stream(run: string): void {
  session.keepSaving();
  const end = session.anchor(session.text().length, 1);
  let number = 0;
  setInterval(() => {
    for (let tokens = 0; tokens < 3; tokens++) {
      session.edit(run, { from: end.position(), insert: `‹${run}.${number}›` });
      say({ kind: 'acknowledged', run, number });
      number++;
    }
  }, 1);
}

const asked = createInterface({ input: process.stdin });
// Whoever started it is gone.
asked.on('close', () => process.exit());
asked.on('line', (line) => {
  const ask = JSON.parse(line) as Ask;
  switch (ask.kind) {
    case 'follow':
      void follow(ask.seen);
      break;
    case 'push':
      notes.push(path, ask.sessionId, ask.version, ask.updates).then(
        () => say({ kind: 'pushed', id: ask.id }),
        (error: { code?: string }) => say({ kind: 'refused', id: ask.id, code: error.code ?? String(error) }),
      );
      break;
    case 'stream':
      stream(ask.run);
      break;
    case 'move':
      move(ask.to, ask.dies);
      break;
    case 'again':
      void again(ask.text, ask.dies);
  }
});
