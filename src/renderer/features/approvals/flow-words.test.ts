import { expect, test } from 'vitest';
import { sourceWords } from './flow-words';

test('an answer of which it is not known what it quotes says so, and is no page', () => {
  const answer = { kind: 'answer' as const, name: '', places: ['page.example'] };
  expect(sourceWords({ ...answer, reads: ['untrusted'] })).toBe('pages that an answer quotes (page.example)');
  expect(sourceWords({ ...answer, reads: ['private', 'untrusted'] })).toBe(
    'an answer of which it is not known what it quotes (page.example)',
  );
});
