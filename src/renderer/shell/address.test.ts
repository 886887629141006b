import { expect, test } from 'vitest';
import { placeInAddress } from './address';

const linked = (link: string) => placeInAddress(`#link=${encodeURIComponent(link)}`);

test('an address from outside names a note, whatever its path is made of', () => {
  const path = 'Seed library/a & b=c+d.md';
  expect(placeInAddress(`#note=${encodeURIComponent(path)}`)).toEqual({ kind: 'note', path });
  expect(linked(`interlinear://note?path=${encodeURIComponent(path)}`)).toEqual({ kind: 'note', path });
  for (const nothing of ['', '#', '#note=', '#link=', '#other=x']) expect(placeInAddress(nothing)).toBeNull();
});

test('any other link is only text for the form that shows it', () => {
  for (const link of [
    'interlinear://server?config={}',
    'interlinear://note',
    'interlinear://settings?approval=allow',
    'javascript:alert(1)',
    'https://evil.test/note?path=x',
    'nonsense',
  ])
    expect(linked(link)).toEqual({ kind: 'add', text: link });
});
