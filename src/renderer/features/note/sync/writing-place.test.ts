import { ChangeSet } from '@codemirror/state';
import { expect, test } from 'vitest';
import { arrivals } from './writing-place';

const inserted = (clientId: string, at: number, insert: string, length: number) => ({
  clientId,
  changes: ChangeSet.of({ from: at, insert }, length),
});

test('where a hand wrote last is carried over what others wrote after it, and over what is typed here', () => {
  const model = inserted('model', 4, 'answer', 10);
  const other = inserted('other', 0, 'above ', 16);
  expect(arrivals([model, other], [model, other], [])).toEqual([
    { clientId: 'model', at: 16 },
    { clientId: 'other', at: 6 },
  ]);
  const typed = ChangeSet.of({ from: 2, insert: 'mine' }, 22);
  expect(arrivals([model, other], [model, other], [typed])).toEqual([
    { clientId: 'model', at: 20 },
    { clientId: 'other', at: 10 },
  ]);
});

test('of a hand that wrote twice it is the later place, and what stands behind it does not move it', () => {
  const first = inserted('model', 4, 'one', 10);
  const own = inserted('me', 7, '!', 13);
  const second = inserted('model', 7, ' two', 14);
  const behind = ChangeSet.of({ from: 11, insert: ' typed' }, 18);
  expect(arrivals([first, second], [first, own, second], [behind])).toEqual([{ clientId: 'model', at: 11 }]);
});
