import { expect, test } from 'vitest';
import { strings } from './strings';
import { t, useLanguage } from './text';

test('both languages fill in the same values', () => {
  const values = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
  for (const [key, [english, chinese]] of Object.entries(strings)) {
    expect({ key, values: values(chinese) }).toEqual({ key, values: values(english) });
  }
});

test('a Chinese text has Chinese punctuation', () => {
  // Within a Latin word, a number or an address it stays: 32,768.
  const latin = /(?<![!-~])[,;:!?()]|[,;:!?()](?![!-~])/;
  const wrong = Object.entries(strings).filter(([, [, chinese]]) => {
    const filled = chinese.replace(/\{\{?\w+\}?\}/g, '字');
    return /\p{Script=Han}/u.test(filled) && latin.test(filled);
  });
  expect(wrong).toEqual([]);
});

test('in Chinese an agent, a vault and the app have one name each, and a proxy another', () => {
  const wrong = Object.values(strings).filter(
    ([english, chinese]) =>
      (/\bagents?\b/i.test(english) && !chinese.includes('智能体')) ||
      (/代理/.test(chinese) && !/proxy/i.test(english)) ||
      (/仓库/.test(chinese) && !/\bgit\b/i.test(english)) ||
      chinese.includes('核心'),
  );
  expect(wrong).toEqual([]);
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
