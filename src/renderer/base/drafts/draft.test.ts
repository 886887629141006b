import { expect, test } from 'vitest';
import { isEmpty, isSavedByLeaving, noDraft, overtakenFields, sentAs, withTyped } from './draft';

const now = { name: 'One', model: 'a', note: '' };

test('what was typed while a form was being saved goes on from what was saved', () => {
  const sent = withTyped(noDraft, now, { name: 'Two', model: 'b' });
  // The answer is still under way.
  const later = withTyped(sent, now, { name: 'Two and more', note: 'new' });
  const saved = { ...now, ...sent.mine };
  const rest = sentAs(later, now, sent.mine, sent.mine);
  expect(rest.mine).toEqual({ name: 'Two and more', note: 'new' });
  expect(overtakenFields(rest, saved), 'nobody else has written there').toEqual([]);
  expect(isSavedByLeaving(rest, saved, true)).toBe(true);
});

test('a form that was saved as it was sent holds nothing, also where it was saved in other words', () => {
  const sent = withTyped(noDraft, now, { name: ' Two ' });
  expect(isEmpty(sentAs(sent, now, sent.mine, { name: 'Two' }))).toBe(true);
});
