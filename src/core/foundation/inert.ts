import { escapeHidden } from '../../markdown';

const esc = '\u001b';
const bell = '\u0007';
// CSI, OSC and the other string sequences, then lone two-letter ones. Each part is bounded by its own terminator.
const ansi = new RegExp(
  `${esc}\\[[0-?]*[ -/]*[@-~]|\u009b[0-?]*[ -/]*[@-~]|${esc}[\\]PX^_][^${bell}${esc}]*(?:${bell}|${esc}\\\\)|${esc}[ -/]*[0-~]`,
  'g',
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
/**
 * Text from outside, made harmless to read: terminal sequences are taken out, hidden and direction-turning characters
 * are shown as `\u{…}`, so that a person and a model see the same.
 */
export function inert(text: string): string {
  const plain = text.toWellFormed().replace(/\r\n?/g, '\n').replace(ansi, '').replace(controls, shown);
  return escapeHidden(plain, shown);
}

/** The same for every string inside a JSON value, keys included. */
export function inertValue<T>(value: T): T;
export function inertValue(value: unknown): unknown {
  if (typeof value === 'string') return inert(value);
  if (Array.isArray(value)) return value.map((item) => inertValue(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [inert(key), inertValue(item)]));
}

const words = new Set(['title', 'description', '$comment']);

/** A schema whose words are made so; what it demands of a value stays as it is. */
export function inertWords<T>(schema: T): T;
export function inertWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((item) => inertWords(item));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, item]) => [
      key,
      typeof item === 'string' && words.has(key) ? inert(item) : inertWords(item),
    ]),
  );
}

function shown(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
