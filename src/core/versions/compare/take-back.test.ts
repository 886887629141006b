import { Text } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesFor, lineHunks } from './hunks';
import { createPreviews } from './previews';
import { takeBack, writtenByOthers } from './take-back';

const textOf = (text: string) => Text.of(text.split('\n'));
const wordsOf = (text: string) => text.match(/\w+/g) ?? [];
const count = (text: string, word: string) => wordsOf(text).filter((one) => one === word).length;

const change = fc.record({
  kind: fc.constantFrom('put' as const, 'replace' as const, 'delete' as const),
  at: fc.nat(20),
});
const lines = [0, 1, 2].map((line) => [0, 1, 2, 3].map((word) => `before${line}x${word}`).join(' '));
const first = lines.join('\n');

/** Puts in, replaces or deletes a word of its author’s; nobody deletes a person’s. */
function edited(text: string, { kind, at }: { kind: string; at: number }, word: string): string {
  const places = [...text.matchAll(/\w+/g)].filter(([one]) => !one.startsWith('mine'));
  const place = places[at % Math.max(1, places.length)];
  if (!place) return `${text} ${word}`;
  const [from, to] = [place.index, place.index + place[0].length];
  const insert = kind === 'put' ? `${place[0]} ${word}` : kind === 'replace' ? word : '';
  return text.slice(0, from) + insert + text.slice(to);
}

type Change = { readonly kind: string; readonly at: number };

function play(tools: Change[], mine: Change[], picks: boolean[], later: Change[]): void {
  const docs = [first];
  let number = 0;
  const last = () => docs.at(-1) ?? '';
  docs.push(tools.reduce((text, one) => edited(text, one, `tool${number++}`), first));
  const isOwn = (step: number) => step === 1;
  const type = (one: { kind: string; at: number }) => docs.push(edited(last(), one, `mine${number++}`));
  const restore = (isChosen: (at: number, isOthers: boolean) => boolean) => {
    const all = docs.map(textOf);
    const { text, doubtful } = takeBack(all, isOwn);
    const [now, then] = [textOf(last()), text];
    const others = [...writtenByOthers(all, isOwn), ...doubtful];
    const shown = createPreviews().show(last(), then.toString(), null, others).hunks;
    const hunks = lineHunks(now, then).filter((_, at) => isChosen(at, shown[at]?.others === true));
    docs.push(changesFor(hunks, now, then).apply(now).toString());
  };
  const checked = (before: string) => {
    for (const word of wordsOf(before)) if (word.startsWith('mine')) expect(count(last(), word)).toBe(1);
    for (const word of wordsOf(first))
      expect(count(last(), word)).toBeLessThanOrEqual(Math.max(count(first, word), count(before, word)));
  };
  for (const one of mine) type(one);
  let before = last();
  restore((at, isOthers) => !isOthers && (picks[at] ?? false));
  checked(before);
  for (const one of later) type(one);
  before = last();
  restore((_, isOthers) => !isOthers);
  checked(before);
  restore(() => true);
  const once = last();
  restore(() => true);
  expect(last()).toBe(once);
}

test('restored again nothing changes, no word of a person’s is lost, and none that was there is doubled', () => {
  fc.assert(
    fc.property(
      fc.array(change, { minLength: 1, maxLength: 4 }),
      fc.array(change, { maxLength: 3 }),
      fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      fc.array(change, { maxLength: 2 }),
      play,
    ),
    { numRuns: 120 },
  );
});

test.each([
  ['put back by hand', ['a dentist', 'a surgeon', 'a dentist now'], 'a dentist now'],
  ['deleted', ['a dentist', 'a surgeon', 'a'], 'a'],
  ['standing beside a person’s', ['a dentist', 'a surgeon', 'a surgeon now'], 'a dentist now'],
  ['taken back and undone', ['a dentist', 'a surgeon', 'a dentist', 'a surgeon'], 'a dentist'],
  ['a line, put back with another', ['a\nb\nc', 'a\nc', 'a\nb\nx\nc'], 'a\nb\nx\nc'],
])('what an answer’s tool wrote: %s', (_, texts, then) => {
  expect(takeBack(texts.map(textOf), (step) => step === 1).text.toString()).toBe(then);
});
