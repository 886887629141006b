import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { extent } from '../support/extent';
import { answer, story, versionsHouse } from './house';

/** A call that waits longer than this for a slow disk goes on without. */
const patience = 40;

type House = Awaited<ReturnType<typeof versionsHouse>>;

const named = (path: string, runId = answer.runId) => ({
  arguments: { path },
  answer: { ...answer, runId },
});

/** What the dialog offers without anybody choosing. */
async function restoredBefore(house: House, runId: string): Promise<void> {
  const { notes } = await house.versions.beforeAnswer(runId);
  const chosen = notes
    .filter(({ certain }) => certain)
    .map(({ note, change }) => {
      const diff = change.kind === 'text' || change.kind === 'moved' ? change.diff : null;
      const hunks = diff?.hunks.flatMap(({ others }, at) => (others ? [] : [at])) ?? [];
      return { note, basis: diff?.basis ?? null, hunks: diff ? hunks : null };
    });
  await house.versions.restoreBeforeAnswer(runId, chosen);
}

test('a note that another program made just before a call is not made by the tool that writes in it', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' });
  await house.known();
  await house.put('B.md', 'bee\n');
  await house.call('c1', () => house.put('B.md', 'bee\nby the tool\n'), named('B.md'));
  expect(story(await house.entries('B.md'))).toEqual(['disk created', 'write changed']);
  const { notes, state } = await house.versions.beforeAnswer(answer.runId);
  expect(notes).toMatchObject([{ path: 'B.md', certain: true, change: { kind: 'text' } }]);
  expect(state).toEqual({ kind: 'on' });
  await restoredBefore(house, answer.runId);
  expect(await house.read('B.md')).toBe('bee\n');
});

test('where the folder was not looked through in time, nothing is said to be made by the tool, and nothing goes to the trash', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' }, {}, patience);
  await house.known();
  const over = house.slowed();
  await house.put('B.md', 'bee\n');
  await house.call('c1', () => house.put('B.md', 'bee\nby the tool\n'), named('B.md'));
  over();
  await house.heard(async () => (await house.texts('B.md')).at(-1) === 'bee\nby the tool\n');
  expect(story(await house.entries('B.md')).join()).not.toMatch(/write (created|changed)/);
  const { notes } = await house.versions.beforeAnswer(answer.runId);
  for (const { certain, change } of notes) expect([certain, change.kind]).toEqual([false, 'unknown']);
});

test('a note that a tool made is known as its own, and goes', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' });
  await house.known();
  await house.call('c1', () => house.put('New.md', 'new\n'), named('New.md'));
  expect(story(await house.entries('New.md'))).toEqual(['write created']);
  await restoredBefore(house, answer.runId);
  expect(existsSync(join(house.root, 'New.md'))).toBe(false);
});

test('lines of an answer’s tool in which a person wrote since are told, and stay unless they are chosen', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n\n\ntwo\n' });
  await house.known();
  const wrote = 'ONE\n\n\ntwo\nLINE TWO BY MODEL\n';
  await house.call('c1', () => house.put('A.md', wrote), named('A.md'));
  await house.versions.settled();
  const { session, release } = await house.notes.hold('A.md');
  session.edit('window-1', { from: session.text().length - 1, insert: ' and me' });
  await session.save();
  release();
  const { notes } = await house.versions.beforeAnswer(answer.runId);
  const [change] = notes.map((note) => note.change);
  if (change?.kind !== 'text') throw new Error('no text');
  expect(change.diff.hunks.map(({ others }) => others === true)).toEqual([false, true]);
  await restoredBefore(house, answer.runId);
  expect(await house.read('A.md')).toBe('one\n\n\ntwo\nLINE TWO BY MODEL and me\n');
});

test.each([
  ['put back by hand what the tool replaced', 'Call the dentist on Monday\n', 'Call the dentist on Monday\n'],
  ['wrote beside what the tool put in', 'Call the surgeon on Monday\n', 'Call the dentist on Monday\n'],
])(
  'where a person %s, restoring to before the answer, and again, doubles nothing',
  async (_, typed, restored) => {
    const house = await versionsHouse({ 'A.md': 'Call the dentist\n' });
    await house.known();
    await house.call('c1', () => house.put('A.md', 'Call the surgeon\n'), named('A.md'));
    await house.versions.settled();
    const { session, release } = await house.notes.hold('A.md');
    session.edit('window-1', { from: 0, to: session.text().length, insert: typed });
    await session.save();
    release();
    for (let times = 0; times < 2; times++) {
      const { notes } = await house.versions.beforeAnswer(answer.runId);
      const whole = notes.map(({ note, change }) => {
        const diff = change.kind === 'text' ? change.diff : null;
        return { note, basis: diff?.basis ?? null, hunks: null };
      });
      await house.versions.restoreBeforeAnswer(answer.runId, whole);
      await house.versions.settled();
      expect(await house.read('A.md')).toBe(restored);
    }
    const { notes } = await house.versions.beforeAnswer(answer.runId);
    expect(notes.map(({ change }) => change)).toEqual([{ kind: 'nothing' }]);
  },
);

