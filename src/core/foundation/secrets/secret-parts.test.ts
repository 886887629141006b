import fc from 'fast-check';
import { expect, test } from 'vitest';
import { secretParts } from './secret-parts';

const scheme = /(?<scheme>[a-z][\w+.-]*):\/\/(?<who>[^/\s?#]+)@/gi;
const bare = /(?:^|[\s=])(?<who>(?!(?:npm|jsr|file|workspace|git|github):)[\w.+-]+:[^\s@/]+)@[\w[(.-]/g;

/** As plainly as it can be said, whatever it costs. */
function whoIsNamed(text: string): string[] {
  const found = [...text.matchAll(scheme), ...text.matchAll(bare)].flatMap(
    ({ groups = {}, index, 0: whole }) => {
      const { scheme: name = null, who = '' } = groups;
      if (name !== null && !/^https?$/i.test(name) && !who.includes(':') && who.length < 16) return [];
      const start = index + whole.lastIndexOf(`${who}@`);
      return [{ start, end: start + who.length }];
    },
  );
  const taken = found.filter(
    (part, at) => !found.slice(0, at).some(({ start, end }) => part.end > start && part.start < end),
  );
  return taken.sort((a, b) => a.start - b.start).map(({ start, end }) => text.slice(start, end));
}

test('who is named in an address is found wherever a plain search finds it', () => {
  const words = [
    'a',
    '1',
    '_',
    '-',
    '.',
    ':',
    '://',
    '/',
    '@',
    '=',
    ' ',
    '\n',
    '(',
    'git',
    'http',
    'longer.than.many.names',
  ];
  const texts = fc.array(fc.constantFrom(...words), { maxLength: 14 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      const parts = secretParts({ text, place: 'value' });
      expect(parts.map(({ start, end }) => text.slice(start, end))).toEqual(whoIsNamed(text));
    }),
    { numRuns: 5_000 },
  );
});

test('of secrets that lie over each other the first of a kind is taken', () => {
  const text = 'https://a:sk-abcdefghijkl@host/?key=sk-abcdefghijkl&token=b';
  const parts = secretParts({ text, place: 'value' });
  expect(parts.map(({ start, end, name }) => [name, text.slice(start, end)])).toEqual([
    ['password', 'a:sk-abcdefghijkl'],
    ['key', 'sk-abcdefghijkl'],
    ['token', 'b'],
  ]);
});
