import type { Range } from '@codemirror/state';
import type { Decoration } from '@codemirror/view';
import { expect, test } from 'vitest';
import { drawSyntax } from './draw-syntax';

/** What a person reads of a line that they are not in. */
function shown(text: string): string {
  const decorations: Range<Decoration>[] = [];
  const leads = () => true;
  drawSyntax({ text, lineFrom: 0, offset: 0, active: false, links: [], leads }, decorations);
  const isHidden = (at: number) =>
    decorations.some(({ from, to, value }) => from <= at && at < to && value.spec.class === undefined);
  return [...text].filter((_, at) => !isHidden(at)).join('');
}

test.each([
  ['> quote', 'quote'],
  ['>quote', 'quote'],
  ['>>deep', 'deep'],
  ['> > deep', 'deep'],
  ['>9 lives', '9 lives'],
  ['>"said"', '"said"'],
  ['>\tbehind a tab', 'behind a tab'],
  ['>', ''],
])('of the quote %j all but its marks is shown', (text, expected) => {
  expect(shown(text)).toBe(expected);
});
