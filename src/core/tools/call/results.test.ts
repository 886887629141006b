import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inert, inertInTurns, inertPieces } from '../../foundation';
import { resultParts, textBytes } from './results';

test.each([
  ['colours of a terminal', '\u001b[31mred\u001b[0m', 'red'],
  ['a title of a terminal', '\u001b]0;title\u0007text', 'text'],
  ['a link of a terminal', '\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\', 'click'],
  ['text hidden in tag characters', 'a\u{e0068}\u{e0069}b', 'a\\u{e0068}\\u{e0069}b'],
  ['a direction override', 'abc\u202etxt', 'abc\\u{202e}txt'],
  ['zero-width letters', 'a\u200bb\ufeff', 'a\\u{200b}b\\u{feff}'],
  ['bytes in variation selectors', 'a\ufe01\ufe02', 'a\\u{fe01}\\u{fe02}'],
  ['a bell and a null', 'a\u0007\u0000', 'a\\u{7}\\u{0}'],
  ['a lone surrogate', 'a\ud800', 'a\ufffd'],
  ['line ends', 'a\r\nb\rc', 'a\nb\nc'],
])('%s', (_name, text, expected) => {
  expect(inert(text)).toBe(expected);
});

test.each(['Grüße 你好 😀', '👩‍👩‍👧 ❤️ 👩‍❤️‍👨', 'می‌خواهم', '\ttab\nline'])('%s stays as it is', (text) => {
  expect(inert(text)).toBe(text);
});

/** Any code point, lone halves of pairs among them, and those that must not stay more often than chance has them. */
const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0x10ffff }),
      fc.integer({ min: 0, max: 0x9f }),
      fc.integer({ min: 0x200b, max: 0x206f }),
      fc.constantFrom(0x1b, 0x5b, 0x5d, 0x07, 0x9b, 0x5c, 0x6d),
    ),
    { maxLength: 24 },
  )
  .map((codes) => String.fromCodePoint(...codes));
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const forbidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

test('what is inert stays so, and no control character is left', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const once = inert(text);
      return inert(once) === once && !forbidden.test(once);
    }),
    { numRuns: 2000 },
  );
});

test('text that only repeats the structured content is kept once', async () => {
  const structured = { items: [1, 2] };
  const parts = [{ kind: 'text', text: JSON.stringify(structured, null, 2) }] as const;
  expect(await resultParts({ isError: false, parts, structured })).toEqual([
    { kind: 'json', value: structured },
  ]);
});

test('text beside structured content stays', async () => {
  const parts = [{ kind: 'text', text: 'Two items.' }] as const;
  expect(await resultParts({ isError: false, parts, structured: { items: 2 } })).toHaveLength(2);
});

test('what is large is made inert as what is small, while others have their turns', async () => {
  for (const unit of [
    'a\u202e \u001b[31mred\r\n',
    'rather few \u202e',
    '\ud83d\ude00',
    '\u200b rather few\n',
  ])
    for (const length of [1, 499_999, 500_001, 1_200_003]) {
      const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
      const whole = [...inertPieces(text)].join('');
      const value = { [text.slice(0, 9)]: [text, { deep: text }], number: 1, nothing: null };
      let turns = 0;
      let isOver = false;
      const count = (): void => {
        turns++;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      const made = await inertInTurns(value);
      isOver = true;
      expect(made).toEqual({
        [inert(text.slice(0, 9))]: [whole, { deep: whole }],
        number: 1,
        nothing: null,
      });
      expect(turns).toBeGreaterThanOrEqual(Math.floor((2 * length) / 500_000));
    }
});

test('bytes are counted as they are written, pictures apart', () => {
  expect(
    textBytes([
      { kind: 'text', text: 'äß' },
      { kind: 'image', mediaType: 'image/png', base64: 'AAAA' },
      { kind: 'resource', uri: 'x:ä', mediaType: null, text: 'b' },
    ]),
  ).toBe(9);
});
