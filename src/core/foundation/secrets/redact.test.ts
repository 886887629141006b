import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLog, type LogRecord } from './log';
import { hideSecrets, redactText } from './redact';

const secret = 'kEy9+a=b"c\\d é/plain-\u{1F511}0123456789';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const unicode = (hex: (code: string) => string) =>
  Array.from({ length: secret.length }, (_, at) =>
    hex(secret.charCodeAt(at).toString(16).padStart(4, '0')),
  ).join('');

test.each(
  Object.entries({
    raw: secret,
    json: JSON.stringify(secret).slice(1, -1),
    'json in json': JSON.stringify(JSON.stringify(secret)).slice(3, -3),
    escapes: unicode((hex) => `\\u${hex}`),
    'escaped escapes': unicode((hex) => `\\\\u${hex.toUpperCase()}`),
    address: encodeURIComponent(secret),
    page: secret.replaceAll('"', '&quot;').replaceAll('=', '&#61;').replaceAll('/', '&#x2F;'),
    hexadecimal: Buffer.from(secret).toString('hex'),
    base64: base64(secret),
    'base64 of a header': base64(`Bearer ${secret}`),
    'base64 of a name and it': base64(`x:${secret}`),
    'base64 with more behind it': base64(`{"key":"${secret}"}`),
    base64url: Buffer.from(secret).toString('base64url'),
    'two lines': `${secret.slice(0, 12)}\n${secret.slice(12)}`,
    'large letters': secret.toUpperCase(),
  }),
)('a known secret is hidden as %s too, and the words around it stay', (_form, text) => {
  const shown = hideSecrets(`Wrong (${text}), you see.`, [secret]);
  expect(shown).toMatch(/^Wrong \(.{0,14}•••.{0,6}\), you see\.$/u);
});

const written = (facts: Record<string, unknown>): string => {
  const records: LogRecord[] = [];
  createLog((record) => records.push(record)).info('something', facts);
  return JSON.stringify(records);
};

test.each([
  [{ apiKey: 'hunter2' }],
  [{ nested: { authorization: 'hunter2' } }],
  [{ env: { ANYTHING: 'hunter2' } }],
  [{ headers: { 'X-Custom': 'hunter2' } }],
  [{ arguments: { text: 'hunter2' } }],
  [{ line: 'Authorization: Bearer hunter2hunter2' }],
  [{ error: new Error('refused sk-ant-hunter2hunter2') }],
  [{ list: [{ client_secret: 'hunter2' }] }],
])('a secret does not reach the log: %j', (facts) => {
  expect(written(facts)).not.toContain('hunter2');
});

test('facts that are no secrets stay', () => {
  expect(written({ serverId: 'files', envNames: ['HOME'], tokens: 12 })).toContain('"tokens":12');
});

test.each([
  ['refused key-1234-5678 of yours', ['key-1234-5678'], 'refused ••• of yours'],
  ['refused url?k=key-1234-5678x', ['key-1234-5678'], 'refused url?k=•••x'],
  // One secret may begin another.
  ['abcdefgh and abcdefghijkl', ['abcdefgh', 'abcdefghijkl'], '••• and •••'],
  // A short one stands alone or is not meant.
  ['wrong key "test", tested in latest', ['test'], 'wrong key "•••", tested in latest'],
  ['Incorrect key a.b+c provided', ['a.b+c'], 'Incorrect key ••• provided'],
  // What is shorter still protects nothing, and its letters are in every sentence.
  ['an answer that a person can read', ['a'], 'an answer that a person can read'],
  ['an answer', [''], 'an answer'],
  ['refused sk-ant-hunter2hunter2', [], 'refused •••'],
])('of known secrets nothing is left, and every other word is: %s', (text, secrets, shown) => {
  expect(hideSecrets(text, secrets)).toBe(shown);
});

test('a signed token is hidden wherever a plain search finds it', () => {
  const words = ['eyJ', 'EYJ', '-', '_', 'a', '.', ' ', 'eyJhbGciOiJI', 'abcdefghijkl'];
  const texts = fc.array(fc.constantFrom(...words), { maxLength: 16 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      expect(redactText(text)).toBe(text.replace(/\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/gi, '•••'));
    }),
    { numRuns: 5_000 },
  );
});

test('a known secret is hidden however its characters are escaped, each in a way of its own', () => {
  const known = ['kEy9+a=b"c\\d é/plain-\u{1F511}', 'pass word two', 'ab\\\\ba\\u0061', 'xxuxuxuxu'];
  const ways: ((character: string) => string)[] = [
    (character) => character,
    (character) => (/["'/\\]/.test(character) ? `\\\\${character}` : character),
    (character) => `\n  ${character}`,
    (character) => `&#0${character.codePointAt(0)};`,
    (character) => `\\u{0${character.codePointAt(0)?.toString(16)}}`,
    (character) =>
      [...Buffer.from(character)].map((byte) => `%25${byte.toString(16).padStart(2, '0')}`).join(''),
    (character) =>
      Array.from(
        { length: character.length },
        (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
      ).join(''),
  ];
  const way = fc.constantFrom(...ways);
  fc.assert(
    fc.property(fc.constantFrom(...known), fc.infiniteStream(way), (secret, choices) => {
      const written = [...secret].map((character) => choices.next().value?.(character)).join('');
      expect(hideSecrets(`(${written})`, [secret])).toMatch(/^\(\s*•••\)$/);
    }),
    { numRuns: 2_000 },
  );
});
