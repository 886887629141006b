import { expect, test } from 'vitest';
import { noteInAddress } from './address';

test('a link from outside names a note, whatever its path is made of', () => {
  expect(noteInAddress(`#note=${encodeURIComponent('Seed library/a & b=c+d.md')}`)).toBe(
    'Seed library/a & b=c+d.md',
  );
  for (const nothing of ['', '#', '#note=', '#other=x']) expect(noteInAddress(nothing)).toBeNull();
});
