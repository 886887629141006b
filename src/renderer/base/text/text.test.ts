import { afterEach, expect, test } from 'vitest';
import { strings } from './strings';
import type { Text } from './strings/texts';
import { type TextKey, t, useLanguage } from './text';

const texts: readonly (readonly [key: string, text: Text])[] = Object.entries(strings);
const formsOf = (english: Text[0]) =>
  typeof english === 'string' ? [english] : [english.one, english.other];
const places = (text: string) => [...new Set(text.match(/\{\{.*?\}\}/g))].sort();

const before = useLanguage.getState();
afterEach(() => useLanguage.setState(before));
const speak = (language: 'en' | 'zh') => useLanguage.setState({ language });

test('every text is in both languages, filled with the same values', () => {
  for (const [key, [english, chinese]] of texts) {
    const forms = formsOf(english);
    for (const words of [...forms, chinese]) expect(words.trim(), key).not.toBe('');
    // The core's own words in English; elsewhere the details of the failure.
    if (english === '{{message}}') continue;
    expect(places(chinese), key).toEqual(places(forms.join()));
  }
});

test('the form for many says how many', () => {
  for (const [key, [english]] of texts)
    if (typeof english !== 'string') expect(english.other, key).toContain('{{count');
});

test('no key ends as those of the forms of a plural do', () => {
  expect(texts.filter(([key]) => /_(zero|one|two|few|many|other)$/.test(key))).toEqual([]);
});

test('a Chinese text has Chinese punctuation', () => {
  // Within a Latin word, a number or an address it stays: 32,768.
  const latin = /(?<![!-~])[,;:!?()]|[,;:!?()](?![!-~])/;
  const wrong = texts.filter(([, [, chinese]]) => {
    const filled = chinese.replace(/\{\{.*?\}\}/g, '字');
    return /\p{Script=Han}/u.test(filled) && latin.test(filled);
  });
  expect(wrong).toEqual([]);
});

test('in Chinese an agent, a vault and the app have one name each, and a proxy another', () => {
  const wrong = texts.filter(([, [english, chinese]]) => {
    const forms = formsOf(english).join();
    return (
      (/\bagents?\b/i.test(forms) && !chinese.includes('智能体')) ||
      (/代理/.test(chinese) && !/proxy/i.test(forms)) ||
      (/仓库/.test(chinese) && !/\bgit\b/i.test(forms)) ||
      chinese.includes('核心')
    );
  });
  expect(wrong).toEqual([]);
});

test('the number chooses between one and many', () => {
  const said = () => [0, 1, 2, 5].map((count) => t('status.tools', { count }));
  speak('en');
  expect(said()).toEqual(['0 tools', '1 tool', '2 tools', '5 tools']);
  speak('zh');
  expect(said()).toEqual(['0 个工具', '1 个工具', '2 个工具', '5 个工具']);
});

test('every text comes out filled, whatever the number', () => {
  for (const language of ['en', 'zh'] as const) {
    speak(language);
    for (const [key, [english, chinese]] of texts) {
      const names = places([...formsOf(english), chinese].join()).map(
        (place) => place.match(/\w+/)?.[0] ?? '',
      );
      for (const count of [0, 1, 2, 5]) {
        const values = { ...Object.fromEntries(names.map((name) => [name, '~'])), count };
        const words = (t as (key: string, values: object) => string)(key, values);
        expect(words, key).not.toBe(key);
        expect(words, key).not.toMatch(/\{\{|\}\}/);
      }
    }
  }
});

test('a number is written with its thousands apart where the text says so', () => {
  for (const language of ['en', 'zh'] as const) {
    speak(language);
    expect(t('run.characters', { count: 12_345 })).toContain('12,345');
  }
});

test.each(['{{count}} | $& {{name}}', '$t(ui.close)', '<b>&amp;</b>'])(
  'a value that says %s is shown as it is',
  (name) => {
    speak('en');
    expect(t('files.deleteTitle', { name })).toContain(name);
  },
);

test('a value that is missing or not asked for is an error of types', () => {
  speak('en');
  const wrong = () => {
    // @ts-expect-error without its value
    t('files.deleteTitle');
    // @ts-expect-error another name
    t('files.deleteTitle', { path: 'A' });
    // @ts-expect-error nothing is filled in
    t('ui.close', { name: 'A' });
    // @ts-expect-error a text instead of a number
    t('status.tools', { count: '1' });
    // @ts-expect-error of several that may be meant
    t('ui.close' as 'ui.close' | 'files.deleteTitle', {});
    // @ts-expect-error no such text
    t('no.such.text');
    // @ts-expect-error any text at all
    t('ui.close' as TextKey);
  };
  expect(wrong).toBeTypeOf('function');
});
