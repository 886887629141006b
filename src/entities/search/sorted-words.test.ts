import { expect, test } from 'vitest';
import { createSortedWords } from './sorted-words';
import { createVocabulary } from './vocabulary';

test('a word means itself and what begins with it, else what is near, and nothing that no text has', () => {
  const vocabulary = createVocabulary();
  const gone = new Set<string>();
  const sorted = createSortedWords(vocabulary, (word) => !gone.has(vocabulary.word(word)));
  const meant = (word: string) => {
    sorted.catchUp();
    return [...sorted.matches(word)].map(([number, worth]) => [vocabulary.word(number), worth]);
  };
  vocabulary.read('chain chains cha brake', () => undefined);
  expect(meant('chain')).toEqual([
    ['chain', 1],
    ['chains', 0.7],
  ]);
  expect(meant('bicycle')).toEqual([]);
  expect(meant('brakes')).toEqual([['brake', 0.4]]);
  vocabulary.read('chained', () => undefined);
  gone.add('chain').add('brake');
  expect(meant('chain').map(([word]) => word)).toEqual(['chained', 'chains']);
  expect(meant('brakes')).toEqual([]);
});
