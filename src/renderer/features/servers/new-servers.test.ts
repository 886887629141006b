import { expect, test } from 'vitest';
import { cardsOf } from './new-servers';

const nothing = { leftOut: [], edits: {} };
const offered = {
  servers: [
    { name: 'a', command: 'npx' },
    { name: 'b', url: 'https://b.example' },
  ],
  skipped: [
    { server: 'a', what: 'headersHelper', reason: 'why' },
    { server: 'c', what: null, reason: 'why' },
  ],
};
const keys = cardsOf(offered, nothing).cards.map(({ key }) => key);
const [first = '', second = ''] = keys;

test('what a person did to a server holds for that server and no other', () => {
  const { cards } = cardsOf(offered, { leftOut: [], edits: { [second]: { name: 'other' } } });
  expect(cards.map(({ draft }) => draft)).toEqual([
    { name: 'a', command: 'npx' },
    { name: 'other', url: 'https://b.example' },
  ]);
  expect(cards.map(({ key }) => key)).toEqual(keys);
});

test('of a server that is left out nothing is said to be skipped either', () => {
  const { cards, skipped } = cardsOf(offered, { leftOut: [first], edits: {} });
  expect(cards.map(({ draft }) => draft.name)).toEqual(['b']);
  expect(skipped.map(({ server }) => server)).toEqual(['c']);
});

test('a server that says something else begins anew, one of the same words in another place too', () => {
  const swapped = { ...offered, servers: [...offered.servers].reverse() };
  const { cards } = cardsOf(swapped, { leftOut: [first], edits: { [second]: { name: 'other' } } });
  expect(cards.map(({ draft }) => draft.name)).toEqual(['b', 'a']);
});
