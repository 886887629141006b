import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runDoctor } from '../../src/vault-server/doctor-command';
import { type Answer, typeOf, vaultForEach } from '../vault-server/vault-for-each';

const { call, put, root, text } = vaultForEach();
const check = (more: Record<string, unknown> = {}): Promise<Answer> => call('check_project', more);
const note = (id: string, more: string) =>
  `---\nid: ${id}\ntype: ${typeOf(id)}\ntitle: ${id}\n${more}\n---\n\nText of ${id}.\n`;

test.each([
  ['In Progres', 'in_progress'],
  ['inprogress', 'in_progress'],
  ['Complet', 'completed'],
  ['blockd', 'blocked'],
  ['done!', 'completed'],
  ['not startet', 'not_started'],
])('a status that was mistyped, %s, is the one that it is near to', async (written, meant) => {
  await put('T-001.md', note('T-001', `status: ${written}`));
  expect((await check()).findings).toMatchObject([{ repair: `set status to ${meant}` }]);
});

test.each([
  'incomplete',
  'unblocked',
  'somewhere',
  'st',
  '{a: b}',
  'completed?',
  '~completed',
  '"done?"',
  'done ±',
])('a status that is near none, %s, is left to a person, who is told which there are', async (written) => {
  await put('T-001.md', note('T-001', `status: ${written}`));
  const before = await text('T-001.md');
  const { findings } = await check({ fix: ['all'] });
  expect(findings).toMatchObject([
    { repair: 'by hand: set one of not_started, in_progress, blocked, completed' },
  ]);
  expect(await text('T-001.md')).toBe(before);
});

test('a decision that was rejected has replaced nothing and was not replaced', async () => {
  await put('DEC-001.md', note('DEC-001', 'status: rejected'));
  const { findings } = await check({ fix: ['all'] });
  expect(findings).toMatchObject([{ repair: 'by hand: set one of pending, decided, superseded' }]);
  expect(await text('DEC-001.md')).toContain('status: rejected');
});

test('a field whose characters no text can hold is moved into the text without them', async () => {
  await put('T-001.md', note('T-001', 'estimate_hours: "three\\x00 or so"\npriority: "\\ud800 odd"'));
  const { total, failed } = await check({ fix: ['all'] });
  expect([total, failed]).toEqual([0, []]);
  expect(await text('T-001.md')).toContain('\nestimate_hours: three or so\n');
});

test('links that lead nowhere and pipes are found, and what is to be done with them is told', async () => {
  await put('T-001.md', note('T-001', ''));
  await symlink('gone.md', join(root(), 'Lost.md'));
  await symlink('T-001.md', join(root(), 'Found.md'));
  await symlink('Circle.md', join(root(), 'Circle.md'));
  await mkdir(join(root(), 'Folder'));
  await symlink('Folder', join(root(), 'Another'));
  await promisify(execFile)('mkfifo', [join(root(), 'Pipe.md')]);
  const { findings } = await check({ fix: ['all'] });
  const told = findings.filter(({ file }: Answer) => !/T-001|Found/.test(file));
  expect(told.map(({ file, problem }: Answer) => [file, problem]).sort()).toEqual([
    ['Circle.md', expect.stringContaining('leads nowhere: Circle.md')],
    ['Lost.md', expect.stringContaining('leads nowhere: gone.md')],
    ['Pipe.md', expect.stringContaining('a pipe')],
  ]);
  expect(told[0].repair).toContain('delete the link');
});

test('a note is not written through a link that leads nowhere, and the reason says so', async () => {
  await symlink('gone.md', join(root(), 'Lost.md'));
  const refused = await call('update_doc', { path: 'Lost.md', content: 'New', create: true });
  expect(refused).toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/leads nowhere: gone\.md/),
  });
});

test('the command says what is left to a person, as text and as JSON', async () => {
  await put('T-001.md', note('T-001', 'status: doing\nparent: S-404'));
  const listed = await runDoctor(root(), { json: true });
  expect(listed.code).toBe(1);
  expect(JSON.parse(listed.text)).toMatchObject({
    repaired: [],
    findings: [
      { code: 'invalid_status', path: 'T-001.md', repair: 'set status to in_progress', byHand: false },
      { code: 'no_such_entity', id: 'T-001', field: 'parent', byHand: true },
    ],
  });
  const { code, text: left } = await runDoctor(root(), { fix: true });
  expect(code).toBe(1);
  expect(left).toContain('By hand: take S-404 out of parent, or make what it names');
  expect(left).toContain('1 found. 1 only a person can decide');
  expect(await text('T-001.md')).toContain('parent: S-404');
});

test.each([
  ['estimate_hours: 3h', 3],
  ['estimate_hours: "3"', 3],
  ['estimate_hours: about 2,5 hours', 2.5],
  ['estimate_hours: 30 min', 0.5],
  ['estimate_hours: 90 minutes', 1.5],
  ['target_date: 5 June 2027', '2027-06-05'],
  ['target_date: Sat, Jun 5, 2027', '2027-06-05'],
  ['archived: "no"', false],
])('what is certain is repaired: %s', async (line, meant) => {
  await put('T-001.md', note('T-001', line));
  await put('M-001.md', note('M-001', line));
  const file = line.startsWith('target') ? 'M-001.md' : 'T-001.md';
  const found = (await check()).findings.filter((each: Answer) => each.file === file);
  expect(found).toMatchObject([{ repair: `set ${line.split(':')[0]} to ${meant}` }]);
});

test.each([
  'estimate_hours: 2 days',
  'estimate_hours: 1 week',
  'estimate_hours: 2d',
  'estimate_hours: 20 min',
  'estimate_hours: 3h a day',
  'estimate_hours: less than 3h',
  'estimate_hours: "1,500"',
  'estimate_hours: "-3h"',
  'target_date: May 2027',
  'target_date: end of 2027',
  'target_date: before 5 June 2027',
  'target_date: 31 June 2027',
  'parent: [S-001, S-002]',
  'parent: S-001 or S-002',
  'parent: not S-001',
  'depends_on: S-001..S-002',
  'depends_on: S-001 … S-002',
  'depends_on: "[[S-001]] - [[S-002]]"',
  'depends_on: [S-001 to S-002]',
  'depends_on: S-001 or S-002',
  'depends_on: S-001/S-002',
  'archived: maybe',
])('what may mean several things is left to a person, as it is written: %s', async (line) => {
  await put('S-001.md', note('S-001', ''));
  await put('S-002.md', note('S-002', ''));
  const id = line.startsWith('target') ? 'M-001' : 'T-001';
  await put(`${id}.md`, note(id, line));
  const { findings } = await check({ fix: ['all'] });
  expect(findings).toMatchObject([{ file: `${id}.md`, repair: 'by hand' }]);
  expect(await text(`${id}.md`)).toBe(note(id, line));
});
