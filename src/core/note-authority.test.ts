import { expect, test } from 'vitest';
import { createMemoryNotes } from '../../tests/chat/support/memory-notes';
import { createNoteConsents } from './chat';
import { openDatabase } from './foundation';
import { createNoteAuthority } from './note-authority';
import { createNotices } from './notices';

const allowing = '---\napproval: allow\n---\n#User : Hi';

function authority(text: string) {
  const consents = createNoteConsents(openDatabase(':memory:', () => undefined));
  const { notes, session } = createMemoryNotes({ 'A.md': text }, Date.now);
  const notices = createNotices(Date.now);
  const agents = { find: () => undefined };
  const made = createNoteAuthority({ consents, vault: { root: () => '/vault' }, notes, agents, notices });
  return { ...made, consents, notices, note: session('A.md') };
}

test('what a note allows holds once the person agreed to exactly that, in this note', async () => {
  const { note, ask, agree, isAgreed, notices, consents } = authority(allowing);
  ask('A.md', 'approval: allow');
  ask('A.md', 'approval: allow');
  expect(notices.list.get().map(({ facts }) => facts)).toEqual([
    { code: 'note-allows', note: 'A.md', power: 'approval: allow' },
  ]);
  await agree('A.md', 'approval: allow');
  expect(notices.list.get()).toEqual([]);
  expect(isAgreed('A.md', 'approval: allow')).toBe(true);
  expect(isAgreed('B.md', 'approval: allow')).toBe(false);
  expect(isAgreed('A.md', 'approval: allow\ntools: *')).toBe(false);
  consents.renamed('/vault', 'A.md', 'C.md');
  expect([isAgreed('A.md', 'approval: allow'), isAgreed('C.md', 'approval: allow')]).toEqual([false, true]);
  note.edit('somebody', { from: 4, to: 19, insert: 'approval: allow\ntools: [files]' });
  await expect(agree('A.md', 'approval: allow')).rejects.toMatchObject({ code: 'request.invalid' });
});

test('what the person types here is agreed to; what somebody else wrote, while the person types elsewhere, is not', async () => {
  const typing = authority('---\napproval: ask\n---\n#User : Hi');
  await typing.typed('A.md', async () => typing.note.edit('window', { from: 14, to: 17, insert: 'allow' }));
  expect(typing.isAgreed('A.md', 'approval: allow')).toBe(true);

  const written = authority(allowing);
  await written.typed('A.md', async () => written.note.edit('window', { from: 4, insert: 'title: T\n' }));
  expect(written.note.text()).toContain('title: T');
  expect(written.isAgreed('A.md', 'approval: allow')).toBe(false);
});

test.each([
  ['mends a quote', '---\ntitle: "T\napproval: allow\n---\n', 'T\n', 'T"\n'],
  ['closes the front matter', '---\napproval: allow\n\n#User : Hi', 'allow\n', 'allow\n---\n'],
  ['changes the title', '---\ntitle: T\napproval: allow\n---\n', 'T', 'U'],
  ['narrows the tools', '---\napproval: allow\ntools: [a, b]\n---\n', ', b', ''],
  ['takes a comment away', '---\n# approval: allow\n---\n', '# ', ''],
])('nothing is agreed to by an edit that only %s', async (_name, text, old, insert) => {
  const { note, typed, consents } = authority(text);
  const from = text.indexOf(old);
  await typed('A.md', async () => note.edit('window', { from, to: from + old.length, insert }));
  const tools = note.text().includes('tools') ? '\ntools: a' : '';
  expect(consents.has('/vault', 'A.md', `approval: allow${tools}`)).toBe(false);
});
