import { EditorState, type TransactionSpec } from '@codemirror/state';
import { beforeAll, expect, test } from 'vitest';
import { type BridgeClient, createWirePair, reopening, serveBridge, type Wire } from '../../../../bridge';
import { AppError } from '../../../../contract/errors';
import { type NoteEvent, type NoteVault, notesOperations, type SaveState } from '../../../../contract/notes';
import type { AppOperations } from '../../../../contract/operations';
import { versionsOperations } from '../../../../contract/versions';
import { createExampleSession } from '../../../gallery/editor-session';
import { connectNote } from './connect-note';
import { type StateHolder, unconfirmed, unconfirmedChanges } from './unconfirmed';

beforeAll(() => {
  // Node paints nothing.
  globalThis.requestAnimationFrame = (callback) => Number(setTimeout(callback, 0, 0));
  globalThis.cancelAnimationFrame = (id) => clearTimeout(id);
});

function createEditor(): StateHolder & { onEdit: () => void; type(text: string): void } {
  let state = EditorState.create({ extensions: [unconfirmedChanges] });
  const editor = {
    onEdit: (): void => undefined,
    get state() {
      return state;
    },
    dispatch(...specs: TransactionSpec[]) {
      state = state.update(...specs).state;
    },
    type(text: string) {
      editor.dispatch({ changes: { from: state.doc.length, insert: text } });
      editor.onEdit();
    },
  };
  return editor;
}

/** A wire that breaks when `frames` messages have passed through it, in either direction. */
function breaking(wire: Wire, count: { frames: number; cutAt: number }): Wire {
  const pass = () => {
    if (++count.frames !== count.cutAt) return true;
    wire.close();
    return false;
  };
  return {
    ...wire,
    send: (frame) => void (pass() && wire.send(frame)),
    onFrame: (listener) => wire.onFrame((frame) => void (pass() && listener(frame))),
  };
}

async function* asAnother(events: AsyncIterable<NoteEvent>): AsyncIterable<NoteEvent> {
  for await (const event of events) yield event.kind === 'opened' ? { ...event, another: true } : event;
}

async function connected(cutAt: number) {
  const note = {
    isMissing: false,
    isOutside: false,
    kept: [] as string[],
    keptOf: null as NoteVault | null,
    written: [] as string[],
    saves: [] as SaveState[],
    savedTooEarly: 0,
    locked: false,
  };
  let session = createExampleSession('start ');
  let isAnother = false;
  const count = { frames: 0, cutAt };
  const operations = { ...notesOperations, 'versions.writeAgain': versionsOperations['versions.writeAgain'] };
  const connection = reopening({
    operations,
    open: async () => {
      const [screen, core] = createWirePair();
      serveBridge(
        core,
        operations,
        {
          'notes.follow': ({ path, seen }, { signal }) => {
            if (note.isMissing) throw new AppError('vault.not-found', 'not there', { path });
            if (note.isOutside) throw new AppError('vault.outside', 'not inside', { path });
            return isAnother ? asAnother(session.follow(null, signal)) : session.follow(seen, signal);
          },
          'notes.push': ({ version, updates }) => ({ version: session.push(version, updates) }),
          'notes.keep': ({ text, vault }) => {
            note.keptOf = vault ?? null;
            return { keptAs: `kept ${note.kept.push(text)}` };
          },
          'notes.save': () => ({ kind: 'saved', at: 0 }),
          'versions.writeAgain': ({ path, text }) => {
            note.written.push(text);
            note.isMissing = false;
            // It is another session, and the former one is gone.
            session = createExampleSession(text);
            isAnother = true;
            return { path };
          },
        },
        (error) => {
          throw error;
        },
      );
      return breaking(screen, count);
    },
  });
  const editor = createEditor();
  const nothing = () => undefined;
  const ready = Promise.withResolvers<void>();
  const link = connectNote({
    core: connection.client as unknown as BridgeClient<AppOperations>,
    path: 'a.md',
    clientId: 'me',
    editor,
    onReady: (readOnly) => {
      note.locked = readOnly;
      ready.resolve();
    },
    onSave: (save) => {
      note.saves.push(save);
      if (save.kind === 'saved' && unconfirmed(editor.state).length > 0) note.savedTooEarly++;
    },
    onConflict: nothing,
    onRenamed: nothing,
    onProblem: nothing,
    onArrival: nothing,
  });
  editor.onEdit = link.edited;
  await ready.promise;
  return { session, said: () => session.text(), editor, link, connection, count, note };
}

async function write(cutAt: number): Promise<{ core: string; editor: string; frames: number }> {
  const { session, editor, link, connection, count } = await connected(cutAt);
  for (let at = 0; at < 6; at++) {
    editor.type(`<mine ${at}>`);
    session.edit('run', 0, 0, `<theirs ${at}>`);
    await link.flushed(AbortSignal.timeout(5000));
  }
  const result = { core: session.text(), editor: editor.state.doc.toString(), frames: count.frames };
  link.close();
  connection.close();
  return result;
}

