import { expect, test } from 'vitest';
import { createInertWork, inert, inertInTurns, inertPieces } from './inert';

const hidden = ['\u007f', '\u0000', '\u202e', '\u200b\u200b', '\u{e0041}'];
const cut = (length: number) => `… (cut; the whole has ${length.toLocaleString('en')} characters)`;

test.each(hidden)('what would take long in one go is cut, and says so', (sign) => {
  const text = sign.repeat(800_000);
  const shown = inert(text);
  expect(shown.length).toBeLessThan(5_000_000);
  expect(shown.endsWith(cut(text.length))).toBe(true);
});

test.each(hidden)('a text that becomes too long by being made visible is cut, and says so', async (sign) => {
  const text = sign.repeat(3_000_000);
  const { words } = await inertInTurns({ words: text });
  expect(words.length).toBeLessThan(text.length + 4_000_100);
  expect(words.endsWith(cut(text.length))).toBe(true);
});

test.each(['[', '\\', 'a ', '好', '"'])('a long text without anything hidden stays whole', async (sign) => {
  const text = sign.repeat(1_500_000);
  expect(await inertInTurns(text)).toBe(text);
  expect([...inertPieces(text)].join('')).toBe(text);
});

test('values that go the same way become longer by no more than one would', async () => {
  const work = createInertWork();
  const texts = Array.from({ length: 20 }, () => '\u007f'.repeat(400_000));
  let length = 0;
  for (const text of texts) length += (await inertInTurns(text, work)).length;
  expect(length).toBeLessThan(12_010_000);
  expect(await inertInTurns('plain', work)).toBe('plain');
});
