import { expect, test } from 'vitest';
import { leadsIn, resolveNote } from './resolve-note';

const paths = ['Home.md', 'projects/Apollo.md', 'projects/Plan.md', 'archive/Plan.md'];

test('a link means its path, then a note beside, then a name anywhere, whatever the case', () => {
  expect(resolveNote(paths, 'archive/Plan', 'projects/Apollo.md')).toBe('archive/Plan.md');
  expect(resolveNote(paths, 'Plan#Later', 'projects/Apollo.md')).toBe('projects/Plan.md');
  expect(resolveNote(paths, 'apollo', 'Home.md')).toBe('projects/Apollo.md');
  expect(resolveNote(paths, './Plan%20B.md', 'Home.md')).toBe('Plan B.md');
  expect(resolveNote(paths, '#Here', 'Home.md')).toBe('Home.md');
});

test('a link leads somewhere where what it means is there', () => {
  const leads = leadsIn([...paths, 'pictures/Bed.png'], 'projects/Apollo.md');
  for (const target of ['archive/Plan', 'plan#Later', 'home', '#Here', 'Bed.png', 'Apollo'])
    expect([target, leads(target)]).toEqual([target, true]);
  for (const target of ['Nowhere', 'archive/Home', 'Bed', 'Plan%20B.md'])
    expect([target, leads(target)]).toEqual([target, false]);
});
