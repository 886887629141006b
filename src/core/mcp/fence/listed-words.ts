import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { cutTo, measured, schemaTooBig } from '../../foundation';

/** Characters: of a text that a person or a model reads, of a title, of what names something, of all that a list may hold. */
export const mostWords = { text: 10_000, title: 300, name: 2_048, list: 2_000_000 };

const limits = new Map([
  ['title', mostWords.title],
  ['mimeType', mostWords.title],
  ['description', mostWords.text],
  ['$comment', mostWords.text],
]);
/** A cut name would be another one: it becomes one that no reader takes. */
const names = new Set(['name', 'uri', 'uriTemplate']);
/** What stands there in a schema is data. */
const dataKeywords = new Set(['const', 'default', 'enum', 'examples']);
/** Characters that are gone through before others have their turn. */
const atOnce = 2_000_000;

type Item = Readonly<Record<string, unknown>>;

/**
 * Takes the items of one list in, before anything else looks at them: each text is cut to what one would read. The mark at the
 * cut tells the length and the hash of the whole, so that what is bound to the words that are shown is bound to the others too.
 */
export function createWordsShare(): (value: unknown) => Promise<{ item: unknown } | 'too much'> {
  let remaining = mostWords.list;
  let workSincePause = 0;

  async function rest(work: number): Promise<void> {
    workSincePause += work;
    if (workSincePause < atOnce) return;
    workSincePause = 0;
    await setImmediate();
  }

  async function cut(text: string, most: number): Promise<string> {
    if (text.length <= most) return text;
    const hash = createHash('sha256');
    for (let at = 0; at < text.length; at += atOnce) {
      const piece = text.slice(at, at + atOnce);
      hash.update(piece, 'utf16le');
      await rest(piece.length);
    }
    return cutTo(text, most, hash.digest('hex'));
  }

  async function shortened(item: Item): Promise<Item> {
    const short: Record<string, unknown> = { ...item };
    for (const [key, value] of Object.entries(item)) {
      const most = limits.get(key);
      if (typeof value === 'string') {
        if (most !== undefined) short[key] = await cut(value, most);
        else if (names.has(key)) short[key] = value.slice(0, mostWords.name + 1);
      } else if (key === 'annotations' && isObject(value)) short[key] = await shortened(value);
      else if (key === 'arguments' && Array.isArray(value)) {
        const args: unknown[] = [];
        for (const one of value) args.push(isObject(one) ? await shortened(one) : one);
        short[key] = args;
      } else if ((key === 'inputSchema' || key === 'outputSchema') && schemaTooBig(value) === null)
        short[key] = schemaWords(value);
    }
    return short;
  }

  return async (value) => {
    if (!isObject(value)) return { item: value };
    const item = await shortened(value);
    // Of icons and of schemas that are too big nothing is kept.
    const { icons: _icons, inputSchema, outputSchema, ...others } = item;
    const schemas = [inputSchema, outputSchema].filter((schema) => schemaTooBig(schema) === null);
    const size = measured([others, schemas], { parts: mostWords.list });
    if (typeof size === 'string') return 'too much';
    await rest(size.characters + size.parts);
    remaining -= size.characters + size.parts;
    return remaining < 0 ? 'too much' : { item };
  };
}

function schemaWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(schemaWords);
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      const most = limits.get(key);
      if (typeof value === 'string' && most !== undefined) return [key, cutNow(value, most)];
      return [key, dataKeywords.has(key) ? value : schemaWords(value)];
    }),
  );
}

const cutNow = (text: string, most: number): string =>
  text.length <= most ? text : cutTo(text, most, createHash('sha256').update(text, 'utf16le').digest('hex'));

const isObject = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
