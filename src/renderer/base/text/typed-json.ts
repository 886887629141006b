import { changedNumber, shortNumber } from '../../../contract/changed-number';
import { argumentsFault, jsonFault } from '../../../contract/json';
import { keyTwice } from '../../../contract/key-twice';
import { t } from './text';

/**
 * What stands in a box and is no value yet. It takes the value's place wherever a form holds values, so that an older
 * value can never be sent behind what is shown, and nothing typed is lost.
 */
export class Unread {
  constructor(
    readonly text: string,
    readonly problem: string,
  ) {}
}

/** Undefined for an empty box. */
export function readJson(text: string, faultOf: (value: unknown) => string | null = jsonFault): unknown {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const unlike = textFault(text);
    if (unlike !== null) return new Unread(text, unlike);
    const fault = faultOf(value);
    return fault === null ? value : new Unread(text, `It ${fault}.`);
  } catch (error) {
    return new Unread(text, t('form.badJson', { reason: error instanceof Error ? error.message : '' }));
  }
}

/** Why what is written there is not what would be sent. */
function textFault(text: string): string | null {
  const twice = keyTwice(text);
  if (twice !== null) return t('form.keyTwice', { key: twice });
  const number = changedNumber(text);
  return number === null ? null : t('form.changedNumber', { number: shortNumber(number) });
}

/** The arguments of a call: an object, or why it is none yet. An empty box is no arguments. */
export const readArguments = (text: string): Arguments | Unread =>
  (readJson(text, argumentsFault) ?? {}) as Arguments | Unread;

export type Arguments = Record<string, unknown>;

export function readNumber(text: string): number | undefined | Unread {
  if (text.trim() === '') return undefined;
  const value = Number(text);
  const isRead = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return isRead ? value : new Unread(text, '');
}

/** As JSON; what is not read yet stands in it as it was typed. */
export function printTyped(value: unknown): string {
  if (value === undefined) return '';
  if (value instanceof Unread) return value.text;
  const mark = `unread ${crypto.randomUUID()} `;
  const texts: string[] = [];
  const printed = JSON.stringify(
    value,
    (_key, one: unknown) => (one instanceof Unread ? mark + (texts.push(one.text) - 1) : one),
    2,
  );
  return texts.length === 0
    ? printed
    : printed.replace(new RegExp(`"${mark}(\\d+)"`, 'g'), (_all, at: string) => texts[Number(at)] ?? '');
}

/** What a form of a call's arguments comes to. */
export type Settled =
  | { readonly kind: 'arguments'; readonly args: Arguments }
  /** `fields` are paths such as `entities[0].name`; empty: the whole. */
  | { readonly kind: 'not-yet'; readonly fields: readonly string[] };

export function settle(value: Arguments | Unread): Settled {
  const fields = unreadIn(value, '');
  return value instanceof Unread || fields.length > 0
    ? { kind: 'not-yet', fields: fields.filter((path) => path !== '') }
    : { kind: 'arguments', args: value };
}

function unreadIn(value: unknown, path: string): string[] {
  if (value instanceof Unread) return [path];
  if (Array.isArray(value))
    return value.flatMap((item, at) =>
      item === undefined ? [`${path}[${at}]`] : unreadIn(item, `${path}[${at}]`),
    );
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    unreadIn(one, path === '' ? name : `${path}.${name}`),
  );
}
