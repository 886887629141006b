import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashOf } from '../../src/entities/base/hash';
import { createStore } from '../../src/entities/store/store';
import { createTree } from '../../src/entities/store/tree/tree';
import { typeOf, vaultForEach } from '../vault-server/vault-for-each';

const { call, put, root, text } = vaultForEach();
const note = (id: string, status: string, body: string) =>
  `---\nid: ${id}\ntype: ${typeOf(id)}\ntitle: ${id}\nstatus: ${status}\n---\n\n${body}\n`;
const body = 'One.\n\nTwo.\n\nThree.';

/** What a process leaves that is killed in the middle of a batch. */
async function cutOff(
  files: { path: string; before: string | null; after: string; now: string }[],
): Promise<void> {
  for (const { path, now } of files) await put(path, now);
  const journal = {
    record_length: 0,
    files: files.map(({ path, before, after }) => ({ path, before, after: hashOf(after), text: after })),
  };
  await put('.interlinear/vault-journal.json', JSON.stringify(journal));
}

test('a change that always meets another program’s is refused, with what that program wrote', async () => {
  await put('Note.md', 'One.\n');
  const tree = createTree({ root: root() });
  const store = createStore({ root: root(), tree, readWritten: () => Promise.resolve() });
  let times = 0;
  const refused = store.change(async (draft) => {
    const read = await draft.read('Note.md');
    appendFileSync(join(root(), 'Note.md'), `Theirs ${++times}.\n`);
    await draft.write('Note.md', `${read?.text}Ours.\n`);
  });
  const { failure } = await refused.catch((error) => error);
  expect(failure.code).toBe('conflict');
  expect(failure.difference).toContain(`+Theirs ${times}.`);
  expect(await text('Note.md')).not.toContain('Ours.');
  tree.close();
});

test('of a batch that was cut off nothing stays, and a hand edit made meanwhile is not lost', async () => {
  const [before, after] = [note('T-001', 'blocked', body), note('T-001', 'completed', body)];
  const other = (written: string) => written.replaceAll('T-001', 'T-002');
  const byHand = (written: string) => written.replace('Three.', 'Three, by hand.');
  await cutOff([
    { path: 'T-001 a.md', before, after, now: byHand(after) },
    // Not written by the batch yet.
    { path: 'T-002 b.md', before: other(before), after: other(after), now: byHand(other(before)) },
  ]);
  expect((await call('check_project')).findings).toEqual([]);
  expect(await text('T-001 a.md')).toBe(byHand(before));
  expect(await text('T-002 b.md')).toBe(byHand(other(before)));
});

test('where a hand edit and the batch changed the same, it is kept as it is and said until somebody has seen it', async () => {
  const [before, after] = [note('T-001', 'blocked', body), note('T-001', 'completed', body)];
  const now = after.replace('status: completed', 'status: in_progress');
  const made = note('T-002', 'blocked', 'Made by the batch.');
  await cutOff([
    { path: 'T-001 a.md', before, after, now },
    { path: 'T-002 b.md', before: null, after: made, now: `${made}\nBy hand.\n` },
  ]);
  const { findings } = await call('check_project');
  expect(findings).toMatchObject([
    { file: 'T-002 b.md', problem: expect.stringContaining('cut off') },
    { file: 'T-001 a.md', problem: expect.stringContaining('cut off') },
  ]);
  expect(await text('T-001 a.md')).toBe(now);
  expect(await text('T-002 b.md')).toContain('By hand.');
  expect(await call('check_project', { fix: ['all'] })).toMatchObject({ total: 2, fixed: [] });
  const keys = findings.map(({ key }: { key: string }) => key);
  expect(await call('check_project', { fix: keys })).toMatchObject({ total: 0, fixed: keys });
  expect(await readFile(join(root(), 'T-001 a.md'), 'utf8')).toBe(now);
});

test('text of a body that looks like a field is kept where a hand edit leaves no place for it', async () => {
  const at = (words: string) =>
    note('T-001', 'blocked', `Intro.\n\nOwner: ${words}\nhttps://example.org/${words}\n\nEnd.`);
  await cutOff([{ path: 'T-001 a.md', before: at('Zebra'), after: at('Yak'), now: at('Yak by hand') }]);
  await call('check_project');
  expect(await text('.interlinear/vault-journal.json.set-aside')).toContain('https://example.org/Zebra');
});

test('a move that is undone brings the note back with what somebody wrote into it meanwhile, and not twice', async () => {
  const [before, after] = [note('T-001', 'blocked', body), note('T-001', 'completed', body)];
  await put('new.md', after.replace('Three.', 'Three, by hand.'));
  const journal = {
    record_length: 0,
    files: [
      { path: 'new.md', before: null, after: hashOf(after), text: after, moved_from: 'old.md' },
      { path: 'old.md', before, after: null, text: null },
    ],
  };
  await put('.interlinear/vault-journal.json', JSON.stringify(journal));
  expect((await call('check_project')).findings).toEqual([]);
  expect(await text('old.md')).toBe(before.replace('Three.', 'Three, by hand.'));
  await expect(text('new.md')).rejects.toThrow();
});
