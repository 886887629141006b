import { expect, test } from 'vitest';
import { wordsOf } from '../../src/entities/insight/lost-words';
import { type Answer, vaultForEach } from '../vault-server/vault-for-each';

const { call, put, root, text } = vaultForEach();
const path = 'Projects/tasks/T-001 Sow peas.md';

const sound = `---
id: T-001
type: task
title: Sow peas
workstream: garden
status: in_progress
priority: high
parent: S-001
depends_on: [T-002, T-003]
assignee: Ada
estimate_hours: 3
tags: [spring]
created: 2026-05-01T10:00:00.000Z
updated: 2026-05-01T10:00:00.000Z
---

Text of it.
`;

const line = (from: string | RegExp, to: string | ((found: string) => string)) =>
  typeof to === 'string' ? sound.replace(from, to) : sound.replace(from, to);
const status = (to: string) => line('status: in_progress', to);
const bytes = (encoding: BufferEncoding, mark = '') => Buffer.from(mark + sound, encoding);

/** What is done to the note; each makes it no entity, or one of its values none. */
const damages: Readonly<Record<string, string | Uint8Array>> = {
  'UTF-16 with a mark': bytes('utf16le', '\uFEFF'),
  'UTF-16 without a mark': bytes('utf16le'),
  'UTF-16, the other way round': bytes('utf16le', '\uFEFF').swap16(),
  'Latin-1': Buffer.from(line('Sow peas', 'Säen'), 'latin1'),
  'bytes that are no text': Buffer.concat([Buffer.from(sound.slice(0, 60)), Buffer.alloc(40, 0xff)]),
  'no bytes at all': '',
  'zeros instead of its text': Buffer.alloc(300),
  'old line ends': sound.replaceAll('\n', '\r'),
  'old line ends in the front matter': line(/^[\s\S]*?\n---\n/, (head: string) =>
    head.replaceAll('\n', '\r'),
  ),
  'a blank line before it': `\n${sound}`,
  'blank lines before it': `\n  \n\n${sound}`,
  'two byte order marks': `\uFEFF\uFEFF${sound}`,
  'a zero-width blank before it': `\u200B${sound}`,
  'a blank before its first mark': ` ${sound}`,
  'a text before it': `Draft\n${sound}`,
  'a heading before it': `# Sow peas\n\n${sound}`,
  'a comment before it': `<!-- mine -->\n${sound}`,
  'an em dash for its first mark': line(/^---/, '—-'),
  'four dashes for its first mark': line(/^---/, '----'),
  'two dashes for its first mark': line(/^---/, '--'),
  'no first mark': line(/^---\n/, ''),
  'no mark at all': line(/^---\n/, '').replace('\n---\n', '\n'),
  'a fence around it': line(/^---/, '```yaml').replace('\n---\n', '\n```\n'),
  'TOML instead': line(/^---/, '+++').replace('\n---\n', '\n+++\n').replaceAll(': ', ' = '),
  'words after its first mark': line(/^---/, '--- task'),
  'no end': line('\n---\n', '\n'),
  'an end with a blank before it': line('\n---\n', '\n ---\n'),
  'an end of dots': line('\n---\n', '\n...\n'),
  'four dashes at its end': line('\n---\n', '\n----\n'),
  'no front matter any more': 'Text of it.\n',
  'an empty front matter': line(/^---[\s\S]*\n---\n/, '---\n---\n'),
  'half of its front matter': sound.slice(0, 90),
  'a list for its front matter': line(/^---[\s\S]*?\n---\n/, (head: string) =>
    head.replace(/^(?=\w)/gm, '- '),
  ),
  'conflict markers': status('<<<<<<< HEAD\nstatus: done\n=======\nstatus: blocked\n>>>>>>> x'),
  'a key twice': status('status: in_progress\nstatus: blocked'),
  'its id twice': line('id: T-001', 'id: T-001\nid: T-009'),
  'a tab before a key': status('\tstatus: in_progress'),
  'a tab before an item': line('[T-002, T-003]', '\n\t- T-002\n\t- T-003'),
  'a blank before a key': status(' status: in_progress'),
  'no blank after a colon': status('status:in_progress'),
  'a wide colon': status('status：in_progress'),
  'an equals sign': status('status = in_progress'),
  'a line without a key': status('in progress'),
  'an open quote': line('Sow peas', '"Sow peas'),
  'an open bracket': line('[spring]', '[spring'),
  'a colon in a title': line('Sow peas', 'Sow: peas'),
  'an at sign': line('Ada', '@ada'),
  'an unknown anchor': line('Ada', '*ada'),
  'a title that is a comment': line('Sow peas', '#5 Sow peas'),
  'tags with number signs': line('[spring]', '#spring #peas'),
  'a status in other words': status('status: In Progress'),
  'a list for a status': status('status: [in_progress]'),
  'a mapping for a status': status('status: {is: in_progress}'),
  'a number for a status': status('status: 1'),
  'true for a status': status('status: true'),
  'a list for a title': line('Sow peas', '[Sow, peas]'),
  'a mapping for a title': line('Sow peas', '\n  en: Sow peas'),
  'a list for a workstream': line('garden', '[garden, house]'),
  'a list for a priority': line('high', '[high]'),
  'another priority': line('high', 'asap'),
  'a list for a parent': line('S-001', '[S-001, S-002]'),
  'a link without quotes for a parent': line('S-001', '[[S-001 Story]]'),
  'two parents': line('S-001', 'S-001 and S-002'),
  'a number for a parent': line('S-001', '1'),
  'itself for a parent': line('S-001', 'T-001'),
  'itself among what it waits for': line('[T-002, T-003]', '[T-001, T-002]'),
  'ids with commas in one text': line('[T-002, T-003]', 'T-002, T-003'),
  'a mapping for what it waits for': line('[T-002, T-003]', '{T-002: yes, T-003: yes}'),
  'lists in a list': line('[T-002, T-003]', '[[T-002], [T-003]]'),
  'ids that nobody has': line('[T-002, T-003]', '[T-002, T-404]'),
  'a list for an assignee': line('Ada', '[Ada, Bo]'),
  'true for an assignee': line('Ada', 'true'),
  'a text for hours': line('estimate_hours: 3', 'estimate_hours: 3h'),
  'hours below zero': line('estimate_hours: 3', 'estimate_hours: -3'),
  'endless hours': line('estimate_hours: 3', 'estimate_hours: .inf'),
  'no number': line('estimate_hours: 3', 'estimate_hours: .nan'),
  'a mapping in tags': line('[spring]', '[{a: b}]'),
  'a text for tags': line('[spring]', 'spring, peas'),
  'a day that is none': line('created: 2026-05-01', 'created: 2026-02-31'),
  'a time that is none': line('created: 2026-05-01T10:00', 'created: 2026-05-01T29:00'),
  'words for a time': line(/updated: .*/, 'updated: yesterday'),
  'a list for a time': line(/updated: .*/, 'updated: [2026-05-01]'),
  'a text for archived': status('status: in_progress\narchived: "yes"'),
  'a list for archived': status('status: in_progress\narchived: [true]'),
  'a number for archived': status('status: in_progress\narchived: 1'),
  'a canvas that is none': status('status: in_progress\ncanvas_source: ../Plan.png'),
  'a number for where it was': status('status: in_progress\narchived_from: 5'),
  'another type': line('type: task', 'type: story'),
  'a list for its type': line('type: task', 'type: [task]'),
  'no such type': line('type: task', 'type: tusk'),
  'an id in small letters': line('id: T-001', 'id: t-001'),
  'a key of its id in capitals': line('id: T-001', 'ID: T-001'),
  'keys in capitals': line('status:', 'Status:').replace('priority:', 'PRIORITY:'),
  'keys with other joints': line('depends_on:', 'depends-on:').replace('estimate_hours', 'estimateHours'),
  'an id without a dash': line('id: T-001', 'id: T001'),
  'an id with another dash': line('id: T-001', 'id: T–001'),
  'an id of another kind': line('id: T-001', 'id: TASK-001'),
  'a number for its id': line('id: T-001', 'id: 1'),
  'a list for its id': line('id: T-001', 'id: [T-001]'),
  'words after its id': line('id: T-001', 'id: T-001 Sow peas'),
  'a link for its id': line('id: T-001', 'id: "[[T-001]]"'),
  'an empty id': line('id: T-001', 'id:'),
  'no id': line('id: T-001\n', ''),
  'a commented id': line('id: T-001', '# id: T-001'),
};

