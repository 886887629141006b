import { expect, test } from 'vitest';
import { addNotesNotice, createNotices } from './notices';

test('of a note that is no more one notice tells, however many texts of it were kept; of another note another one', () => {
  const notices = createNotices(() => 0);
  const kept = (note: string, keptAs: string) =>
    addNotesNotice(notices, { kind: 'kept', note, reason: 'window', keptAs });
  kept('A.md', '/kept/A 1');
  kept('B.md', '/kept/B 1');
  kept('A.md', '/kept/A 2');
  expect(notices.list.get().map(({ facts }) => facts)).toMatchObject([
    { note: 'B.md', keptAs: '/kept/B 1' },
    { note: 'A.md', keptAs: '/kept/A 2' },
  ]);
});
