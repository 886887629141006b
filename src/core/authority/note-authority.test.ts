import { expect, test } from 'vitest';
import { createMemoryNotes } from '../../../tests/chat/support/memory-notes';
import type { NotePower } from '../../contract/chat';
import type { PowerField } from '../../contract/front-matter-fields';
import { type ResolvedAgent, readAgentNote } from '../agents';
import { powersOf, readNoteSettings } from '../chat';
import { openDatabase } from '../foundation';
import { createNotices } from '../notices/notices';
import { createNoteAuthority } from './note-authority';
import { createNoteConsents } from './note-consents';

const allowing = '---\napproval: allow\n---\n#User : Hi';
const allow: NotePower = { field: 'approval', agent: null, words: 'approval: allow' };
const asked = (power: NotePower) => ({ powers: [power], changes: [] });

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
    const agent = settings.agent === null ? null : (agents[0] ?? null);
    return powersOf(settings, { answers: agent, named: agent, isChosen: false });
  };
  /** By the person's window, in one go. */
  const type = (change: { from: number; to?: number; insert: string }) => {
    const { from, to = from, insert } = change;
    const rest = session('A.md').text().length - to;
    const changes = [from, [to - from, ...insert.split('\n')], ...(rest > 0 ? [rest] : [])];
    return made.typed('A.md', [{ changes }], async () => session('A.md').edit('window', change));
  };
  const renamed = (from: string, to: string) => {
    stands[to] = stands[from] ?? '';
    delete stands[from];
    made.left(from);
  };
  return { ...made, renamed, stands, consents, notices, note: session('A.md'), write, power, type };
}

test('what a note allows holds once the person agreed to exactly that, in this note', async () => {
  const { note, agree, isAgreed, notices, renamed, ...told } = authority(allowing);
  told.onAnswerRequest('A.md', asked(allow));
  told.onAnswerRequest('A.md', asked(allow));
  expect(notices.list.get().map(({ facts }) => facts)).toEqual([
    { code: 'note-wants', note: 'A.md', ...asked(allow) },
  ]);
  await agree('A.md', [allow]);
  expect(notices.list.get()).toEqual([]);
  expect(isAgreed('A.md', allow)).toBe(true);
  expect(isAgreed('B.md', allow)).toBe(false);
  expect(isAgreed('A.md', { ...allow, words: 'approval: allow\ntools: [*]' })).toBe(false);
  renamed('A.md', 'C.md');
  expect([isAgreed('A.md', allow), isAgreed('C.md', allow)]).toEqual([false, true]);
  note.edit('somebody', { from: 4, to: 19, insert: 'approval: allow\ntools: [files]' });
  await expect(agree('A.md', [allow])).rejects.toMatchObject({ code: 'request.invalid' });
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
  const { write, power, agree, isAgreed, notices, ...told } = authority(
    '---\napproval: allow\nagent: Poet\n---\n#User : Hi',
  );
  const of = (text: string) => {
    write(text);
    return power().find(({ field }) => field === 'approval') ?? expect.fail('it allows nothing');
  };
  const before = of(poet);
  await agree('A.md', [before]);
  expect(isAgreed('A.md', before)).toBe(true);
  const after = of(poet.replace(old, now));
  expect(isAgreed('A.md', after)).toBe(false);
  told.onAnswerRequest('A.md', asked(after));
  expect(notices.list.get()).toMatchObject([
    { facts: { note: 'A.md', powers: [{ agent: 'Poet', words: after.words }] } },
  ]);
  await expect(agree('A.md', [before])).rejects.toMatchObject({ code: 'request.invalid' });
  // The way back is a change as well.
  expect(isAgreed('A.md', of(poet))).toBe(false);
});

test('what was taken back, and what another note of the name had, is asked about again', async () => {
  const { note, type, agree, isAgreed, stands, ...told } = authority(allowing);
  await agree('A.md', [allow]);
  await type({ from: 14, to: 19, insert: 'ask' });
  expect(isAgreed('A.md', allow)).toBe(false);

  note.edit('somebody', { from: 14, to: 17, insert: 'allow' });
  await agree('A.md', [allow]);
  note.edit('disk', { from: 14, to: 19, insert: 'ask' });
  told.onAnswerRequest('A.md', null);
  expect(isAgreed('A.md', allow)).toBe(false);

  note.edit('disk', { from: 14, to: 17, insert: 'allow' });
  await agree('A.md', [allow]);
  stands['A.md'] = 'another note';
  expect(isAgreed('A.md', allow)).toBe(false);
  await agree('A.md', [allow]);
  delete stands['A.md'];
  expect(isAgreed('A.md', allow)).toBe(false);
});

