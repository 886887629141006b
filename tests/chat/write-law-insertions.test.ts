import { EditorState } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../src/contract/errors';
import { createObservable } from '../../src/core/foundation';
import { runHook } from '../../src/core/hooks/run-hook';
import { noteContext, setContext } from '../../src/renderer/features/editor/context/note-context';
import { heldRange } from '../../src/renderer/features/editor/insert/held-range';
import { turnsAdded, turnsInserted } from '../../src/renderer/features/editor/insert/insert-turns';
import { blocksField } from '../../src/renderer/features/editor/reading/blocks';
import { noteLines } from '../support/note-lines';
import { until } from '../support/until';
import { createHouse } from './support/house';
import { catalogTool } from './support/scripted-mcp';
import { says } from './support/scripted-provider';
import { below, hostile, kept, lineEnd, read, resultParts, saved, servers, tags } from './support/write-law';

/** The law of safety for what comes into a note beside answers: results by hand, servers' prompts, what hooks ask. */

const runs = {
  numRuns: Number(process.env.FUZZ_RUNS ?? 300),
  seed: Number(process.env.FUZZ_SEED ?? 1),
};
const timeout = 1_200_000;

type Turn = ReturnType<typeof read>['turns'][number];
/** But for results, which are no part of what a person wrote. */
const words = ({ parts: _, text, ...turn }: Turn) => ({
  ...turn,
  lines: text.split('\n').filter((line) => line.trim() !== ''),
});
const block = '```memory\ntool: find\nquery: Ada\n```';

test('the result of a block run by hand, anywhere in any note, is read back as just that', {
  timeout,
}, async () => {
  let count = 0;
  const result = fc.record({ parts: resultParts, isError: fc.boolean(), isTask: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(noteLines, below, result, lineEnd, async (above, lines, said, end) => {
      const before = saved([...above, '', block, '', ...lines].join('\n'), end);
      const at = before.lastIndexOf(block, above.join('\n').length + 2) + 3;
      const house = createHouse({
        note: before,
        tools: [catalogTool({ inputSchema: {} })],
        mcp: {
          async call(_server, _tool, _args, { onTask }) {
            if (said.isTask) await onTask?.({ taskId: 't', createdAt: 0, ttlMs: null, pollMs: null });
            return { isError: said.isError, parts: said.parts, structured: undefined };
          },
        },
        settings: { tools: { resultLimit: 1_000_000 } },
      });
      try {
        await house.chat.runBlock({ path: house.path, at, version: house.note.version });
      } catch (error) {
        // It stands in code, or no result could stand below it.
        expect(error).toBeInstanceOf(AppError);
        return;
      }
      await until(() => house.held() === 0);
      count++;
      const after = saved(house.note.text(), end);
      expect(after).toBe(house.note.text());
      const [was, is] = [read(before), read(after)];
      expect(is.head).toEqual(was.head);
      expect(is.turns.map(words)).toEqual(was.turns.map(words));
      const own = is.results.find((one) => one.from <= at && at <= one.to);
      expect(own).toMatchObject({ state: said.isError ? 'error' : 'ok', parts: kept(said.parts) });
    }),
    runs,
  );
  expect(count).toBeGreaterThan(runs.numRuns / 3);
});

const message = fc.record({
  role: fc.constantFrom('user' as const, 'assistant' as const),
  parts: resultParts,
});

test('a prompt of a server, put anywhere into any note, is its turns and nothing else', {
  timeout,
}, async () => {
  let count = 0;
  const messages = fc.array(message, { minLength: 1, maxLength: 3 });
  const place = fc.record({ at: fc.nat(), here: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(noteLines, messages, place, lineEnd, async (lines, turns, { at, here }, end) => {
      const before = saved(lines.join('\n'), end);
      const house = createHouse({ note: before });
      const given = await house.chat.promptTurns({
        server: 'memory',
        name: 'review',
        content: { description: '', turns },
      });
      const empty = EditorState.create({
        doc: before,
        selection: { anchor: at % (before.length + 1) },
        extensions: [noteContext, blocksField, heldRange],
      });
      const { state } = empty.update({ effects: setContext.of({ tags, servers }) });
      const spec = (here ? turnsInserted : turnsAdded)(state, given, 'Claude');
      // It says that there is no place for it.
      if (spec === null) return;
      count++;
      const doc = state.update(spec).state.doc.toString();
      const after = saved(doc, end);
      expect(after).toBe(doc);
      const [was, is] = [read(before), read(after)];
      const all = (reading: typeof is, what: 'blocks' | 'calls' | 'links') =>
        [reading.head, ...reading.turns].flatMap((one) => one[what] as readonly unknown[]);
      expect(is.head.front).toBe(was.head.front);
      expect(is.head.newChats).toBe(was.head.newChats);
      // A block in it is code until the person runs it.
      expect(all(is, 'blocks')).toEqual(expect.arrayContaining(all(was, 'blocks')));
      expect(all(is, 'calls')).toEqual(all(was, 'calls'));
      expect(all(is, 'links')).toEqual(all(was, 'links'));
      const added = is.turns.length - was.turns.length;
      // The first one goes on with the turn that it stands in; the person's comes last, and may be new.
      expect(added).toBeGreaterThanOrEqual(given.length - 1);
      expect(added).toBeLessThanOrEqual(given.length + 1);
      expect(is.turns.filter(({ role }) => role === 'system')).toHaveLength(
        was.turns.filter(({ role }) => role === 'system').length,
      );
    }),
    runs,
  );
  expect(count).toBeGreaterThan(runs.numRuns / 3);
});

test('what a hook asks stands below everything, and changes nothing of it', { timeout }, async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(noteLines, hostile, lineEnd, async (lines, prompt, end) => {
      const before = saved(lines.join('\n'), end);
      const house = createHouse({ note: before, scripts: [() => says('Done.')] });
      const one = { name: 'Sum up', path: 'sum-up.md' };
      const prompts = {
        list: createObservable([one as never]),
        fill: () => prompt.toWellFormed(),
      };
      const hook = { name: 'h', on: 'schedule' as const, run: { prompt: 'Sum up' }, in: house.path };
      try {
        await runHook(hook, house.path, new AbortController().signal, Object.assign(house, { prompts }));
      } catch {
        // The prompt says nothing, or closes what it stands in; nothing is asked then.
      }
      count++;
      const after = saved(house.note.text(), end);
      expect(after).toBe(house.note.text());
      const [was, is] = [read(before), read(after)];
      // A block that stood open at the end is closed.
      const head = (reading: typeof is) => ({
        ...reading.head,
        newChats: 0,
        blocks: reading.head.blocks.length,
      });
      expect(head(is)).toEqual(head(was));
      const last = was.turns.length - 1;
      expect(is.turns.slice(0, Math.max(0, last)).map(words)).toEqual(
        was.turns.slice(0, Math.max(0, last)).map(words),
      );
      // Code that stood open at the end is closed.
      const text = was.turns[last]?.text ?? '';
      expect(is.turns[last]?.text.startsWith(text) ?? last < 0).toBe(true);
      expect(is.turns[last]?.text.slice(text.length) ?? '').toMatch(/^(?:\s*\n[ \t]*(?:`{3,}|~{3,}))?$/);
      expect(is.turns[last + 1]).toMatchObject({ role: 'user', tag: 'User' });
    }),
    runs,
  );
  expect(count).toBeGreaterThan(runs.numRuns / 3);
});
