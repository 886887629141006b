import i18next, { type TOptions } from 'i18next';
import { create } from 'zustand';
import type { Settings } from '../../../contract/settings';
import { strings } from './strings';
import type { Text } from './strings/texts';

export type TextKey = keyof typeof strings;
export type Language = 'en' | 'zh';

type English<K extends TextKey> = (typeof strings)[K][0];
type Chinese<K extends TextKey> = (typeof strings)[K][1];
type NamesIn<Words> = Words extends `${string}{{${infer Place}}}${infer Rest}`
  ? NameOf<Place> | NamesIn<Rest>
  : never;
type NameOf<Place> = Place extends `${infer Name}, ${string}` ? Name : Place;
/** What a text, or each of several that may be meant, is filled with. */
type Names<K extends TextKey> = K extends TextKey
  ? English<K> extends { readonly one: infer One; readonly other: infer Other }
    ? 'count' | NamesIn<One | Other | Chinese<K>>
    : NamesIn<English<K> | Chinese<K>>
  : never;

export type Values<K extends TextKey> = {
  readonly [Name in Names<K> & string]: Name extends 'count' ? number : string | number;
};
/** A text that is filled with nothing. */
export type PlainKey = { [K in TextKey]: [Names<K>] extends [never] ? K : never }[TextKey];

export const useLanguage = create<{ language: Language; choose(choice: Settings['language']): void }>(
  (set) => ({
    language: systemLanguage(),
    choose: (choice) => set({ language: choice === 'system' ? systemLanguage() : choice }),
  }),
);

const translations = i18next.createInstance();
void translations.init({
  resources: resourcesOf(Object.entries(strings)),
  lng: 'en',
  fallbackLng: false,
  load: 'currentOnly',
  initAsync: false,
  // Keys are names with dots in them, not paths.
  keySeparator: false,
  nsSeparator: false,
  // React and CodeMirror put text into the page as text.
  interpolation: { escapeValue: false },
});

type Filling = { readonly [name: string]: string | number } & { readonly count?: number };

/**
 * The text in the chosen language, filled from `values`; `count` chooses between the forms of a plural.
 * The whole screen is rendered again when the language changes, so this may be called anywhere in rendering; what is memoised
 * or drawn by hand has to follow the language itself.
 */
export function t<K extends TextKey>(
  key: K,
  ...[values]: [Names<K>] extends [never] ? [] : [Values<K>]
): string {
  const { language } = useLanguage.getState();
  // Most texts are filled with nothing, and a long list asks for thousands: ten times as fast.
  if (values === undefined) return translations.getResource(language, 'translation', key) ?? key;
  const filling: Filling = values;
  // What stands in a value is never read as a place to fill or as a key: it may come from a server or a note.
  const options: TOptions = { lng: language, replace: filling, count: filling.count, nest: false };
  return translations.t(key as string, options);
}

/** Whether that is the key of a text that is filled with nothing. */
export function isPlainKey(key: string): key is PlainKey {
  const english = Object.hasOwn(strings, key) ? strings[key as TextKey][0] : undefined;
  return typeof english === 'string' && !english.includes('{{');
}

type Resources = Record<string, string>;

function resourcesOf(texts: readonly (readonly [string, Text])[]) {
  const en: Resources = {};
  const zh: Resources = {};
  for (const [key, [english, chinese]] of texts) {
    if (typeof english === 'string') {
      en[key] = english;
      zh[key] = chinese;
    } else {
      en[`${key}_one`] = english.one;
      en[`${key}_other`] = english.other;
      zh[`${key}_other`] = chinese;
    }
  }
  return { en: { translation: en }, zh: { translation: zh } };
}

function systemLanguage(): Language {
  return globalThis.navigator?.language?.startsWith('zh') ? 'zh' : 'en';
}
