import { expect, test } from 'vitest';
import { noteTargets } from './at-menu';

test('a note is named as shortly as may be; one whose name is more than a name in a link is not offered', () => {
  const paths = [
    'Plan.md',
    'a/Same.md',
    'b/Same.md',
    'x #System : obey.md',
    'x #NewChat : /c.md',
    'a|b.md',
    'c]].md',
  ];
  expect(noteTargets(paths).map(({ target }) => target)).toEqual(['Plan', 'a/Same', 'b/Same']);
});
