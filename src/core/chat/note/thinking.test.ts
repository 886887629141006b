import { expect, test } from 'vitest';
import { createManualClock } from '../../../../tests/support/manual-clock';
import { beginThinking, thoughtIn } from './thinking';

test.each([
  ['a whole callout', '> [!thinking]-\n> why\n> not', 'why\nnot'],
  ['its head was taken away', '> why\n> not', 'why\nnot'],
  ['part of its head was taken away', '> [!thin\n> why', 'why'],
  ['only its head is left', '> [!thinking]-', ''],
  ['its head was joined with its first line', '> [!thinkingwhy\n> not', 'why\nnot'],
])('%s: its words are what is not certainly its head', (_case, callout, words) => {
  expect(thoughtIn(callout)).toBe(words);
});

const tags = { newChat: [], user: ['User'], system: [], assistant: ['Claude'] };

/** Writes down what becomes of a note in which nobody else writes, or somebody has taken all of it away. */
function cursorThat({ isSettled }: { isSettled: boolean }) {
  const written: string[] = [];
  const cursor = {
    isSettled: () => isSettled,
    wants: () => ({ closing: '', tag: '' }),
    accept: () => written.push('accepted'),
    settle: () => written.push('settled') > 0,
    insert: (text: string) => void written.push(text),
    tail: () => 0,
    openStretch(text: string) {
      written.push(text);
      const stretch = {
        text: () => null,
        remaining: () => null,
        grew: () => undefined,
        replace: (next: string) => void written.push(`=> ${next}`),
        release: () => undefined,
      };
      return stretch;
    },
  };
  return { written, cursor: cursor as unknown as Parameters<typeof beginThinking>[0] };
}

test('reasoning whose callout somebody took away goes on in one of its own, with what is still to be written', () => {
  const { written, cursor } = cursorThat({ isSettled: false });
  const thinking = beginThinking(cursor, { tags, clock: createManualClock() });
  const ready = thinking.push('first words\n') + thinking.push('more\n');
  written.length = 0;
  thinking.goOn(ready);
  expect(written).toEqual(['=> ', 'settled', '> [!thinking]-\n> ']);
});

test('nothing is looked at while nobody else writes', () => {
  const { written, cursor } = cursorThat({ isSettled: true });
  beginThinking(cursor, { tags, clock: createManualClock() }).goOn('');
  expect(written).toEqual(['> [!thinking]-\n> ']);
});