test('properties that cannot be read for a moment, while the person types, take nothing back', async () => {
  const { note, type, agree, isAgreed } = authority('---\napproval: allow\ntitle: T\n---\n');
  await agree('A.md', [allow]);
  await type({ from: 27, insert: '"' });
  await type({ from: 29, insert: '"' });
  expect(note.text()).toContain('title: "T"');
  expect(isAgreed('A.md', allow)).toBe(true);
});

test('what the person types here is agreed to; what somebody else wrote, while the person types elsewhere, is not', async () => {
  const typing = authority('---\napproval: ask\n---\n#User : Hi');
  await typing.type({ from: 14, to: 17, insert: 'allow' });
  expect(typing.isAgreed('A.md', allow)).toBe(true);

  const written = authority(allowing);
  await written.type({ from: 4, insert: 'title: T\n' });
  expect(written.note.text()).toContain('title: T');
  expect(written.isAgreed('A.md', allow)).toBe(false);
});

test.each([
  ['mends a quote', '---\ntitle: "T\napproval: allow\n---\n', 'T\n', 'T"\n'],
  ['closes the front matter', '---\napproval: allow\n\n#User : Hi', 'allow\n', 'allow\n---\n'],
  ['mends a quote below a quoted name', '---\n"approval": allow\ntitle: "T\n---\n', 'T\n', 'T"\n'],
  ['changes the title', '---\ntitle: T\napproval: allow\n---\n', 'T', 'U'],
  ['narrows the tools', '---\napproval: allow\ntools: [a, b]\n---\n', ', b', ''],
  ['takes a comment away', '---\n# approval: allow\n---\n', '# ', ''],
  ['pastes lines of another note', '---\ntitle: T\n---\n', 'T\n', 'T\nauthor: A\napproval: allow\n'],
])('nothing is agreed to by an edit that only %s', async (_name, text, old, insert) => {
  const { note, type, isAgreed } = authority(text);
  const from = text.indexOf(old);
  await type({ from, to: from + old.length, insert });
  const tools = note.text().includes('tools') ? '\ntools: [a]' : '';
  expect(isAgreed('A.md', { ...allow, words: `approval: allow${tools}` })).toBe(false);
});

const values: [PowerField, string, string][] = [
  ['approval', 'allow', 'approval: allow'],
  ['approval', 'ask', 'approval: ask'],
  ['agent', 'Poet', 'agent: Poet\n  tools: [notes/read]\n  model: m-1'],
  ['model', 'gpt-5', 'model: gpt-5'],
  ['max_tokens', '90000', 'max_tokens: 90000'],
  ['reasoning', 'high', 'reasoning: high'],
  ['parameters', '{max_tokens: 9}', 'parameters: {"max_tokens":9}'],
  ['web_search', 'true', 'web_search: true'],
  ['tools', '[a/*, b]', 'tools: [a/*, b]'],
];

