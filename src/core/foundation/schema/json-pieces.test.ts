import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonPieces, TooDeep } from './json-pieces';

const jsonOf = (value: unknown) => [...jsonPieces(value)].join('');

test('what is written in pieces is read as the value that it was', () => {
  const law = fc.property(fc.jsonValue(), (value) => {
    expect(JSON.parse(jsonOf(value))).toEqual(JSON.parse(JSON.stringify(value)));
  });
  fc.assert(law, { numRuns: Number(process.env.FUZZ_RUNS ?? 300) });
});

test('a text of any length comes in pieces, on one line, and whole', () => {
  const text = `${'é\n\u2028"\\😀'.repeat(30_000)}\ud83d`;
  const pieces = [...jsonPieces({ [text]: [text] })];
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(150_000);
  expect(pieces.join('')).not.toContain('\n');
  expect(JSON.parse(pieces.join(''))).toEqual({ [text]: [text] });
});

test('what is nested too deeply is not written', () => {
  let value: unknown = 1;
  for (let level = 0; level < 5_000; level++) value = [value];
  expect(() => jsonOf(value)).toThrow(TooDeep);
});
