import { expect, test } from 'vitest';
import { outside } from '../base/failures';
import type { Entity } from '../entity/model/model';
import type { Draft } from '../store/batch/draft';
import { createNotePlaces } from './note-places';

function places(...taken: readonly string[]) {
  const read = async (path: string) => {
    if (path.startsWith('..')) throw outside(path);
    return taken.includes(path) ? { path, text: '', hash: '' } : null;
  };
  return createNotePlaces({ draft: { read } as Draft, folders: { folderFor: () => 'P' } });
}

const task = (path: string, archived_from?: unknown) =>
  ({ id: 'T-001', type: 'task', path, values: { archived_from } }) as unknown as Entity;

test('what is archived takes a name that is free', async () => {
  const { pathFor } = places('P/archive/tasks/T-001 Oil.md', 'P/archive/tasks/T-001 Oil 2.md');
  expect(await pathFor(task('P/tasks/T-001 Oil.md'), true)).toBe('P/archive/tasks/T-001 Oil 3.md');
});

test('what comes back goes where it lay, or to its usual folder where no note may lie there', async () => {
  const archived = 'P/archive/tasks/T-001 Oil.md';
  const { pathFor } = places('Ideas/Oil.md');
  expect(await pathFor(task(archived, 'Ideas/Oil.md'), false)).toBe('Ideas/Oil 2.md');
  expect(await pathFor(task(archived, '../Oil.md'), false)).toBe('P/tasks/T-001 Oil.md');
  expect(await pathFor(task(archived, 'no note'), false)).toBe('P/tasks/T-001 Oil.md');
  expect(await pathFor(task('Ideas/Oil.md'), false)).toBe('Ideas/Oil.md');
});
