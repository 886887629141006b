import { create } from 'zustand';
import type { Settings } from '../../../contract/settings';
import { strings } from './strings';

export type TextKey = keyof typeof strings;
export type Language = 'en' | 'zh';

export const useLanguage = create<{ language: Language; choose(choice: Settings['language']): void }>(
  (set) => ({
    language: systemLanguage(),
    choose: (choice) => set({ language: choice === 'system' ? systemLanguage() : choice }),
  }),
);

/**
 * The text in the chosen language. `{name}` is filled from `values`; of `one|many` the half for `values.n` is taken.
 * The whole screen is rendered again when the language changes, so this may be called anywhere in rendering; what is memoised
 * or drawn by hand has to follow the language itself.
 */
export function t(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  const { language } = useLanguage.getState();
  const text = strings[key][language === 'en' ? 0 : 1];
  const [one, many] = text.split('|');
  const chosen = many === undefined || values.n === 1 ? (one ?? '') : many;
  return chosen.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

function systemLanguage(): Language {
  return globalThis.navigator?.language?.startsWith('zh') ? 'zh' : 'en';
}