test('that versions are not kept is said before an answer is taken back', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' });
  await house.known();
  house.settings.change({ versions: { keep: false } });
  expect((await house.versions.beforeAnswer(answer.runId)).state).toEqual({ kind: 'off' });
});

const paths = ['A.md', 'B.md', 'in/C.md', 'D.md'];
const at = fc.nat(paths.length - 1);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('outside' as const), at }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('removed' as const), at }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('killed' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      at,
      deed: fc.constantFrom('write' as const, 'write' as const, 'remove' as const, 'move' as const),
      isNamed: fc.boolean(),
      isSlow: fc.boolean(),
      /** Another program, while it runs: never in a note that the call names. */
      meanwhile: fc.option(at),
      killed: fc.constantFrom(null, null, null, 'before' as const, 'after' as const),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Call = Extract<Step, { kind: 'call' }>;

test('no tool is said to have written what another program wrote, and taking an answer back leaves all of that', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 7 }), fc.boolean(), runSteps), {
    numRuns: extent(5, 400),
    endOnFailure: true,
  });
}, 900_000);

async function runSteps(steps: readonly Step[], isOpen: boolean): Promise<void> {
  const house = await versionsHouse({ 'A.md': 'outside-start\n' }, {}, patience);
  await house.known();
  if (isOpen) await house.notes.hold('A.md');
  let number = 0;
  const runs: string[] = [];
  const standing = (path: string) =>
    existsSync(join(house.root, path)) ? readFileSync(join(house.root, path), 'utf8') : '';
  const add = (path: string, who: string) => house.put(path, `${standing(path)}${who}-${number++}\n`);
  const remove = (path: string) => unlink(join(house.root, path)).catch(() => undefined);

  async function tool({ at, deed }: Call): Promise<void> {
    const path = paths[at] ?? '';
    if (deed === 'write') return add(path, 'tool');
    if (deed === 'remove') return remove(path);
    if (existsSync(join(house.root, path)))
      await rename(join(house.root, path), join(house.root, `Moved ${number++}.md`));
  }

  async function call(one: Call): Promise<void> {
    const path = paths[one.at] ?? '';
    const callId = `call-${number++}`;
    const runId = `run-${callId}`;
    runs.push(runId);
    const over = one.isSlow ? house.slowed() : () => undefined;
    const args = one.isNamed ? { path } : {};
    const more = { arguments: args, answer: { ...answer, runId } };
    await house.begin(callId, more);
    if (one.killed === 'before') await house.killed();
    await tool(one);
    if (one.meanwhile !== null && (one.meanwhile !== one.at || !one.isNamed))
      await add(paths[one.meanwhile] ?? '', 'outside');
    if (one.killed === 'after') await house.killed();
    if (one.killed === null) await house.versions.callEnds(callId);
    over();
  }

  for (const one of steps) {
    if (one.kind === 'outside') await add(paths[one.at] ?? '', 'outside');
    else if (one.kind === 'removed') await remove(paths[one.at] ?? '');
    else if (one.kind === 'killed') await house.killed();
    else await call(one);
  }
  await house.versions.settled();
  await house.vault.sweep();
  await house.versions.keepAll();
  await checkHistory(house);
  for (const runId of runs.toReversed()) {
    const before = outsideLines(house.root);
    await restoredBefore(house, runId);
    const after = outsideLines(house.root);
    expect(before.filter((line) => !after.includes(line))).toEqual([]);
  }
}

const linesOf = (text: string) => text.split('\n').filter((line) => line.startsWith('outside-'));

function outsideLines(root: string): string[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return files
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) => linesOf(readFileSync(join(root, path), 'utf8')));
}

/** What is new in a version that is certainly a tool’s is no other program’s. */
async function checkHistory(house: House): Promise<void> {
  const files = readdirSync(house.root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.md'),
  );
  for (const path of new Set([...files, ...paths])) {
    const entries = (await house.entries(path)).toReversed().filter((entry) => entry.kind === 'text');
    let known: string[] = [];
    for (const entry of entries) {
      const lines = linesOf(await house.versions.read(path, entry.id));
      const isTools = entry.by.some((one) => one.kind === 'tool' && one.certain);
      if (isTools) expect(lines.filter((line) => !known.includes(line))).toEqual([]);
      known = [...known, ...lines];
    }
  }
}
