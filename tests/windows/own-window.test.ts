import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createWirePair, reopening, serveBridge, type Wire } from '../../src/bridge';
import { operations } from '../../src/contract/operations';
import type { WindowLayout } from '../../src/contract/windows';
import { openDatabase } from '../../src/core/foundation';
import { createWindows } from '../../src/core/windows';
import { formerStorage } from '../../src/renderer/base/window/former-storage';
import { openMailbox } from '../../src/renderer/base/window/mailbox';
import { createOwnWindow } from '../../src/renderer/base/window/own-window';

function createStorage(entries = new Map<string, string>()) {
  return {
    get length() {
      return entries.size;
    },
    key: (at: number) => [...entries.keys()][at] ?? null,
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
    copy: () => createStorage(new Map(entries)),
  };
}

const now = { now: () => 0, after: (_ms: number, work: () => void) => clearing(setImmediate(work)) };
const clearing = (timer: NodeJS.Immediate) => () => clearImmediate(timer);

/** The real core of windows behind a real bridge, and a browser with pages of it. */
function house() {
  const folder = mkdtempSync(join(tmpdir(), 'own-window-'));
  const path = join(folder, 'interlinear.db');
  const start = () => {
    const database = openDatabase(path, () => expect.unreachable());
    return { database, windows: createWindows({ database, clock: { now: Date.now } }) };
  };
  let core: ReturnType<typeof start> | null = start();
  const wires = new Set<Wire>();
  /** Before the answer of what is taken up reaches the page. */
  let meanwhile = (): void => undefined;
  const storage = createStorage();
  const closers: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    for (const close of closers) await close();
    await core?.database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(session = createStorage(), own = storage) {
    const gone = Promise.withResolvers<void>();
    const requests: Promise<unknown>[] = [];
    const locks = {
      query: () => navigator.locks.query(),
      request: (name: string, ...rest: unknown[]) => {
        const act = rest.pop() as (lock: Lock | null) => unknown;
        const hold = async (lock: Lock | null) => Promise.race([act(lock), gone.promise]);
        const request = navigator.locks.request(name, (rest[0] ?? {}) as LockOptions, hold);
        requests.push(request);
        return request;
      },
    } as Pick<LockManager, 'request' | 'query'>;
    const own_ = createOwnWindow(
      () => openMailbox({ storage: own, session, locks, letGoMs: 5 }),
      () => formerStorage(own),
    );
    const connection = reopening({
      operations,
      clock: now,
      open: async () => {
        if (!core) throw new Error('It is away.');
        const { windows } = core;
        const [near, far] = createWirePair();
        wires.add(far);
        const handlers = {
          'windows.enter': (input: never, { signal }: { signal: AbortSignal }) =>
            windows.enter(input, signal),
          'windows.keep': windows.keep,
          'windows.takeUp': (input: never) => {
            const taken = windows.takeUp(input);
            meanwhile();
            return taken;
          },
        };
        serveBridge(far, operations, handlers as never, (error) => expect.unreachable(String(error)));
        return near;
      },
    });
    const over = new AbortController();
    const living = own_.live(connection.client, over.signal);
    const close = async () => {
      over.abort();
      connection.close();
      gone.resolve();
      await Promise.allSettled([...requests, living]);
    };
    closers.push(close);
    await expect.poll(own_.isHere).toBe(true);
    return { own: own_, session, close };
  }

  return {
    open,
    storage,
    kept: (window: string) =>
      core?.database.all('select name, draft from window_drafts where window = ?', window),
    onTakeUp: (act: () => void) => {
      meanwhile = act;
    },
    async stop() {
      const { database } = core ?? expect.fail();
      core = null;
      for (const wire of wires) wire.close();
      wires.clear();
      await database.close();
    },
    start(how: 'with its data' | 'with an empty folder' = 'with its data') {
      if (how === 'with an empty folder') for (const file of readdirSync(folder)) rmSync(join(folder, file));
      core = start();
    },
  };
}

const letters = (storage: ReturnType<typeof createStorage>) =>
  Array.from({ length: storage.length }, (_, at) => storage.key(at));
const typed = (text: string) => ({ text });
const texts = (own: { drafts(): ReadonlyMap<string, object> }) => Object.fromEntries(own.drafts());

test('what is typed waits in the browser only until the core has it', async () => {
  const { open, storage } = house();
  const { own } = await open();
  own.put('form a', { ...typed('words'), more: undefined }, true);
  expect(letters(storage)).toHaveLength(1);
  expect(own.isOnlyHere()).toBe(false);
  await expect.poll(() => letters(storage)).toEqual([]);
});

test('what is typed while the core is away is there after a reload, and reaches the core; what was discarded does not come back', async () => {
  const { open, storage, stop, start } = house();
  const first = await open();
  first.own.put('form b', typed('discarded later'), true);
  await expect.poll(() => letters(storage)).toEqual([]);
  await stop();
  first.own.put('form a', typed('while it was away'), true);
  first.own.put('form b', null, true);
  first.own.keep({ greeted: ['/vault'] });
  first.own.leave();
  await first.close();
  start();
  const again = await open(first.session);
  expect(texts(again.own)).toEqual({ 'form a': typed('while it was away') });
  expect(again.own.parts().greeted).toEqual(['/vault']);
  await expect.poll(() => letters(storage)).toEqual([]);
});

