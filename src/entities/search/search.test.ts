import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVocabulary } from './vocabulary';
import { createWordIndex } from './word-index';
import { wordsOf } from './words';

const letters = fc.string({
  unit: fc.constantFrom('a', 'B', '7', '0', '-', ' ', '.', 'é', 'ß', '日', '\n'),
  maxLength: 90,
});

test('texts are read into the words that a regular expression finds in them', () => {
  const vocabulary = createVocabulary();
  fc.assert(
    fc.property(letters, (text) => {
      const heard: string[] = [];
      vocabulary.read(text, (word) => heard.push(vocabulary.word(word)));
      expect(heard).toEqual(wordsOf(text));
    }),
    { numRuns: 1000 },
  );
  for (const text of [`${'x'.repeat(70)}-12 T-001x a--1 1-2b-3`, 'İstanbul', '']) {
    const heard: string[] = [];
    vocabulary.read(text, (word) => heard.push(vocabulary.word(word)));
    expect(heard).toEqual(wordsOf(text));
  }
});

const word = fc.constantFrom('apple', 'pear', 'plum', 'grape', 'melon', 'Äpfel', 't-001');
const put = fc.record({
  key: fc.integer({ min: 0, max: 30 }),
  title: word,
  body: fc.array(word, { maxLength: 5 }),
});

test('after any changes a word finds the texts that have it, and no others', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(put, fc.integer({ min: 0, max: 30 })), { maxLength: 60 }), (changes) => {
      const index = createWordIndex();
      const texts = new Map<string, string>();
      for (const [count, change] of changes.entries()) {
        if (typeof change === 'number') {
          index.remove(`k${change}`);
          texts.delete(`k${change}`);
        } else {
          index.put(`k${change.key}`, change.title, change.body.join(' '));
          texts.set(`k${change.key}`, `${change.title} ${change.body.join(' ')}`);
        }
        if (count % 7 === 0) index.catchUp(0);
      }
      for (const wanted of ['apple', 'plum', 'apfel', 't-001']) {
        const found = index.search(wanted).keys;
        const having = [...texts].filter(([, text]) => wordsOf(text).includes(wanted)).map(([key]) => key);
        if (having.length > 0) expect(new Set(found)).toEqual(new Set(having));
      }
    }),
  );
});

test('an index whose texts all changed many times still finds each once, best first', () => {
  const index = createWordIndex();
  const filler = Array.from({ length: 40 }, (_, number) => `w${number}`).join(' ');
  for (let round = 0; round < 4; round++) {
    for (let key = 0; key < 800; key++) index.put(`k${key}`, `Title ${key} r${round}`, filler);
    expect(index.search('r0').total).toBe(round === 0 ? 800 : 0);
  }
  expect(index.search('w39').keys).toHaveLength(800);
  expect(index.search('title 77').keys[0]).toBe('k77');
  expect(index.search('titel').total).toBe(800);
  const even = (key: string) => Number(key.slice(1)) % 2 === 0;
  expect(index.search('w39', { accepts: even, most: 3 })).toEqual({ keys: ['k0', 'k2', 'k4'], total: 400 });
});
