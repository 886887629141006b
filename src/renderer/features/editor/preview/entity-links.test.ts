import { expect, test } from 'vitest';
import { idsIn } from './entity-links';

const ids = (text: string) => idsIn(text).map(({ id }) => id);

test('ids are found between other words, and only whole ones', () => {
  expect(ids('See S-001, (DEC-0123) and T-7; parent: M-004\n- T-010.')).toEqual([
    'S-001',
    'DEC-0123',
    'M-004',
    'T-010',
  ]);
  expect(ids('XT-001 T-001a T-001-2 path/T-001 GPT-400')).toEqual([]);
});

test('an id in a wiki link belongs to that link', () => {
  expect(ids('[[T-001 Measure]] and T-002, [[a]] T-003')).toEqual(['T-002', 'T-003']);
});
