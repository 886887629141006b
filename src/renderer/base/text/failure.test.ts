import { expect, test } from 'vitest';
import { AppError } from '../../../contract/errors';
import { failureText } from './failure';
import { useLanguage } from './text';

const refused = (differences: object[]) =>
  failureText(
    new AppError('project.refused', 'T-001 was changed since it was read.', {
      ...{ reason: 'conflict', field: 'revision', hint: null },
      differences: differences as [],
    }),
  ).split('\n');

test('what differs is told in the words of the interface', () => {
  const [, again, ...lines] = refused([
    { field: 'status', was: 'in_progress', now: 'completed', yours: 'blocked' },
    { field: 'priority', was: null, now: 'high', yours: 'low' },
    { field: 'goal', was: 'blocked', now: '', yours: 'Peas' },
    { field: 'archived', was: 'false', now: 'true', yours: 'false' },
    { field: 'body', was: null, now: '-one\n+two', yours: null },
  ]);
  expect(again).toMatch(/^Nothing was written/);
  expect(lines).toEqual([
    'Status: it is Completed by now, was In progress; yours: Blocked',
    'Priority: it is High; yours: Low',
    'Goal: it is None by now, was blocked; yours: Peas',
    'Archived: it is Yes by now, was No; yours: No',
    'Text:',
    '-one',
    '+two',
  ]);
});

test('also in the other language', () => {
  useLanguage.getState().choose('zh');
  const [, , line = ''] = refused([
    { field: 'status', was: 'in_progress', now: 'completed', yours: 'blocked' },
  ]);
  useLanguage.getState().choose('en');
  expect(line).toMatch(/^状态：/);
  expect(line).not.toMatch(/[a-z_]/);
});