test.each(values)(
  '%s: %s holds by the hand that wrote it, or as it was agreed to',
  async (field, value, words) => {
    const agent = field === 'agent' ? 'Poet' : null;
    const power: NotePower = { field, agent, words };
    const line = `${field}: ${value}\n`;
    const start = (text: string) => {
      const house = authority(text);
      house.write(poet);
      return house;
    };
    const byKeys = async ({ type }: ReturnType<typeof start>, at: number, text: string) => {
      for (const [index, insert] of [...text].entries()) await type({ from: at + index, insert });
    };

    const typed = start('---\ntitle: T\n---\n');
    await byKeys(typed, 13, line);
    expect(typed.isAgreed('A.md', power)).toBe(true);

    const fromNothing = start('');
    await byKeys(fromNothing, 0, `---\n${line}---\n`);
    expect(fromNothing.isAgreed('A.md', power)).toBe(true);

    const inOneLine = start('---\ntitle: T\n---\n');
    await inOneLine.type({ from: 13, insert: line });
    expect(inOneLine.isAgreed('A.md', power)).toBe(true);

    const pasted = start('#User : Hi');
    await pasted.type({ from: 0, insert: `---\n${line}---\n` });
    expect(pasted.isAgreed('A.md', power)).toBe(false);

    const other = start('---\ntitle: T\n---\n');
    other.note.edit('disk', { from: 13, insert: line });
    await other.type({ from: 11, insert: 'itle' });
    expect(other.isAgreed('A.md', power)).toBe(false);
    await other.agree('A.md', [power]);
    expect(other.isAgreed('A.md', power)).toBe(true);
    expect(other.isAgreed('A.md', { ...power, words: `${words}x` })).toBe(false);
    expect(other.isAgreed('B.md', power)).toBe(false);

    // Gone and back again by another hand: a change as well.
    const at = other.note.text().indexOf(line);
    other.note.edit('disk', { from: at, to: at + line.length, insert: '' });
    other.onAnswerRequest('A.md', null);
    other.note.edit('disk', { from: at, insert: line });
    expect(other.isAgreed('A.md', power)).toBe(false);

    // Put into the middle of what the person types.
    const mixed = start('---\ntitle: T\n---\n');
    await byKeys(mixed, 13, line.slice(0, -2));
    mixed.note.edit('disk', { from: 13 + line.length - 2, insert: line.slice(-2, -1) });
    await mixed.type({ from: 13 + line.length - 1, insert: '\n' });
    expect(mixed.note.text()).toContain(line);
    expect(mixed.isAgreed('A.md', power)).toBe(false);
  },
);

test('a value of another hand is the person’s once they have written all of it anew, or go on with what they agreed to', async () => {
  const model = (words: string): NotePower => ({ field: 'model', agent: null, words: `model: ${words}` });
  const { type, agree, isAgreed } = authority('---\nmodel: gpt-4\n---\n');
  await type({ from: 16, insert: 'o' });
  expect(isAgreed('A.md', model('gpt-4o'))).toBe(false);
  await type({ from: 11, to: 17, insert: 'g' });
  await type({ from: 12, insert: '5' });
  expect(isAgreed('A.md', model('g5'))).toBe(true);

  const agreed = authority('---\nmodel: gpt-4\n---\n');
  await agreed.agree('A.md', [model('gpt-4')]);
  await agreed.type({ from: 16, insert: 'o' });
  expect(agreed.isAgreed('A.md', model('gpt-4o'))).toBe(true);
  await expect(agree('A.md', [model('gpt-4o')])).rejects.toMatchObject({ code: 'request.invalid' });
});

test('what another hand put into the middle of a value makes it theirs, and so does what another hand lets run', async () => {
  const { type, note, isAgreed } = authority('---\ntitle: T\n---\n');
  for (const [index, insert] of [...'model: gp\n'].entries()) await type({ from: 13 + index, insert });
  note.edit('disk', { from: 21, insert: 'x' });
  await type({ from: 23, insert: 't' });
  expect(note.text()).toContain('model: gxpt\n');
  expect(isAgreed('A.md', { field: 'model', agent: null, words: 'model: gxpt' })).toBe(false);

  const tools = authority('---\ntools: ["*"]\n---\n');
  await tools.type({ from: 4, insert: 'approval: allow\n' });
  expect(tools.isAgreed('A.md', { ...allow, words: 'approval: allow\ntools: [*]' })).toBe(false);
});

test('what was agreed to while only that tools run unasked was asked about still is', () => {
  const database = openDatabase(':memory:', () => undefined);
  const before = database.table<{ note: string; agent: string; words: string }>(`
    create table if not exists note_consents (
      note text not null, agent text not null, words text not null, primary key (note, agent)
    ) strict
  `);
  void before.put({ note: 'note a', agent: '', words: allow.words });
  expect(createNoteConsents(database).of('note a')).toEqual([allow]);
});

test('a question that was answered with no is not asked again for the same values', () => {
  const { notices, ...told } = authority(allowing);
  told.onAnswerRequest('A.md', asked(allow));
  notices.dismiss(notices.list.get()[0]?.id ?? '');
  told.onAnswerRequest('A.md', asked(allow));
  expect(notices.list.get()).toEqual([]);
  told.onAnswerRequest('A.md', asked({ ...allow, words: 'approval: allow\ntools: [*]' }));
  expect(notices.list.get()).toHaveLength(1);
});
