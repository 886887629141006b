import { ChangeSet } from '@codemirror/state';
import { expect, test } from 'vitest';
import { createPins } from './pins';

test('a pin goes with what stands before it, until it is removed', () => {
  const pins = createPins();
  const pin = pins.put(3);
  pins.map(ChangeSet.of({ from: 3, insert: 'ab' }, 5));
  expect(pin.at).toBe(5);
  pin.remove();
  pins.map(ChangeSet.of({ from: 0, insert: 'x' }, 7));
  expect(pin.at).toBe(5);
});