/** Everything that a caller is told of the note, but what changes with every byte. */
async function told(): Promise<unknown> {
  const { entity } = await call('get_entity', { id: 'T-001', fields: ['*'] });
  if (!entity) return null;
  const { revision: _, updated: __, ...rest } = entity;
  return rest;
}

async function others(): Promise<void> {
  await put('Projects/stories/S-001 Story.md', '---\nid: S-001\ntype: story\ntitle: Story\n---\n');
  await put('Projects/stories/S-002 Other.md', '---\nid: S-002\ntype: story\ntitle: Other\n---\n');
  await put('Projects/tasks/T-002 Two.md', '---\nid: T-002\ntype: task\ntitle: Two\n---\n');
  await put('Projects/tasks/T-003 Three.md', '---\nid: T-003\ntype: task\ntitle: Three\n---\n');
}

const ofNote = async (): Promise<Answer[]> =>
  (await call('check_project')).findings.filter((finding: Answer) => finding.file === path);

test('a sound note is no finding', async () => {
  await others();
  await put(path, sound);
  expect((await call('check_project')).findings).toEqual([]);
});

test.each(Object.entries(damages))('%s is found, and its repair loses no word', async (_, damaged) => {
  await others();
  await put(path, sound);
  const before = await told();
  await put(path, damaged);
  const now = await told();
  // A table of what does no harm would prove nothing.
  expect(damaged).not.toEqual(sound);
  const found = await ofNote();
  expect([now, found.length > 0]).toEqual([now, true]);
  for (let round = 0; round < 3; round++) await call('check_project', { fix: ['all'] });
  const left = await ofNote();
  expect(
    left.filter(({ repair }) => !repair.startsWith('by hand') && !repair.startsWith('take T-404')),
  ).toEqual([]);
  // What can't be put right is not touched, and is still said.
  const wanted = before as { id: string };
  const after = (await told()) as { id: string } | null;
  expect(after?.id === wanted.id || left.length > 0).toBe(true);
  if (typeof damaged !== 'string') return;
  const words = wordsOf(await text(path).catch(() => ''));
  for (const word of wordsOf(damaged)) expect(words).toContain(word);
});