test('a wire that breaks at any message of an exchange loses nothing and doubles nothing', async () => {
  const { frames } = await write(-1);
  expect(frames).toBeGreaterThan(15);
  const cuts = Array.from({ length: frames }, (_, at) => at + 1);
  const results = await Promise.all(cuts.map(write));
  for (const { core, editor } of results) {
    expect(editor).toBe(core);
    for (let at = 0; at < 6; at++) {
      expect(core.split(`<mine ${at}>`)).toHaveLength(2);
      expect(core.split(`<theirs ${at}>`)).toHaveLength(2);
    }
  }
}, 20_000);

test('an editor that is closed in the middle of typing hands on its last keys', async () => {
  const { session, editor, link, connection } = await connected(-1);
  for (let at = 0; at < 6; at++) editor.type(`<mine ${at}>`);
  link.close();
  await expect.poll(() => session.text()).toBe('start <mine 0><mine 1><mine 2><mine 3><mine 4><mine 5>');
  connection.close();
});

test('words typed while the core is away, for a note that is gone when it comes back, are kept and said to be', async () => {
  const { editor, link, connection, count, note, session } = await connected(-1);
  note.isMissing = true;
  count.cutAt = count.frames + 1;
  editor.type('typed while away');
  await expect
    .poll(() => note.saves.at(-1), { timeout: 10_000 })
    .toEqual({ kind: 'deleted', keptAs: 'kept 1' });
  expect(note.kept).toEqual(['start typed while away']);
  expect(note.keptOf).toEqual({ root: '/notes', id: '1' });
  expect(note.locked).toBe(true);

  note.isMissing = false;
  await expect.poll(() => session.text(), { timeout: 10_000 }).toBe('start typed while away');
  await link.flushed(AbortSignal.timeout(5_000));
  expect(note.locked).toBe(false);
  expect(note.kept).toHaveLength(1);
  link.close();
  connection.close();
});

test('a note that goes while nothing is typed is said to be gone, takes no keys, and is written again when asked for', async () => {
  const { editor, link, connection, count, note } = await connected(-1);
  editor.type('typed');
  await link.flushed(AbortSignal.timeout(5_000));
  note.isMissing = true;
  // The stream ends, as it does for whoever follows a note that is trashed in another window.
  count.cutAt = count.frames + 1;
  await link.writeAgain().catch(() => undefined);
  await expect.poll(() => note.saves.at(-1), { timeout: 10_000 }).toEqual({ kind: 'deleted' });
  expect(note.locked).toBe(true);
  expect(note.kept).toEqual([]);

  await link.writeAgain();
  await expect.poll(() => note.locked, { timeout: 10_000 }).toBe(false);
  expect(note.written).toEqual(['start typed']);
  expect(editor.state.doc.toString()).toBe('start typed');
  link.close();
  connection.close();
});

test('a note that goes while somebody types is written again as it is shown, with the words that had not arrived, and once', async () => {
  const { editor, link, connection, count, note, said } = await connected(-1);
  editor.type('typed ');
  await link.flushed(AbortSignal.timeout(5_000));
  note.isMissing = true;
  count.cutAt = count.frames + 1;
  editor.type('on and ');
  while (note.saves.at(-1)?.kind !== 'deleted') {
    // The keys that an editor takes no more are none.
    if (!note.locked) editor.type('on ');
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const shown = editor.state.doc.toString();
  expect(note.kept, 'kept apart once').toEqual([shown]);
  expect(note.keptOf).toEqual({ root: '/notes', id: '1' });

  await link.writeAgain();
  await expect.poll(() => note.locked, { timeout: 10_000 }).toBe(false);
  expect(note.written).toEqual([shown]);
  expect(editor.state.doc.toString()).toBe(shown);
  editor.type('more');
  await link.flushed(AbortSignal.timeout(5_000));
  expect(said()).toBe(`${shown}more`);
  expect(note.kept).toHaveLength(1);
  link.close();
  connection.close();
});

test('a note that cannot be followed any more is said not to be saved, until it can be', async () => {
  const { said, editor, link, connection, count, note } = await connected(-1);
  note.isOutside = true;
  count.cutAt = count.frames + 1;
  editor.type('typed');
  await expect
    .poll(() => note.saves.at(-1), { timeout: 10_000 })
    .toEqual({ kind: 'failed', code: 'vault.outside', message: 'not inside' });
  note.isOutside = false;
  await expect.poll(() => note.saves.at(-1)?.kind, { timeout: 10_000 }).not.toBe('failed');
  await link.flushed(AbortSignal.timeout(5_000));
  expect(said()).toBe('start typed');
  link.close();
  connection.close();
});

test('as long as something is nowhere but here the note is not said to be saved, also when it is followed again', async () => {
  const { said, editor, link, connection, count, note } = await connected(-1);
  for (let round = 1; round <= 3; round++) {
    count.cutAt = count.frames + 1;
    editor.type(`typed ${round} `);
    editor.type('and more ');
    await link.flushed(AbortSignal.timeout(5_000));
    await expect.poll(() => note.saves.at(-1)?.kind).toBe('saved');
  }
  expect(said()).toBe('start typed 1 and more typed 2 and more typed 3 and more ');
  expect(note.savedTooEarly).toBe(0);
  expect(note.saves.filter(({ kind }) => kind === 'saved').length).toBeGreaterThan(3);
  link.close();
  connection.close();
});
