import { expect, test } from 'vitest';
import { answer, versionsHouse } from './house';

const named = (path: string) => ({ arguments: { path }, answer });

test('what a tool makes of a note is told with what it said before, and nothing that others write is', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' });
  await house.known();
  await house.type('A.md', 'mine\n');
  await house.put('A.md', 'one\nmine\nanother program\n');
  await house.vault.sweep();
  await house.versions.settled();
  await house.call('c1', () => house.put('A.md', 'one\nmine\nanother program\nthe tool\n'), named('A.md'));
  await house.call('c2', () => house.put('New.md', 'made\n'), named('New.md'));
  await house.versions.settled();
  const by = { server: expect.any(String), tool: 'write' };
  expect(house.toolTexts).toEqual([
    {
      path: 'A.md',
      ...by,
      before: 'one\nmine\nanother program\n',
      after: 'one\nmine\nanother program\nthe tool\n',
    },
    { path: 'New.md', ...by, before: null, after: 'made\n' },
  ]);
});

test('so is what it makes of a note that is open, where the person typed meanwhile', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' });
  await house.known();
  const { session, release } = await house.notes.hold('A.md');
  await house.call(
    'c1',
    async () => {
      session.edit('window-1', { from: 0, insert: 'typed ' });
      await session.save();
      await house.put('A.md', 'typed one\nthe tool\n');
      await house.vault.sweep();
    },
    named('A.md'),
  );
  await house.versions.settled();
  expect(session.text()).toBe('typed one\nthe tool\n');
  release();
  await expect.poll(() => house.toolTexts.at(-1)?.after, { timeout: 10_000 }).toBe('typed one\nthe tool\n');
});

test('a tool that makes a note too long to be kept is told without what it says', async () => {
  const house = await versionsHouse({ 'A.md': 'one\n' });
  await house.known();
  const long = `#User : two\n${'x'.repeat(10 * 1024 * 1024)}\n`;
  await house.call('c1', () => house.put('A.md', long), named('A.md'));
  await house.versions.settled();
  expect(house.toolTexts.at(-1)).toMatchObject({ path: 'A.md', tool: 'write', before: null, after: null });
});
