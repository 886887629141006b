import { expect, test } from 'vitest';
import { createMemoryNotes } from '../../../tests/chat/support/memory-notes';
import { type ResolvedAgent, readAgentNote } from '../agents';
import { createNoteConsents, notePower, readNoteSettings } from '../chat';
import { openDatabase } from '../foundation';
import { createNotices } from '../notices/notices';
import { createNoteAuthority } from './note-authority';

const allowing = '---\napproval: allow\n---\n#User : Hi';
const allow = { agent: null, words: 'approval: allow' };

function authority(text: string) {
  const consents = createNoteConsents(openDatabase(':memory:', () => undefined));
  const { notes, session } = createMemoryNotes({ 'A.md': text }, Date.now);
  const notices = createNotices(Date.now);
  const stands: Record<string, string> = { 'A.md': 'note a', 'B.md': 'note b' };
  const noteAt = (path: string) => stands[path] ?? null;
  const agents: ResolvedAgent[] = [];
  const made = createNoteAuthority({
    ...{ consents, notes, notices, identity: { at: noteAt, name: noteAt } },
    agents: { find: (name) => agents.find((agent) => agent.name === name) },
    providers: { list: { get: () => [] } as never },
  });
  const write = (words: string) => {
    agents[0] = readAgentNote('.interlinear/agents/Poet.md', words);
    return agents[0];
  };
  /** What an answer that is asked for now would run on. */
  const power = () => {
    const settings = readNoteSettings(session('A.md').text());
    return notePower(settings, settings.agent === null ? null : (agents[0] ?? null), false);
  };
  const renamed = (from: string, to: string) => {
    stands[to] = stands[from] ?? '';
    delete stands[from];
    made.left(from);
  };
  return { ...made, renamed, stands, consents, notices, note: session('A.md'), write, power };
}

test('what a note allows holds once the person agreed to exactly that, in this note', async () => {
  const { note, asked, agree, isAgreed, notices, renamed } = authority(allowing);
  asked('A.md', allow);
  asked('A.md', allow);
  expect(notices.list.get().map(({ facts }) => facts)).toEqual([
    { code: 'note-allows', note: 'A.md', ...allow },
  ]);
  await agree('A.md', allow);
  expect(notices.list.get()).toEqual([]);
  expect(isAgreed('A.md', allow)).toBe(true);
  expect(isAgreed('B.md', allow)).toBe(false);
  expect(isAgreed('A.md', { agent: null, words: 'approval: allow\ntools: [*]' })).toBe(false);
  renamed('A.md', 'C.md');
  expect([isAgreed('A.md', allow), isAgreed('C.md', allow)]).toEqual([false, true]);
  note.edit('somebody', { from: 4, to: 19, insert: 'approval: allow\ntools: [files]' });
  await expect(agree('A.md', allow)).rejects.toMatchObject({ code: 'request.invalid' });
});

const poet = '---\nname: Poet\nmodel: m-1\ntools: [notes/read]\n---\nWrite verses.';

test.each([
  ['its tools', 'notes/read', 'notes/*'],
  ['one more tool', 'notes/read', 'notes/read, notes/write'],
  ['two tools in one name', '[notes/read]', '["notes/read, notes/write"]'],
  ['its model', 'm-1', 'm-2'],
  ['its instructions', 'verses.', 'verses. Then send them.'],
  ['a sign in them that shows nothing', 'Write verses', 'Write\u200b verses'],
  ['a line that looks as such a sign is shown', 'Write verses', 'Write\\u{200b} verses'],
  ['its provider', 'model:', 'provider: elsewhere\nmodel:'],
  ['a search of the web', 'model:', 'web_search: true\nmodel:'],
  ['its parameters', 'model:', 'parameters: {top_p: 0.1}\nmodel:'],
  ['that it may do more itself', 'model:', 'approval: allow\nmodel:'],
])('an agent that changes after the consent is asked about again: %s', async (_name, old, now) => {
  const { write, power, asked, agree, isAgreed, notices } = authority(
    '---\napproval: allow\nagent: Poet\n---\n#User : Hi',
  );
  const of = (text: string) => {
    write(text);
    return power() ?? expect.fail('it allows nothing');
  };
  const before = of(poet);
  await agree('A.md', before);
  expect(isAgreed('A.md', before)).toBe(true);
  const after = of(poet.replace(old, now));
  expect(isAgreed('A.md', after)).toBe(false);
  asked('A.md', after);
  expect(notices.list.get()).toMatchObject([{ facts: { note: 'A.md', agent: 'Poet', words: after.words } }]);
  await expect(agree('A.md', before)).rejects.toMatchObject({ code: 'request.invalid' });
  // The way back is a change as well.
  expect(isAgreed('A.md', of(poet))).toBe(false);
});

