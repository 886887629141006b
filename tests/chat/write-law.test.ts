import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../src/contract/errors';
import { createNotesCore } from '../notes/core';
import { noteLines } from '../support/note-lines';
import { createHouse } from './support/house';
import type { MemorySession } from './support/memory-notes';
import { catalogTool } from './support/scripted-mcp';
import { calls, says } from './support/scripted-provider';
import { type Answer, answer, below, inPieces, kept, lineEnd, read, saved } from './support/write-law';

/**
 * The law of safety: whatever a model, a tool or a server writes, and wherever in a note, written, saved and read again it
 * is exactly that part, and everything else is read as before.
 */

/** A house whose model and whose server say this. */
const houseOf = (said: Answer, place: Pick<Parameters<typeof createHouse>[0], 'note' | 'notes' | 'path'>) =>
  createHouse({
    ...place,
    tools: [catalogTool({ inputSchema: {} })],
    mcp: {
      async call(_server, _tool, _args, { onTask, onProgress }) {
        if (said.way !== 'result') onProgress?.({ progress: 1, total: null, message: said.words });
        if (said.way === 'task')
          await onTask?.({ taskId: said.words || 't', createdAt: 0, ttlMs: null, pollMs: null });
        if (said.way === 'refusal')
          throw new AppError('mcp.protocol', said.words, { serverId: 'server-1', reason: said.words });
        return { isError: said.isError, parts: said.result, structured: undefined };
      },
    },
    settings: { tools: { resultLimit: 1_000_000, callsPerNote: -1 } },
    scripts: [
      () => [
        ...(said.reasoning === null ? [] : [{ kind: 'reasoning', text: said.reasoning } as const]),
        ...inPieces(said.text, said.size),
        ...calls('', { id: 'one', name: 'memory__find', arguments: { query: said.argument } }),
      ],
      () => [...inPieces(said.last, said.size), ...says('')],
    ],
  });

type Reading = ReturnType<typeof read>;

/** What `said` made of a note: one answer, and nothing else is another thing than it was. */
function holds(was: Reading, is: Reading, said: Answer): void {
  expect(is.head).toEqual(was.head);
  const asked = was.turns.findIndex(({ text }) => text.includes('THE QUESTION'));
  const plain = ({ parts: _, ...turn }: (typeof is.turns)[number]) => turn;
  const added = is.turns.length - was.turns.length;
  // The answer, and the head of the person's next turn where nothing stood below.
  expect([1, 2]).toContain(added);
  const [question, questionBefore] = [is.turns[asked], was.turns[asked]];
  const closing = question?.text.slice(questionBefore?.text.length) ?? '';
  // Code that the question leaves open is closed.
  expect(closing).toMatch(/^(?:\s*\n[ \t]*(?:`{3,}|~{3,}))?$/);
  const asAsked = { ...questionBefore, text: (questionBefore?.text ?? '') + closing, parts: [] };
  const unclosed = closing === '' ? {} : { blocks: [] };
  expect({ ...question, parts: [], ...unclosed }).toEqual({ ...asAsked, ...unclosed });
  expect(is.turns.slice(0, asked).map(plain)).toEqual(was.turns.slice(0, asked).map(plain));
  expect(is.turns.slice(asked + 1 + added).map(plain)).toEqual(was.turns.slice(asked + 1).map(plain));
  const own = is.turns[asked + 1];
  // A block in an answer is code until a person runs it.
  expect(own).toMatchObject({ role: 'assistant', tag: 'Claude' });
  if (added === 2)
    expect(is.turns[asked + 2]).toMatchObject({ role: 'user', text: '', blocks: [], calls: [], links: [] });

  const made = own?.parts.flatMap((part) => (part.kind === 'call' ? [part.call] : [])) ?? [];
  expect(made).toMatchObject([{ server: 'memory', tool: 'find', arguments: { query: said.argument } }]);
  const result = made[0]?.result;
  if (said.way === 'refusal') {
    // In words of ours, too.
    expect(result).toMatchObject({ state: 'error', parts: [{ kind: 'text' }] });
  } else {
    expect(result).toMatchObject({ state: said.isError ? 'error' : 'ok' });
    expect(result?.parts).toEqual(kept(said.result));
  }
}

const noteOf = (above: readonly string[], lines: readonly string[]) =>
  [...above, '', '#User : THE QUESTION', '', ...lines].join('\n');
const runs = {
  numRuns: Number(process.env.FUZZ_RUNS ?? 400),
  seed: Number(process.env.FUZZ_SEED ?? 1),
};

test('what is written by a model, a tool and a server, anywhere in any note, is read back as just that', {
  timeout: 1_200_000,
}, async () => {
  let answered = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(noteLines, below, answer, lineEnd, async (above, lines, said, end) => {
      const before = saved(noteOf(above, lines), end);
      const house = houseOf(said, { note: before });
      try {
        await house.answer(before.indexOf('THE QUESTION'));
      } catch (error) {
        // Inside of code above, or of somebody else's turn, nobody asks.
        expect(error).toBeInstanceOf(AppError);
        refused++;
        return;
      }
      answered++;
      const after = saved(house.note.text(), end);
      expect(after).toBe(house.note.text());
      holds(read(before), read(after), said);
    }),
    runs,
  );
  expect(answered).toBeGreaterThan(refused);
});

/** An app that has the vault open, with a data folder of its own. */
async function openedBy(name: string, root: string) {
  mkdirSync(join(root, name));
  const app = createNotesCore(join(root, name));
  await app.vault.open(join(root, 'vault'));
  const { session, release } = await app.notes.hold('Talk.md');
  return {
    notes: app.notes,
    session,
    close: () => {
      release();
      return app.close();
    },
  };
}

/** What becomes of a file when this is said in it, as the app that opens it next reads it; null: nobody could be asked. */
async function inFile(text: string, said: Answer): Promise<{ before: string; after: string } | null> {
  const root = mkdtempSync(join(tmpdir(), 'write-law-'));
  mkdirSync(join(root, 'vault'));
  const file = join(root, 'vault/Talk.md');
  writeFileSync(file, text);
  const { notes, session, close } = await openedBy('one', root);
  const before = session.text();
  try {
    const house = houseOf(said, {
      notes: { notes, session: () => session as MemorySession, held: () => 0 },
    });
    await house.answer(before.indexOf('THE QUESTION'));
    const own = session.text();
    await close();
    const ends = (whole: string) => new Set(whole.match(/\r\n|\r|\n/g));
    expect(ends(readFileSync(file, 'utf8'))).toEqual(ends(text));
    const next = await openedBy('two', root);
    const after = next.session.text();
    await next.close();
    expect(after).toBe(own);
    return { before, after };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return null;
  } finally {
    await close();
    rmSync(root, { recursive: true, force: true });
  }
}

test('the same in a file, with any line ends, as the app that opens it next reads it', {
  timeout: 1_800_000,
}, async () => {
  let answered = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(noteLines, below, answer, lineEnd, async (above, lines, said, end) => {
      const both = await inFile(noteOf(above, lines).replaceAll('\n', end), said);
      if (both === null) {
        refused++;
        return;
      }
      answered++;
      holds(read(both.before), read(both.after), said);
    }),
    // The disk is slow, and the text itself is tried above.
    { ...runs, numRuns: Math.ceil(runs.numRuns / 10) },
  );
  expect(answered).toBeGreaterThan(refused);
});
