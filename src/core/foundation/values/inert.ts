import { escapeHidden } from '../../../markdown';
import { cutMark } from './cut';

const esc = '\u001b';
const bell = '\u0007';
// CSI, OSC and the other string sequences, then lone two-letter ones. Each part is bounded by its own terminator.
const ansi = new RegExp(
  `${esc}\\[[0-?]*[ -/]*[@-~]|\u009b[0-?]*[ -/]*[@-~]|${esc}[\\]PX^_][^${bell}${esc}]*(?:${bell}|${esc}\\\\)|${esc}[ -/]*[0-~]`,
  'g',
);
/** Without what only a terminal reads. */
export const withoutAnsi = (text: string): string => text.replace(ansi, '');

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
/** Characters that are made so in one go; what is longer is made so in parts. */
const atOnce = 500_000;
/** How far back a part looks for a blank to end at. */
const nearby = 10_000;

declare const mark: unique symbol;
/** Text from outside that passed this door: who takes this type, such as what goes to a model, is not given any other. */
export type Inert = string & { readonly [mark]: true };

/**
 * Text from outside, made harmless to read: terminal sequences are taken out, hidden and direction-turning characters
 * are shown as `\u{…}`, so that a person and a model see the same. For texts that are short by themselves: what would hold up
 * everybody is cut, and says so.
 */
export function inert(text: string): Inert {
  if (text.length <= atOnce) return visible(text) as Inert;
  return `${visible(text.slice(0, partEnd(text, 0)))}${cutMark(text.length)}` as Inert;
}

/** The same for words by the way: of more than `most` characters the beginning. */
export function inertTo(text: string, most: number): Inert {
  // What becomes longer by being made visible is cut once more.
  const words = visible(text.slice(0, most));
  return (text.length > most || words.length > most ? `${words.slice(0, most)}…` : words) as Inert;
}

/** The same for a text of any length, part by part. */
export function* inertPieces(text: string): Generator<string> {
  for (let from = 0; from < text.length; from = partEnd(text, from))
    yield visible(text.slice(from, partEnd(text, from)));
}

function visible(text: string): string {
  const plain = text.toWellFormed().replace(/\r\n?/g, '\n').replace(ansi, '').replace(controls, escapeOf);
  return escapeHidden(plain, escapeOf);
}

/** What is shared by values that go the same way. */
export interface InertWork {
  /** Characters that they may still become longer. */
  growth: number;
  /** Characters since others had their turn. */
  spent: number;
}
const mostGrowth = 4_000_000;
/** Characters in place of a hidden one. */
const mostFold = 9;
export const createInertWork = (): InertWork => ({ growth: mostGrowth, spent: 0 });

/**
 * The same for every string inside a JSON value of any size, keys included; after each part everybody else has a turn. A text
 * that becomes too long by it is cut there, and says so.
 */
export async function inertInTurns(value: string, work?: InertWork): Promise<Inert>;
export async function inertInTurns<T>(value: T, work?: InertWork): Promise<T>;
export async function inertInTurns(value: unknown, work: InertWork = createInertWork()): Promise<unknown> {
  const text = async (source: string): Promise<string> => {
    let output = '';
    for (let from = 0; from < source.length; ) {
      if (work.spent >= atOnce) {
        await new Promise((resolve) => setImmediate(resolve));
        work.spent = 0;
      }
      const to = partEnd(source, from);
      work.spent += to - from;
      const part = visible(source.slice(from, to));
      const grown = Math.max(0, part.length - (to - from));
      if (grown > work.growth) {
        const fits = visible(source.slice(from, from + Math.floor(work.growth / mostFold)));
        work.growth = 0;
        return `${output}${fits}${cutMark(source.length)}`;
      }
      work.growth -= grown;
      output += part;
      from = to;
    }
    return output;
  };
  const walk = async (node: unknown): Promise<unknown> => {
    if (typeof node === 'string') return text(node);
    if (typeof node !== 'object' || node === null) return node;
    // Each of them costs something, too.
    work.spent += 10;
    if (Array.isArray(node)) {
      const items: unknown[] = [];
      for (const item of node) items.push(await walk(item));
      return items;
    }
    const entries: [string, unknown][] = [];
    for (const [key, item] of Object.entries(node)) entries.push([await text(key), await walk(item)]);
    return Object.fromEntries(entries);
  };
  return walk(value);
}

/** Behind a blank where one is near, so that what belongs together stays together. */
function partEnd(text: string, from: number): number {
  const most = from + atOnce;
  if (text.length <= most) return text.length;
  for (let at = most; at > most - nearby; at--) if (text[at - 1] === '\n' || text[at - 1] === ' ') return at;
  return /[\udc00-\udfff]/.test(text[most] ?? '') ? most - 1 : most;
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

function escapeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
