import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { isCut } from '../../foundation';
import { createWordsShare, mostWords } from './listed-words';

const hashOf = (text: string) => createHash('sha256').update(text, 'utf16le').digest('hex');

/** The texts of an item that says the same everywhere. */
async function textsOf(words: string): Promise<string[]> {
  const item = {
    name: 'look',
    title: words,
    description: words,
    annotations: { title: words },
    arguments: [{ name: 'a', description: words }],
    inputSchema: { type: 'object', properties: { a: { type: 'string', description: words } } },
  };
  const share = await createWordsShare()(item);
  if (share === 'too much') throw new Error('It fits.');
  const { title, description, annotations, arguments: args, inputSchema } = share.item as typeof item;
  return [
    title,
    description,
    annotations.title,
    args[0]?.description ?? '',
    inputSchema.properties.a.description,
  ];
}

test('a text of a list that was cut is known as one that was, wherever it stood', async () => {
  const words = 'word '.repeat(4_000);
  for (const text of await textsOf(words)) {
    expect(isCut(text)).toBe(true);
    expect(text.slice(-150)).toContain(`the whole has 20,000 characters, SHA-256 ${hashOf(words)})`);
  }
  const short = 'w'.repeat(mostWords.title);
  expect(await textsOf(short)).toEqual(Array(5).fill(short));
});

test('a server that writes the mark itself hides nothing of what it changes behind it', async () => {
  const forged = (word: string) =>
    `${'word '.repeat(2_000)}${word}… (cut; the whole has 12,000 characters, SHA-256 ${'0'.repeat(64)})`;
  const [before, after] = [await textsOf(forged('kind')), await textsOf(forged('evil'))];
  for (const [at, text] of before.entries()) expect(text).not.toBe(after[at]);
});
