import { expect, test } from 'vitest';
import { type Mailbox, openMailbox } from './mailbox';

const forms = [
  'form setting fontSize',
  'form provider one',
  'details /vault T-001 goal',
  'details /vault T-002 goal',
];

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
type FakeStorage = ReturnType<typeof createStorage>;

/** The real locks of this process; with the window goes what it holds. */
async function openWindow(storage: FakeStorage, session: FakeStorage) {
  const gone = Promise.withResolvers<void>();
  const requests: Promise<unknown>[] = [];
  const locks = {
    query: () => navigator.locks.query(),
    request: (name: string, ...rest: unknown[]) => {
      const act = rest.pop() as (lock: Lock | null) => unknown;
      const options = (rest[0] ?? {}) as LockOptions;
      const request = navigator.locks.request(name, options, async (lock) =>
        Promise.race([act(lock), gone.promise]),
      );
      requests.push(request);
      return request;
    },
  } as Pick<LockManager, 'request' | 'query'>;
  return {
    session,
    drafts: await openMailbox({ storage, session, locks, letGoMs: 5 }),
    close: async () => {
      gone.resolve();
      await Promise.allSettled(requests);
    },
  };
}

const textIn = (drafts: Mailbox, form: string): string | null =>
  (drafts.all().get(form) as { text: string } | undefined)?.text ?? null;

function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

/** Windows, and what the person typed into each and neither saved nor discarded there. */
async function playOn(random: (below: number) => number, steps: number) {
  const storage = createStorage();
  const open: { window: Awaited<ReturnType<typeof openWindow>>; shows: Map<string, string> }[] = [];
  const unsaved = new Set<string>();
  const log: string[] = [];
  let words = 0;

  const enter = async (session: FakeStorage) => {
    const window = await openWindow(storage, session);
    open.push({ window, shows: new Map() });
  };
  /** As every form does when it is opened. */
  const show = async (at: number, form: string) => {
    const { window, shows } = open[at] ?? expect.fail();
    await window.drafts.takeUp((name) => name === form);
    const text = textIn(window.drafts, form);
    if (text !== null) shows.set(form, text);
    return text;
  };
  const acts: Record<string, (at: number, form: string) => Promise<unknown>> = {
    async type(at, form) {
      const { window, shows } = open[at] ?? expect.fail();
      const word = `w${++words}`;
      unsaved.add(word);
      const text = [await show(at, form), word].filter(Boolean).join(' ');
      shows.set(form, text);
      window.drafts.post(form, { text });
    },
    async end(at, form) {
      const { window, shows } = open[at] ?? expect.fail();
      for (const word of (await show(at, form))?.split(' ') ?? []) unsaved.delete(word);
      shows.delete(form);
      window.drafts.remove(form);
    },
    async reload(at) {
      const [{ window, shows }] = open.splice(at, 1) as [(typeof open)[number]];
      await window.close();
      open.push({ window: await openWindow(storage, window.session), shows });
    },
    async close(at) {
      const [{ window }] = open.splice(at, 1) as [(typeof open)[number]];
      await window.close();
    },
    open: async () => open.length < 3 && enter(createStorage()),
    duplicate: async (at) => open.length < 3 && enter((open[at] ?? expect.fail()).window.session.copy()),
  };

  for (let step = 0; step < steps; step++) {
    if (open.length === 0) await enter(createStorage());
    const names = ['type', 'type', 'type', 'end', ...Object.keys(acts)];
    const [name, at, form] = [names[random(names.length)], random(open.length), forms[random(forms.length)]];
    log.push(`${name} ${at} ${form}`);
    await acts[name ?? '']?.(at, form ?? '');
    for (const { window, shows } of open) {
      for (const form of forms) {
        expect(textIn(window.drafts, form), log.join('\n')).toBe(shows.get(form) ?? null);
      }
    }
  }

  while (open.length > 0) await acts.close?.(0, '');
  // Whoever comes back opens each form, finishes with what is in it, and opens it again.
  await enter(createStorage());
  const found = new Set<string>();
  for (const form of forms) {
    for (let text = await show(0, form); text !== null; text = await show(0, form)) {
      for (const word of text.split(' ')) found.add(word);
      open[0]?.window.drafts.remove(form);
    }
  }
  expect(
    [...unsaved].filter((word) => !found.has(word)),
    log.join('\n'),
  ).toEqual([]);
  expect(
    [...found].filter((word) => !unsaved.has(word)),
    log.join('\n'),
  ).toEqual([]);
  await acts.close?.(0, '');
  expect(storage.length).toBe(0);
}

test('no typed text goes unless the window that shows it saved or discarded it, whatever other windows do', async () => {
  for (let seed = 1; seed <= 60; seed++) await playOn(createRandom(seed * 7_919), 40);
}, 60_000);

test('two windows that open a form at once do not both take up what a third has left', async () => {
  const storage = createStorage();
  const left = await openWindow(storage, createStorage());
  left.drafts.post('form a', { text: 'typed' });
  await left.close();
  const two = await Promise.all([createStorage(), createStorage()].map((own) => openWindow(storage, own)));
  await Promise.all(two.map(({ drafts }) => drafts.takeUp(() => true)));
  expect(two.filter(({ drafts }) => textIn(drafts, 'form a') === 'typed')).toHaveLength(1);
  for (const { close } of two) await close();
});

test('what nobody has come back to for half a year is forgotten, and nothing younger', async () => {
  const storage = createStorage();
  const days = (n: number) => Date.now() - n * 24 * 3_600_000;
  storage.setItem(
    'interlinear.typed.gone.form old',
    JSON.stringify({ at: days(200), draft: { text: 'old' } }),
  );
  storage.setItem(
    'interlinear.typed.gone.form new',
    JSON.stringify({ at: days(100), draft: { text: 'new' } }),
  );
  const window = await openWindow(storage, createStorage());
  await window.drafts.takeUp(() => true);
  expect([...window.drafts.all().keys()]).toEqual(['form new']);
  await window.close();
});