test('a damaged record is found and written anew', async () => {
  await others();
  await put('.interlinear/vault-ids.txt', 'T-003\nT-0garbage');
  const { findings } = await call('check_project');
  expect(findings).toMatchObject([{ file: '.interlinear/vault-ids.txt' }]);
  expect(await call('check_project', { fix: ['all'] })).toMatchObject({ total: 0 });
  expect(await text('.interlinear/vault-ids.txt')).toMatch(/^(?:[A-Z]+-\d+\n)+$/);
  await put('.interlinear/workspaces.json', '{"entities": ');
  expect((await call('check_project')).findings).toMatchObject([
    { file: '.interlinear/workspaces.json', repair: 'rename it to “workspaces.json.set-aside”' },
  ]);
  const note = 'Projects/tasks/T-002 Other.md';
  await put(note, sound.replaceAll('T-001', 'T-009').replace('in_progress', 'In Progress'));
  const { fixed } = await call('check_project', { fix: ['all'] });
  expect(fixed, 'what needs no workspaces is repaired').toHaveLength(1);
  expect(await text(note)).toContain('in_progress');
  expect(await call('create_entity', { type: 'task', data: { title: 'New' } })).toMatchObject({
    message: expect.stringContaining('workspaces.json'),
  });
  expect(root()).toBeTruthy();
});
