import { expect, test } from 'vitest';
import { createPostings } from './postings';

test('how many texts have a word is known of each word, however many words there are', () => {
  const postings = createPostings();
  const words = [0, 1, 1023, 1024, 2048, 5000];
  for (const word of words) postings.add(word, 16);
  for (const word of words) postings.add(word, 32);
  expect(words.map(postings.spread)).toEqual(words.map(() => 2));
});
