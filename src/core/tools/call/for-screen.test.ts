import { expect, test } from 'vitest';
import type { CallOutcome, ResultPart } from '../../../contract/tools';
import { forScreen } from './for-screen';

const shown = (...parts: ResultPart[]) => forScreen({ parts } as unknown as CallOutcome).parts;
const long = 'x'.repeat(3_000_000);

test('of a text that is too long for a screen the beginning is shown, and that it was cut', () => {
  const resource: ResultPart = { kind: 'resource', uri: 'a:b', mediaType: null, text: 'more' };
  const [first, second] = shown({ kind: 'text', text: long }, resource);
  expect(JSON.stringify(first)).toMatch(/^.{1999000,2000100}\(cut; the whole has 3,000,000 characters\)"\}$/);
  expect(second).toEqual({ ...resource, text: '… (cut; the whole has 4 characters)' });
});

test('data that is too long for a screen is not shown, and that is said', () => {
  expect(shown({ kind: 'json', value: { a: [long] } })).toEqual([
    { kind: 'text', text: '(Structured data that is too long to be shown here.)' },
  ]);
});

test('all else stays as it is', () => {
  const parts: ResultPart[] = [
    { kind: 'text', text: 'a' },
    { kind: 'json', value: { a: 1 } },
    { kind: 'image', mediaType: 'image/png', base64: long },
    { kind: 'link', uri: 'a:b', name: 'n' },
  ];
  expect(shown(...parts)).toEqual(parts);
});
