import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectVault, type ServedVault } from './serve-vault';
import { type Answer, putNote } from './vault-for-each';

let root: string;
let served: ServedVault;
const call = async (name: string, args: Record<string, unknown>): Promise<Answer> =>
  JSON.parse(await served.ask(name, args));
const put = (path: string, written: string) => putNote(root, path, written);
const text = (path: string) => readFile(join(root, path), 'utf8');

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'bytes-'));
  served = await connectVault(root);
});

afterEach(async () => {
  await served.close();
  await rm(root, { recursive: true, force: true });
});

/** The ends of lines by their number; a law is only one where all of them are there. */
const lineEnds: Record<string, (line: number) => string> = {
  unix: () => '\n',
  windows: () => '\r\n',
  mixed: (line) => (line % 2 === 0 ? '\n' : '\r\n'),
  doubled: () => '\r\r\n',
  'doubled here and there': (line) => (line % 3 === 0 ? '\r\r\n' : '\r\n'),
  'mixed the other way': (line) => (line % 3 === 0 ? '\r\n' : '\n'),
};

const lines = [
  '---',
  '# first comment',
  'id: T-001   # who it is',
  'type: task',
  'title: "Dig"',
  'Own-Key: {a: [1,   2], b: 0x1F} # mine',
  'status: todo # so far',
  '',
  'another: |',
  '  kept  ',
  '  # no comment',
  'tags: [ a,b ]',
  '# last comment',
  '---',
  '',
  '',
  '# Dig',
  '',
  'One  ',
  '',
  '## Part',
  '',
  'Two',
  '',
  '',
  '## End',
  'Three',
  '',
  '',
];

const mark = '\uFEFF';
const notes = Object.entries(lineEnds).flatMap(([name, endOf]) =>
  ['', mark].map((bom) => ({ name, bom, written: lines.map((line, at) => line + endOf(at)), endOf })),
);

type Named = (line: string) => boolean;

/** What is asked, and the lines that it names. Lines that come are those with “new” or a time. */
const asked: Record<string, [string, Record<string, unknown>, Named]> = {
  'a field': [
    'update_entity',
    { id: 'T-001', data: { status: 'blocked' } },
    (line) => line.startsWith('status:'),
  ],
  'a field that was not there': ['update_entity', { id: 'T-001', data: { workstream: 'new' } }, () => false],
  'the body': [
    'update_entity',
    { id: 'T-001', data: { body: '# Dig\n\nOne  \n\n## Part\n\nnew\n\n\n## End\nThree' } },
    (line) => line === 'Two',
  ],
  'an edit': [
    'update_doc',
    { path: 'A.md', edits: [{ old: 'One  \n\n## Part', new: 'new\n\n## Part' }] },
    (line) => line === 'One  ',
  ],
  'an edit that takes lines away': [
    'update_doc',
    { path: 'A.md', edits: [{ old: '\n\n## Part\n\nTwo', new: 'new' }] },
    (line) => ['', 'One  ', '## Part', 'Two'].includes(line),
  ],
  'more at the end': ['update_doc', { path: 'A.md', append: 'new\nnew\n' }, () => false],
  'a section': [
    'update_doc',
    { path: 'A.md', section: { heading: 'Part', content: 'new' } },
    (line) => line === 'Two' || line === '',
  ],
  'the whole text': [
    'update_doc',
    {
      path: 'A.md',
      content: lines.join('\n').replace('Two', 'new\nnew').replace('One  \n\n', '').concat('\n'),
    },
    (line) => line === 'Two' || line === 'One  ' || line === '',
  ],
};

const withoutNew = (all: readonly string[], isNamed: Named) =>
  all.filter((line) => {
    const plain = line.replace(/\r*\n$/, '').replace(mark, '');
    return !/new|blocked|^(?:updated|workstream):/.test(plain) && !isNamed(plain);
  });

test.each(Object.entries(asked))(
  '%s: every line that is not named stays, byte for byte',
  async (_, [tool, args, isNamed]) => {
    for (const { name, bom, written } of notes) {
      const before = bom + written.join('');
      await put('A.md', before);
      await call('read_docs', { paths: ['A.md'] });
      const answer = await call(tool, args);
      const after = await text('A.md');
      expect([name, bom, answer.message ?? null, after === before]).toEqual([name, bom, null, false]);
      const left = withoutNew(after.split(/(?<=\n)/), isNamed);
      expect([name, left.join('')]).toEqual([name, withoutNew(before.split(/(?<=\n)/), isNamed).join('')]);
      if (name === 'windows') expect(after.replaceAll('\r\n', '')).not.toContain('\n');
      if (name === 'unix') expect(after).not.toContain('\r');
    }
  },
);

test('a text that is given back as it was read, or without its mark and line ends, changes nothing', async () => {
  for (const { bom, written } of notes) {
    const before = bom + written.join('');
    await put('A.md', before);
    await call('read_docs', { paths: ['A.md'] });
    for (const content of [before, before.replace(mark, ''), `${lines.join('\n')}\n`]) {
      expect(await call('update_doc', { path: 'A.md', content })).toMatchObject({ changed: false });
    }
    const { entity } = await call('get_entity', { id: 'T-001', fields: ['body'] });
    await call('update_entity', { id: 'T-001', data: { body: entity.body } });
    expect(await text('A.md')).toBe(before);
  }
});

/** What somebody wrote amiss, and the words that its repair puts in its place. */
const amiss: [string, RegExp][] = [
  ['status: In Progress', /^status:/],
  ['Depends-On: [T-002]', /^depends[-_]on:/i],
  ['estimate_hours: "3h"', /^estimate_hours:/],
];

test.each(amiss)('the repair of “%s” changes no other line', async (line, named) => {
  await put('M.md', '---\nid: M-001\ntype: milestone\ntitle: M\n---\n');
  await put('B.md', '---\nid: T-002\ntype: task\ntitle: B\n---\n');
  for (const { name, bom, endOf } of notes) {
    const own = [...lines.slice(0, 6), line, ...lines.slice(7)];
    const before = bom + own.map((each, at) => each + endOf(at)).join('');
    await put('A.md', before);
    expect(await call('check_project', { fix: ['all'] })).toMatchObject({ total: 0, failed: [] });
    const after = await text('A.md');
    const rest = (all: string) =>
      all.split(/(?<=\n)/).filter((each) => !named.test(each) && !/^(?:updated:|<!-- was:)/.test(each));
    expect([name, rest(after).join('')]).toEqual([name, rest(before).join('')]);
    expect(after).not.toBe(before);
  }
});
