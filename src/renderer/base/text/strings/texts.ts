/**
 * A text as i18next reads it: `{{name}}` is filled in, `{{name, number}}` as a number of the language. Where English has a form
 * for one, `one` and `other` are chosen by the value `count`.
 */
export type Text = readonly [
  english: string | { readonly one: string; readonly other: string },
  chinese: string,
];

export type Texts = Readonly<Record<string, Text>>;
