import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { story, versionsHouse } from './house';

const garden = '# Garden\n\nThe first is of beans and of rain.\n';
const sea = '# Sea\n\nAnother one speaks about ships, storms, and harbours.\n';

const texts = {
  'of other words': [garden, sea],
  alike: ['# Day\n\n- [ ] Water\n- [ ] Read\none\n', '# Day\n\n- [ ] Water\n- [ ] Read\ntwo\n'],
} as const;

for (const [kind, [garden, sea]] of Object.entries(texts))
  for (const other of ['closed', 'open', 'open, and typed in'])
    for (const state of ['unchanged', 'saved', 'unsaved'])
      test(`another note that is moved over an open one brings its history along, and the other is told as deleted: ${kind}, that one ${other}, this one ${state}`, async () => {
        const house = await versionsHouse({
          'A.md': garden,
          'B.md': sea,
        });
        await house.known();
        const held = await house.notes.hold('A.md');
        const both = other === 'closed' ? null : await house.notes.hold('B.md');
        const typed = `${garden}typed\n`;
        if (state !== 'unchanged') held.session.edit('window-1', { from: garden.length, insert: 'typed\n' });
        if (state === 'saved') await held.session.save();
        if (other.endsWith('typed in')) {
          both?.session.edit('window-1', { from: sea.length, insert: 'set\n' });
          await both?.session.save();
        }
        const moved = await house.read('B.md');
        await house.versions.settled();
        await rename(join(house.root, 'B.md'), join(house.root, 'A.md'));
        await house.heard(async () => house.notes.opened('A.md')?.sessionId !== held.session.sessionId);
        if (both) await house.heard(async () => both.session.path === 'A.md');
        const next = await house.notes.hold('A.md');
        expect(next.session.text()).toBe(moved);
        if (both) expect(next.session).toBe(both.session);
        next.session.edit('window-1', { from: moved.length, insert: 'more\n' });
        await next.session.save();
        for (const one of [held, both, next]) one?.release();
        await house.known();
        const before = moved === sea ? [sea] : [sea, moved];
        expect(await house.texts('A.md')).toEqual([...before, `${moved}more\n`]);
        const told = story(await house.entries('A.md'));
        expect(told).toEqual([
          'nobody found',
          ...(moved === sea ? [] : ['you changed']),
          'disk moved',
          'you changed',
        ]);
        const [gone, ...others] = (await house.versions.deleted()).notes;
        expect([gone?.path, others]).toEqual(['A.md', []]);
        expect(await house.versions.read('A.md', gone?.id ?? '')).toBe(
          state === 'unchanged' ? garden : typed,
        );
        await house.restart();
        await house.known();
        expect(await house.texts('A.md')).toEqual([...before, `${moved}more\n`]);
        expect((await house.versions.deleted()).notes.map(({ path }) => path)).toEqual(['A.md']);
      });

test('an open note that is moved over another open one goes on there, though that one is read slowly', async () => {
  const house = await versionsHouse({ 'A.md': garden, 'B.md': sea });
  await house.known();
  const [a, b] = await Promise.all([house.notes.hold('A.md'), house.notes.hold('B.md')]);
  b.session.edit('window-1', { from: sea.length, insert: 'set\n' });
  await b.session.save();
  await house.versions.settled();
  const { readRaw } = house.vault;
  Object.assign(house.vault, {
    async readRaw(path: string) {
      const raw = await readRaw(path);
      if (path === 'A.md') await new Promise((resolve) => setTimeout(resolve, 700));
      return raw;
    },
  });
  await rename(join(house.root, 'B.md'), join(house.root, 'A.md'));
  await house.heard(async () => b.session.path === 'A.md');
  expect(house.notes.opened('A.md')).toBe(b.session);
  expect(b.session.saveState().kind).toBe('saved');
  expect(b.session.text()).toBe(`${sea}set\n`);
  for (const { release } of [a, b]) release();
  await house.known();
  expect(await house.texts('A.md')).toEqual([sea, `${sea}set\n`]);
  expect((await house.versions.deleted()).notes.map(({ path }) => path)).toEqual(['A.md']);
});

test('what a program writes beside an open note and puts in its place, a name of a note or not, is a change of that note', async () => {
  for (const name of ['tmp.md', 'tmp']) {
    const house = await versionsHouse({ 'A.md': garden });
    await house.known();
    const { session, release } = await house.notes.hold('A.md');
    const now = `${garden}Sorted.\n`;
    await house.put(name, now);
    await house.heard(async () => house.vault.entries().some(({ path }) => path === name));
    await rename(join(house.root, name), join(house.root, 'A.md'));
    await house.heard(async () => session.text() === now);
    expect(house.notes.opened('A.md')).toBe(session);
    release();
    await house.known();
    expect(await house.texts('A.md')).toEqual([garden, now]);
  }
});

test('of two open notes the one that was moved over the other goes on, though a window comes back to the other at once', async () => {
  const house = await versionsHouse({ 'A.md': garden, 'B.md': sea });
  await house.known();
  const [a, b] = await Promise.all([house.notes.hold('A.md'), house.notes.hold('B.md')]);
  const { readRaw } = house.vault;
  // Its own look comes late.
  Object.assign(house.vault, {
    async readRaw(path: string) {
      if (path === 'B.md') await new Promise((resolve) => setTimeout(resolve, 1_000));
      return readRaw(path);
    },
  });
  const ended = house.heard(async () => house.notes.opened('A.md') !== a.session);
  await rename(join(house.root, 'B.md'), join(house.root, 'A.md'));
  await ended;
  const next = await house.notes.hold('A.md');
  expect(next.session).toBe(b.session);
  expect([b.session.path, b.session.text()]).toEqual(['A.md', sea]);
  for (const { release } of [a, b, next]) release();
  await house.known();
  expect(await house.texts('A.md')).toEqual([sea]);
  expect((await house.versions.deleted()).notes.map(({ path }) => path)).toEqual(['A.md']);
});