test('what a window that is gone could not hand over reaches whoever opens the form next', async () => {
  const { open, stop, start, storage } = house();
  const first = await open();
  await stop();
  first.own.put('form a', typed('left'), true);
  await first.close();
  start();
  const next = await open();
  await expect.poll(() => letters(storage)).toEqual([]);
  expect(await next.own.takeUp({ name: 'form a' })).toEqual(['form a']);
  expect(texts(next.own)).toEqual({ 'form a': typed('left') });
});

test('words typed while what another window left is on its way are not replaced by it, and neither is lost', async () => {
  const { open, onTakeUp, storage } = house();
  const first = await open();
  first.own.put('form a', typed('left'), true);
  const own = (await open()).own;
  await expect.poll(() => letters(storage)).toEqual([]);
  await first.close();
  onTakeUp(() => own.put('form a', typed('mine'), true));
  expect(await own.takeUp({ name: 'form a' })).toEqual([]);
  onTakeUp(() => undefined);
  expect(texts(own)).toEqual({ 'form a': typed('mine') });
  own.put('form a', null, true);
  await expect.poll(async () => (await own.takeUp({ name: 'form a' })).length).toBe(1);
  expect(texts(own)).toEqual({ 'form a': typed('left') });
});

test('a core that begins anew with an empty folder gets all that the window has', async () => {
  const { open, stop, start, kept } = house();
  const { own, session } = await open();
  own.put('form a', typed('words'), true);
  own.keep({ panels: { left: '{}' } });
  const window = session.getItem('interlinear.window') ?? '';
  await expect.poll(() => kept(window)).toHaveLength(1);
  await stop();
  start('with an empty folder');
  await expect.poll(() => kept(window)).toHaveLength(1);
  own.put('form b', typed('more'), true);
  await expect.poll(() => kept(window)).toHaveLength(2);
});

test('what may be secret is handed to nobody, and would go with the page', async () => {
  const { open, storage, kept } = house();
  const { own, session } = await open();
  own.put('form a', null, false);
  expect(own.isOnlyHere()).toBe(true);
  await expect.poll(() => letters(storage)).toEqual([]);
  expect(kept(session.getItem('interlinear.window') ?? '')).toEqual([]);
  own.put('form a', null, true);
  expect(own.isOnlyHere()).toBe(false);
});

test('where the browser has no room, the page asks before it goes until the core has the words', async () => {
  const { open } = house();
  const full = {
    ...createStorage(),
    setItem: () => {
      throw new Error('full');
    },
  };
  const { own } = await open(createStorage(), full as never);
  own.put('form a', typed('words'), true);
  expect(own.isOnlyHere()).toBe(true);
  await expect.poll(own.isOnlyHere).toBe(false);
});

test('words for a note wait in the browser until the note has them, and go to no other place', async () => {
  const { open, storage, kept } = house();
  const before = await open();
  before.own.put('note A.md', typed('words'), true);
  await before.close();
  const { own, session } = await open(before.session);
  expect(texts(own)).toEqual({ 'note A.md': typed('words') });
  own.put('form a', typed('form'), true);
  const window = session.getItem('interlinear.window') ?? '';
  await expect.poll(() => kept(window)?.map(({ name }) => name)).toEqual(['form a']);
  expect(letters(storage)).toEqual([`interlinear.typed.${window}.note A.md`]);
  own.put('note A.md', null, true);
  expect(letters(storage)).toEqual([]);
});

test('what an older version left in the browser is taken over once, and then it is gone from there', async () => {
  const { open, storage } = house();
  const layout = { vault: '/vault', tabs: [{ id: 'a', kind: 'note', path: 'A.md' }], activeTab: 'a' };
  storage.setItem('interlinear.layout', JSON.stringify({ state: layout, version: 0 }));
  storage.setItem('interlinear.greeted', '["/vault"]');
  storage.setItem('react-resizable-panels:interlinear.panels:left:middle', '{"left":20}');
  storage.setItem(
    'interlinear.typed.gone.form a',
    JSON.stringify({ at: Date.now(), draft: typed('before') }),
  );
  const first = await open();
  expect(first.own.parts()).toMatchObject({
    layout: { ...layout, leftOpen: true, side: 'context' },
    greeted: ['/vault'],
    panels: { 'react-resizable-panels:interlinear.panels:left:middle': '{"left":20}' },
  });
  await expect.poll(() => letters(storage)).toEqual([]);
  expect(await first.own.takeUp({ name: 'form a' })).toEqual(['form a']);
  const second = await open();
  expect(second.own.parts().layout).toMatchObject({ vault: '/vault', tabs: [] });
  expect(second.own.parts().greeted).toEqual(['/vault']);
});

test('a copied tab has the tabs of its original, and from then on its own', async () => {
  const { open, storage } = house();
  const layout = (path: string): WindowLayout => ({
    ...{ vault: '/vault', activeTab: 'a', looked: [], leftOpen: true, rightOpen: false, side: 'context' },
    tabs: [{ id: 'a', kind: 'note', path }],
  });
  const show = async ({ own }: Awaited<ReturnType<typeof open>>, path: string) => {
    own.keep({ layout: layout(path) });
    own.put('form rest', typed(path), true);
    await expect.poll(() => letters(storage)).toEqual([]);
  };
  const first = await open();
  await show(first, 'A.md');
  await show(await open(), 'Of another.md');
  const copy = await open(first.session.copy());
  expect(copy.own.parts().layout).toEqual(layout('A.md'));
  await show(copy, 'B.md');
  await copy.close();
  await first.close();
  expect((await open(first.session)).own.parts().layout).toEqual(layout('A.md'));
});
