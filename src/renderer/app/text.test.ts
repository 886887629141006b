import { expect, test } from 'vitest';
import { strings } from './strings';
import { t, useLanguage } from './text';

test('both languages fill in the same values', () => {
  const values = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
  for (const [key, [english, chinese]] of Object.entries(strings)) {
    expect({ key, values: values(chinese) }).toEqual({ key, values: values(english) });
  }
});

test('the number chooses between one and many', () => {
  useLanguage.getState().choose('en');
  expect(t('status.tools', { n: 1 })).toBe('1 tool');
  expect(t('status.tools', { n: 15 })).toBe('15 tools');
});

test('a value that looks like a place to fill is not filled again', () => {
  useLanguage.getState().choose('en');
  expect(t('files.deleteTitle', { name: '{n} | $& {name}' })).toContain('{n} | $& {name}');
});
