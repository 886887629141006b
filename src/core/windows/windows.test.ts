import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { longestDraft, mostDrafts, type WindowLayout, windowsOperations } from '../../contract/windows';
import { openDatabase } from '../foundation';
import { createWindows } from './windows';

const layout = (...paths: string[]): WindowLayout => ({
  vault: '/vault',
  tabs: paths.map((path) => ({ id: path, kind: 'note', path })),
  activeTab: paths[0] ?? null,
  looked: paths,
  leftOpen: false,
  rightOpen: true,
  side: 'history',
});

/** The windows of one data folder, and their core, which can be started anew. */
function house() {
  const folder = mkdtempSync(join(tmpdir(), 'windows-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'interlinear.db');
  let now = 1_000_000;
  const clock = { now: () => now++ };
  const start = () => {
    const database = openDatabase(path, () => expect.unreachable());
    return { database, windows: createWindows({ database, clock }) };
  };
  let core = start();
  onTestFinished(() => core.database.close());
  return {
    later: (ms: number) => {
      now += ms;
    },
    sql: (...statement: [string, ...(string | number)[]]) => core.database.write(statement),
    core: () => core.windows,
    async restart() {
      await core.database.close();
      core = start();
    },
    /** A window that is open from here until it is closed. */
    async open(id: string, given: { copyOf?: string; isBack?: boolean; alive?: string[] } = {}) {
      const closing = new AbortController();
      const input = { id, copyOf: null, isBack: false, alive: [], ...given };
      const entered = core.windows.enter(input, closing.signal)[Symbol.asyncIterator]();
      const { value } = await entered.next();
      return {
        state: windowsOperations['windows.enter'].item.parse(value),
        close: () => closing.abort(),
      };
    },
    keep: (id: string, changes: object) => core.windows.keep({ id, ...changes }),
    takeUp: (id: string, name: string, alive: string[] = []) =>
      core.windows.takeUp({ id, alive, names: [name], starts: [] }),
  };
}

const draft = (text: string, at = 0) => ({ at, draft: { text } });

test('a window finds what it showed and what was typed in it after a restart of the app', async () => {
  const { open, keep, restart } = house();
  expect((await open('one')).state).toEqual({ layout: null, panels: {}, greeted: [], drafts: {} });
  const drafts = { 'form a': draft('typed'), 'form b': draft('gone') };
  const parts = { layout: layout('A.md'), panels: { left: '{}' }, greeted: ['/vault'] };
  expect(await keep('one', { ...parts, drafts })).toEqual({ written: true });
  await keep('one', { drafts: { 'form b': null } });
  await restart();
  expect((await open('one')).state).toEqual({ ...parts, drafts: { 'form a': draft('typed') } });
});

test('a new window goes on from the one that was used last and is open no more, and two never from one', async () => {
  const { open, keep, restart } = house();
  for (const [id, note] of [
    ['one', 'A.md'],
    ['two', 'B.md'],
  ] as const) {
    await open(id);
    await keep(id, { layout: layout(note) });
  }
  await restart();
  expect((await open('three')).state.layout).toEqual(layout('B.md'));
  expect((await open('four')).state.layout).toEqual(layout('A.md'));
  expect((await open('five')).state.layout).toEqual({ ...layout(), activeTab: null });
});

test('where all windows are open, also one that has lost its connection, a new one has no tabs, and looks like the last', async () => {
  const { open, keep } = house();
  const one = await open('one');
  await keep('one', { layout: layout('A.md'), panels: { left: '{}' }, greeted: ['/vault'] });
  const empty = { ...layout(), activeTab: null };
  expect((await open('two')).state).toMatchObject({ layout: empty, panels: { left: '{}' } });
  one.close();
  expect((await open('three', { alive: ['one', 'two'] })).state).toMatchObject({ layout: empty });
  expect((await open('one')).state).toMatchObject({ layout: layout('A.md'), greeted: ['/vault'] });
});

test('two windows of one number at once are each open until the page that came last has left', async () => {
  const { open, keep } = house();
  const before = await open('one');
  await keep('one', { layout: layout('A.md') });
  const after = await open('one');
  before.close();
  expect((await open('two')).state.layout?.tabs).toEqual([]);
  after.close();
  expect((await open('three')).state.layout?.tabs).toHaveLength(1);
});

test('a copied window has the tabs of its original and none of its drafts, and each goes its own way', async () => {
  const { open, keep } = house();
  await open('one');
  await keep('one', { layout: layout('A.md'), drafts: { 'form a': draft('typed') } });
  const copy = await open('two', { copyOf: 'one' });
  expect(copy.state).toMatchObject({ layout: layout('A.md'), drafts: {} });
  await keep('two', { layout: layout('B.md') });
  expect((await open('one')).state).toMatchObject({
    layout: layout('A.md'),
    drafts: { 'form a': draft('typed') },
  });
});

test('a window that comes back after another one went on from it begins with nothing of others, and is kept again', async () => {
  const { open, keep } = house();
  (await open('one')).close();
  await keep('one', { layout: layout('A.md') });
  (await open('two')).close();
  await keep('one', { layout: layout('late.md') });
  expect((await open('one', { isBack: true })).state.layout).toBeNull();
  await keep('one', { layout: layout('A.md') });
  expect((await open('one')).state.layout).toEqual(layout('A.md'));
});

test('drafts of windows that are gone go to the one that opens their form, the newest first, and never those of open ones', async () => {
  const { open, keep, takeUp } = house();
  for (const id of ['one', 'two', 'three', 'mine']) await open(id);
  const one = await open('one');
  const two = await open('two');
  await keep('one', { drafts: { 'form a': draft('older', 1), 'form b': draft('same', 1) } });
  await keep('two', { drafts: { 'form a': draft('newer', 2), 'form b': draft('same', 2) } });
  await keep('three', { drafts: { 'form a': draft('of an open one', 3) } });
  expect(takeUp('mine', 'form a')).toEqual([]);
  one.close();
  two.close();
  expect(takeUp('mine', 'form a', ['one', 'two'])).toEqual([]);
  expect(takeUp('mine', 'form a')).toEqual([{ name: 'form a', from: 'two', ...draft('newer', 2) }]);
  expect(takeUp('mine', 'form a'), 'as long as there is one here').toEqual([]);
  await keep('mine', { drafts: { 'form a': null } });
  expect(takeUp('mine', 'form a')).toEqual([{ name: 'form a', from: 'one', ...draft('older', 1) }]);
  expect(takeUp('mine', 'form b')).toHaveLength(1);
  await keep('mine', { drafts: { 'form b': null } });
  expect(takeUp('mine', 'form b')).toEqual([]);
});

test('what was found of a window that is gone does not replace what it had handed over later itself', async () => {
  const { open, keep } = house();
  const one = await open('one');
  await keep('one', { drafts: { 'form a': draft('later', 5) } });
  one.close();
  await keep('one', { drafts: { 'form a': draft('earlier', 4), 'form b': draft('found', 4) } });
  const { drafts } = (await open('one')).state;
  expect(drafts).toEqual({ 'form a': draft('later', 5), 'form b': draft('found', 4) });
});

test('what is damaged or of another version costs itself, and nothing beside it', async () => {
  const { open, keep, sql, restart } = house();
  await open('one');
  await keep('one', {
    layout: layout('A.md'),
    panels: { left: '{}' },
    drafts: { 'form a': draft('typed'), 'form b': draft('kept') },
  });
  const tabs = [{ id: 'x', kind: 'a later kind' }, ...layout('A.md').tabs];
  const later = JSON.stringify({ ...layout('A.md'), tabs, side: 'a later page', more: 1 });
  await sql('update windows set layout = ?, greeted = ?', later, '{');
  await sql('update window_drafts set draft = ? where name = ?', '{"text', 'form a');
  await restart();
  expect((await open('one')).state).toEqual({
    layout: { ...layout('A.md'), side: 'context' },
    panels: { left: '{}' },
    greeted: [],
    drafts: { 'form b': draft('kept') },
  });
});

test('the oldest of more than fifty windows are forgotten, drafts only after half a year', async () => {
  const { open, keep, takeUp, later, restart } = house();
  for (let n = 0; n < 60; n++) {
    await open(`w${n}`);
    await keep(`w${n}`, { layout: layout(`${n}.md`), drafts: { [`form ${n}`]: draft('typed', 2_000_000) } });
  }
  await restart();
  const has = async (n: number) => (await open(`w${n}`, { isBack: true })).state.layout !== null;
  expect(await has(9)).toBe(false);
  expect(await has(10)).toBe(true);
  expect(takeUp('w59', 'form 0')).toHaveLength(1);
  later(181 * 24 * 3_600_000);
  await restart();
  expect(takeUp('w59', 'form 1')).toEqual([]);
});

test('more than a window may keep is refused, and all that was kept before stays', async () => {
  const { open, keep } = house();
  await open('one');
  const names = Array.from({ length: mostDrafts }, (_, n) => [`form ${n}`, draft('typed')] as const);
  await keep('one', { drafts: Object.fromEntries(names) });
  await expect(keep('one', { drafts: { 'one more': draft('typed') } })).rejects.toMatchObject({
    code: 'request.invalid',
  });
  expect(await keep('one', { drafts: { 'form 0': draft('again') } })).toEqual({ written: true });
  const drafts = { big: draft('x'.repeat(longestDraft)) };
  expect(windowsOperations['windows.keep'].input.safeParse({ id: 'one', drafts }).success).toBe(false);
});

test('words that only memory has are not said to be written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'windows-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'no folder'), '');
  const database = openDatabase(join(folder, 'no folder/interlinear.db'), () => undefined);
  onTestFinished(() => database.close());
  const windows = createWindows({ database, clock: { now: () => 1 } });
  const closing = new AbortController();
  const enter = { id: 'one', copyOf: null, isBack: false, alive: [] };
  await windows.enter(enter, closing.signal)[Symbol.asyncIterator]().next();
  const drafts = { 'form a': { at: 1, draft: { text: 'typed' } } };
  expect(await windows.keep({ id: 'one', drafts })).toEqual({ written: false });
});
