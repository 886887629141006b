import { expect, test } from 'vitest';
import type { Notes, StoredRecovery, WaitingJournal } from '../notes';
import { createRecoveredTexts } from './texts';

const journal = { id: 'waits', text: 'typed\n' } as WaitingJournal;

/** A store with one text that waits for its vault. */
function storeWithWaiting() {
  let waiting = [journal];
  let texts: StoredRecovery[] = [];
  const store = {
    waiting: () => waiting,
    list: () => texts,
    find(id: string) {
      const one = texts.find((text) => text.id === id);
      if (!one) throw new Error(`nothing under ${id}`);
      return one;
    },
    read: ({ id }: StoredRecovery) => `text of ${id}`,
    takeWaiting() {
      waiting = [];
      const stored = { id: 'taken' } as StoredRecovery;
      texts = [stored];
      return stored;
    },
  };
  return store as unknown as Notes['recovery'];
}

test('a text that has waited is found, read and taken again under the id that it had then', () => {
  const texts = createRecoveredTexts(storeWithWaiting());
  expect(texts.read('waits', 'text')).toBe('typed\n');
  expect(texts.take('waits').id).toBe('taken');
  expect(texts.has('waits')).toBe(true);
  expect(texts.read('waits', 'text')).toBe('text of taken');
  expect(texts.take('waits').id).toBe('taken');
  expect(texts.has('nothing')).toBe(false);
});
