import { checksum } from '../checksum';

/** Words of an info string. What would not come back as it was, or would end the fence, is written as a JSON string. */
export function printWord(value: string): string {
  return value !== '' && /^[^\s"`\p{Cc}][^\s`\p{Cc}]*$/u.test(value) && value.isWellFormed()
    ? value
    : quoted(value);
}

/** What would open a message, or begin a callout, in a line that its callout has lost: by an empty line in it, say. */
const mark = /(?<!\S)#(?=\S+[ \t]+[:：])|\[(?<=^[ \t>*+\-\d.)]*\[)(?=[ \t]*!)/gmu;

export const hasMark = (text: string): boolean => text.search(mark) !== -1;

/** In markdown that nobody reads back. */
export const escapedMarks = (text: string): string => text.replace(mark, '\\$&');

/** JSON has `#` within strings only, and no line of it begins a callout. */
export const withoutTags = (json: string): string => json.replace(/(?<!\S)#(?=\S+[ \t]+[:：])/gu, '\\u0023');

/** The first line of a result's block, behind its backticks. */
export const resultHead = /^result (running|ok|error|cancelled|denied|interrupted)(?: |$)/;

/** By which a result's head knows a part of it below again; blanks at the ends of lines are nothing to go by. */
export const partSum = (printed: string): string =>
  checksum(printed.replace(/\r\n?/g, '\n').replace(/(?<![ \t])[ \t]+$/gm, '')).slice(2);

/** A name may hold blanks inside. */
export function printName(value: string): string {
  const plain =
    value !== '' &&
    !hasMark(value) &&
    !resultHead.test(value) &&
    value.trim() === value &&
    /^[^"`\p{Cc}\u2028\u2029][^`\p{Cc}\u2028\u2029]*$/u.test(value) &&
    value.isWellFormed();
  return plain ? value : quoted(value);
}

/** Reads what `printWord` and `printName` wrote; anything else is taken as it stands. */
export function readName(text: string): string {
  const name = text.trim();
  if (!name.startsWith('"')) return name;
  try {
    const value: unknown = JSON.parse(name);
    return typeof value === 'string' ? value : name;
  } catch {
    return name;
  }
}

export function quoted(value: string): string {
  return JSON.stringify(value).replace(
    /[\s`\u007f-\u009f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export interface EncodedText {
  readonly body: string;
  /** What the reader needs to know to get the text back. `marks=escaped`: a backslash before each that would be a tag or a callout’s. */
  readonly words: readonly ('eol=crlf' | 'escaped' | 'marks=escaped')[];
}

/**
 * A note has one kind of line end and is stored as UTF-8. Text that would suffer from either, a lone carriage return
 * first of all, which an editor takes for a line break, is written as a JSON string.
 */
export function encodeText(text: string): EncodedText {
  if (!text.isWellFormed() || text.includes('\0')) return escaped(text);
  if (!text.includes('\r')) return guarded(text, []);
  const plain = text.replaceAll('\r\n', '\n');
  if (plain.includes('\r') || plain.replaceAll('\n', '\r\n') !== text) return escaped(text);
  return guarded(plain, ['eol=crlf']);
}

function guarded(text: string, words: EncodedText['words']): EncodedText {
  if (!hasMark(text)) return { body: text, words };
  return {
    body: escapedMarks(text.replace(/(?<!\\)\\+(?=[#[])/g, '\\$&')),
    words: [...words, 'marks=escaped'],
  };
}

export function decodeText(text: string, words: readonly string[]): string {
  const body = words.includes('marks=escaped') ? text.replace(/(?<!\\)\\(\\*[#[])/g, '$1') : text;
  if (words.includes('eol=crlf')) return body.replaceAll('\n', '\r\n');
  if (!words.includes('escaped')) return body;
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'string' ? value : body;
  } catch {
    return body;
  }
}

function escaped(text: string): EncodedText {
  return { body: withoutTags(JSON.stringify(text)), words: ['escaped'] };
}
