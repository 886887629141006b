import { expect, test } from 'vitest';
import { createOutdatedVersions } from './outdated-versions';

const now = 1_000_000;

test('a content of before a save is outdated for a while, after that somebody has put it back', () => {
  const versions = createOutdatedVersions();
  versions.saved('a', 'b', now);
  expect(versions.outdatedFor('a', now + 500)).toBe(1_500);
  expect(versions.outdatedFor('a', now + 2_000)).toBe(0);
  expect(versions.outdatedFor('b', now)).toBeLessThan(0);
});

test('a version that a save brings back is none of before', () => {
  const versions = createOutdatedVersions();
  versions.saved('a', 'b', now);
  versions.saved('b', 'a', now + 100);
  expect(versions.outdatedFor('a', now + 200)).toBeLessThan(0);
  expect(versions.outdatedFor('b', now + 200)).toBe(1_900);
});

test('after a save that was refused any content is shown', () => {
  const versions = createOutdatedVersions();
  versions.saved('a', 'b', now);
  versions.clear();
  expect(versions.outdatedFor('a', now)).toBeLessThan(0);
});
