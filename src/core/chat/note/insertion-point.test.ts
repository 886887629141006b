import { expect, test } from 'vitest';
import { createMemorySession } from '../../../../tests/chat/support/memory-notes';
import { writingPlace } from '../../../markdown';
import { createInsertionPoint } from './insertion-point';

function pointIn(note: string) {
  const session = createMemorySession('A.md', note.replace('|', ''), Date.now);
  const point = createInsertionPoint(session, 'hand', note.indexOf('|'));
  const shown = () =>
    `${session.text().slice(0, point.position())}|${session.text().slice(point.position())}`;
  return { session, point, shown };
}

const begun: [string, (point: ReturnType<typeof createInsertionPoint>) => void][] = [
  ['before anything is written', () => undefined],
  ['behind what was written', (point) => point.put('M1M')],
  ['where it was moved', (point) => point.moveTo(3)],
];

for (const [when, begin] of begun) {
  test.each([' K1K', '\tK1K K2K'])(`what others type there stands above it, ${when}: %j`, (words) => {
    const { session, point, shown } = pointIn('Ab |cd');
    begin(point);
    const [above, below] = shown().split('|');
    session.edit('person', { from: point.position(), insert: words });
    expect(shown()).toBe(`${above}${words}|${below}`);
    expect(point.tail()).toBe(above?.length);
  });

  test.each(['\nK1K', '\n', '#User : K1K', ' #Us', '\u2028K1K'])(
    `a line that others put there, or what may be a tag, stands below it, ${when}: %j`,
    (words) => {
      const { session, point, shown } = pointIn('Ab |cd');
      begin(point);
      const [above, below] = shown().split('|');
      session.edit('person', { from: point.position(), insert: words });
      expect(shown()).toBe(`${above}|${words}${below}`);
      expect(point.tail()).toBe(above?.length);
      point.put('M2M');
      expect(shown()).toBe(`${above}M2M|${words}${below}`);
      // That is where it was put, whatever comes behind it.
      session.edit('person', { from: point.position(), insert: ' K2K' });
      expect(shown()).toBe(`${above}M2M K2K|${words}${below}`);
    },
  );
}

const above = '#User : hi\n\n```\nQ1Q\n```\n\n#Claude : A\n\nB\n';

test.each<[string, string, string, string]>([
  ['itself puts words there', 'hand', 'M1M|', ' M2M'],
  ['itself opens code above', 'hand', '|#User', '~~~\n'],
  ['itself opens code in the lines above', 'hand', '|A\n', '\n~~~\n'],
  ['itself opens code in the line above', 'hand', '|B\n', '~~~\n'],
  ['itself puts words above', 'hand', '|#User', 'K1K\n\n'],
  ['itself puts words into its line', 'hand', '|M1M', 'M0M '],
  ['itself puts something below', 'hand', '|NEXT', 'K1K '],
  ['does nothing, and another opens code above', 'person', '|#User', '~~~\n'],
  ['does nothing, and another opens code in the lines above', 'person', '|A\n', '\n~~~\n'],
])(
  'where it stands is told as if the note were read anew, where the hand %s',
  (_what, hand, there, words) => {
    const { session, point } = pointIn(`${above}M1M|\n\n#User : NEXT`);
    point.place();
    for (let time = 0; time < 3; time++) {
      const from = session.text().indexOf(there.replace('|', '')) + there.indexOf('|');
      const change = { from, insert: words };
      if (hand === 'person') session.edit(hand, change);
      else if (there === 'M1M|') point.put(words);
      else point.edit(change);
      const lines = session.text().slice(0, point.position());
      expect(point.place()).toEqual(writingPlace({ lines, above: null }));
    }
  },
);

test('it is settled until somebody else changes the note', () => {
  const { session, point } = pointIn('A|\n');
  expect(point.isSettled()).toBe(false);
  point.put('b');
  expect(point.isSettled()).toBe(false);
  point.settle();
  point.put('c');
  point.edit({ from: 0, insert: 'd' });
  expect(point.isSettled()).toBe(true);
  session.edit('person', { from: 0, insert: 'e' });
  point.put('f');
  expect(point.isSettled()).toBe(false);
  point.settle();
  point.unsettle();
  expect(point.isSettled()).toBe(false);
});
