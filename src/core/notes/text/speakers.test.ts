import { Text } from '@codemirror/state';
import { expect, test } from 'vitest';
import { parseConversation } from '../../../markdown';
import { diff } from './diff';
import { conflictTitle, merge } from './merge';

const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude', 'Other'] };
const docOf = (text: string) => Text.of(text.split('\n'));

/** Who says each of the words with a number in them; `quoted` for what stands in a callout about both sides. */
function speakers(text: string): Map<string, string> {
  const { turns } = parseConversation(text, tags, []);
  const isQuoted = (at: number) => {
    const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
    return line.startsWith('>') && text.slice(0, at).includes(conflictTitle);
  };
  return new Map(
    [...text.matchAll(/[a-z]+\d/g)].map(({ 0: word, index }) => [
      word,
      isQuoted(index) ? 'quoted' : (turns.findLast(({ from }) => from <= index)?.tag ?? 'nobody'),
    ]),
  );
}

/** What each made of a note that ended with `note`, and behind that `end`. */
const notes = [
  '#User : asked0',
  '#User : asked0\n\n#Claude : said0',
  '# Head\n\nplain0',
  '#User : asked0\n\n- item0',
];
const ends = ['', '\n', '\n\n\n'];
const rests = ['', '\n#User : next0\n'];
const words = ['\n\nput1', '\nput1', ' put1', '\n- put1', '\n\nput1\n\nput2'];
const turns = [
  '\n\n#User : put1',
  '\n\n#System : put1',
  '\n\n#Claude : put1',
  '\n#Other : put1\n\nput2',
  '\n\nput1\n\n#User : put2',
  '\n\n#Claude : put1\n\n#User : ',
  '\n\n#Claude : put1\n\n#User : put2',
];
const withOther = (text: string) => text.replaceAll('put', 'other');

test('whatever two hands put at one place of a note, everybody says what they said, and nothing is lost', () => {
  let joins = 0;
  let quotes = 0;
  for (const note of notes)
    for (const end of ends)
      for (const rest of rests)
        for (const ours of [...words, ...turns])
          for (const theirs of [...words, ...turns].map(withOther)) {
            if (rest !== '' && end === '') continue;
            const [base, our, their] = [
              note + end + rest,
              note + ours + end + rest,
              note + theirs + end + rest,
            ];
            const [baseDoc, ourDoc, theirDoc] = [base, our, their].map(docOf) as [Text, Text, Text];
            const sides = { ours: diff(baseDoc, ourDoc), theirs: diff(baseDoc, theirDoc) };
            const text = merge(baseDoc, sides, ourDoc, theirDoc).changes.apply(ourDoc).toString();
            const [by, byOther, joined] = [our, their, text].map(speakers) as [
              Map<string, string>,
              Map<string, string>,
              Map<string, string>,
            ];
            joins++;
            for (const [word, speaker] of [...by, ...byOther]) {
              if (by.has(word) && byOther.has(word)) continue;
              const now = joined.get(word);
              if (now === 'quoted') quotes++;
              else expect(now, JSON.stringify({ base, our, their, text, word })).toBe(speaker);
            }
            for (const [word, speaker] of by)
              if (byOther.has(word)) expect([speaker, byOther.get(word)]).toContain(joined.get(word));
          }
  expect(joins).toBe(notes.length * 5 * (words.length + turns.length) ** 2);
  // Few fit nowhere.
  expect(quotes).toBeLessThan(joins / 20);
});