test('what was taken back, and what another note of the name had, is asked about again', async () => {
  const { note, typed, asked, agree, isAgreed, stands } = authority(allowing);
  await agree('A.md', allow);
  await typed('A.md', async () => note.edit('window', { from: 14, to: 19, insert: 'ask' }));
  expect(isAgreed('A.md', allow)).toBe(false);

  note.edit('somebody', { from: 14, to: 17, insert: 'allow' });
  await agree('A.md', allow);
  note.edit('disk', { from: 14, to: 19, insert: 'ask' });
  asked('A.md', null);
  expect(isAgreed('A.md', allow)).toBe(false);

  note.edit('disk', { from: 14, to: 17, insert: 'allow' });
  await agree('A.md', allow);
  stands['A.md'] = 'another note';
  expect(isAgreed('A.md', allow)).toBe(false);
  await agree('A.md', allow);
  delete stands['A.md'];
  expect(isAgreed('A.md', allow)).toBe(false);
});

test('properties that cannot be read for a moment, while the person types, take nothing back', async () => {
  const { note, typed, agree, isAgreed } = authority('---\napproval: allow\ntitle: T\n---\n');
  await agree('A.md', allow);
  await typed('A.md', async () => note.edit('window', { from: 27, insert: '"' }));
  await typed('A.md', async () => note.edit('window', { from: 29, insert: '"' }));
  expect(note.text()).toContain('title: "T"');
  expect(isAgreed('A.md', allow)).toBe(true);
});

test('what the person types here is agreed to; what somebody else wrote, while the person types elsewhere, is not', async () => {
  const typing = authority('---\napproval: ask\n---\n#User : Hi');
  await typing.typed('A.md', async () => typing.note.edit('window', { from: 14, to: 17, insert: 'allow' }));
  expect(typing.isAgreed('A.md', allow)).toBe(true);

  const written = authority(allowing);
  await written.typed('A.md', async () => written.note.edit('window', { from: 4, insert: 'title: T\n' }));
  expect(written.note.text()).toContain('title: T');
  expect(written.isAgreed('A.md', allow)).toBe(false);
});

test.each([
  ['mends a quote', '---\ntitle: "T\napproval: allow\n---\n', 'T\n', 'T"\n'],
  ['closes the front matter', '---\napproval: allow\n\n#User : Hi', 'allow\n', 'allow\n---\n'],
  ['changes the title', '---\ntitle: T\napproval: allow\n---\n', 'T', 'U'],
  ['narrows the tools', '---\napproval: allow\ntools: [a, b]\n---\n', ', b', ''],
  ['takes a comment away', '---\n# approval: allow\n---\n', '# ', ''],
  ['pastes lines of another note', '---\ntitle: T\n---\n', 'T\n', 'T\nauthor: A\napproval: allow\n'],
])('nothing is agreed to by an edit that only %s', async (_name, text, old, insert) => {
  const { note, typed, isAgreed } = authority(text);
  const from = text.indexOf(old);
  await typed('A.md', async () => note.edit('window', { from, to: from + old.length, insert }));
  const tools = note.text().includes('tools') ? '\ntools: [a]' : '';
  expect(isAgreed('A.md', { agent: null, words: `approval: allow${tools}` })).toBe(false);
});
