import { expect, test } from 'vitest';
import { createLinkTargets } from '../../../../markdown';
import { leadsIn, resolveNote } from './resolve-note';

const targets = createLinkTargets();
for (const path of [
  'Home.md',
  'projects/Apollo.md',
  'projects/Plan.md',
  'archive/Plan.md',
  'pictures/Bed.png',
])
  targets.add(path);

test('a link means its path, then a note beside, then a name anywhere, whatever the case', () => {
  expect(resolveNote(targets, 'archive/Plan', 'projects/Apollo.md')).toBe('archive/Plan.md');
  expect(resolveNote(targets, 'Plan#Later', 'projects/Apollo.md')).toBe('projects/Plan.md');
  expect(resolveNote(targets, 'apollo', 'Home.md')).toBe('projects/Apollo.md');
  expect(resolveNote(targets, './Plan B.md', 'Home.md')).toBe('Plan B.md');
  expect(resolveNote(targets, '../archive/Plan', 'projects/Apollo.md')).toBe('archive/Plan.md');
  expect(resolveNote(targets, '#Here', 'Home.md')).toBe('Home.md');
});

test('a link leads somewhere where what it means is there', () => {
  const leads = leadsIn(targets, 'projects/Apollo.md');
  for (const target of ['archive/Plan', 'plan#Later', 'home', '#Here', 'Bed.png', 'Apollo'])
    expect([target, leads(target)]).toEqual([target, true]);
  for (const target of ['Nowhere', 'archive/Home', 'Bed', 'Plan B.md'])
    expect([target, leads(target)]).toEqual([target, false]);
});
