import type { Range } from '@codemirror/state';
import type { Decoration } from '@codemirror/view';
import { expect, test } from 'vitest';
import { linksOf } from './draw-link';
import { drawSyntax } from './draw-syntax';

/** What a person reads of a line that they are not in. */
function shown(text: string): string {
  const decorations: Range<Decoration>[] = [];
  const leads = () => true;
  drawSyntax(
    { text, lineFrom: 0, offset: 0, active: false, links: linksOf({ from: 0, text }), leads },
    decorations,
  );
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

test.each([
  ['see [[Plans/Secret|this]] now', 'see this now'],
  ['see [[Plans/Secret]] now', 'see Secret now'],
  ['see [[Plans/Secret|]] now', 'see Secret now'],
  ['see [[Secret|\u200b]] now', 'see Secret now'],
  ['see [[Secret| \u3164]] now', 'see Secret now'],
  ['see ![[Secret|]] now', 'see Secret now'],
  ['see [[Secret\\|this]] now', 'see this now'],
  ['see [[Plans/Secret\\|]] now', 'see Secret now'],
  ['see [this](Secret.md) now', 'see this now'],
  ['see ![this](Secret.md) now', 'see this now'],
  ['see ![](Secret.md) now', 'see ![](Secret.md) now'],
  ['see ![this](Picture.png) now', 'see  now'],
  ['see [](Secret.md) now', 'see [](Secret.md) now'],
  ['see [\u200b](Secret.md) now', 'see [\u200b](Secret.md) now'],
])('a link to a note is seen: %j', (text, expected) => {
  expect(shown(text)).toBe(expected);
});
