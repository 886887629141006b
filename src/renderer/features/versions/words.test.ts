import { expect, test } from 'vitest';
import type { TimelineEntry, VersionAuthor } from '../../../contract/versions';
import { whatWords } from './words';

type End = Extract<VersionAuthor, { kind: 'model' }>['end'];

function kept(end: End): TimelineEntry {
  const answer = { runId: 'run-1', note: 'A.md', model: 'm', startedAt: 1 };
  const by: VersionAuthor[] = [{ kind: 'model', answer, ...(end && { end }) }];
  const facts = { id: 'v', at: 1, path: 'A.md', by, bytes: 1, added: null, removed: null };
  return { kind: 'text', cause: 'changed', ...facts };
}

test.each([
  ['answered', 'answered'],
  ['failed', 'failed'],
  ['broke-off', 'broke off'],
  ['stopped', 'stopped'],
  [undefined, 'wrote'],
] as const)('what is kept of an answer whose end is %s says “%s”', (end, words) => {
  expect(whatWords(kept(end))).toBe(words);
});
