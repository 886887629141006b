import { expect, test } from 'vitest';
import { resultParts } from '../../tools/call/results';
import { readCallResult } from './call-result';

const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`k${index}`, index]));
const json = JSON.stringify(many);

test('an answer of very many values is kept whole, as one text', async () => {
  const parts = await resultParts(readCallResult({ content: [], structuredContent: many }, []));
  expect(parts).toEqual([{ kind: 'text', text: json }]);
});

test('it is kept once where its text says the same', () => {
  const content = [{ type: 'text', text: JSON.stringify(many, null, 2) }];
  expect(readCallResult({ content, structuredContent: many }, []).parts).toEqual([
    { kind: 'text', text: content[0]?.text },
  ]);
});

test('few values stay data', async () => {
  const read = readCallResult({ content: [], structuredContent: { a: [1, null] } }, []);
  expect(await resultParts(read)).toEqual([{ kind: 'json', value: { a: [1, null] } }]);
});

test('an answer in the form of the oldest revision stays data, and as one text where it has very many values', () => {
  expect(readCallResult({ toolResult: { a: 1 } }, []).parts).toEqual([{ kind: 'unknown', value: { a: 1 } }]);
  expect(readCallResult({ toolResult: many }, []).parts).toEqual([{ kind: 'text', text: json }]);
  expect(readCallResult({ content: [], _meta: { many } }, [])).not.toHaveProperty('meta');
});

test('content of a type that is not known stays data, what has no type at all is no answer', () => {
  const cube = { type: 'hologram', shape: 'cube' };
  expect(readCallResult({ content: [cube] }, []).parts).toEqual([{ kind: 'unknown', value: cube }]);
  expect(() => readCallResult({ content: [{ shape: 'cube' }] }, [])).toThrow('content 1 has no type');
});

test('of a hundred thousand broken parts a few are looked at', () => {
  const looks: number[] = [];
  const content = Array.from({ length: 100_000 }, (_, at) => ({
    get type() {
      looks.push(at);
      return 'text';
    },
    text: 1,
  }));
  expect(() => readCallResult({ content }, [])).toThrow('content 5 has');
  expect(new Set(looks).size).toBe(6);
});
