import { asLatin, entityTypes, parseId, referenceFields } from '../model/model';
import { withPlainStart } from './plain-start';

export type Id = NonNullable<ReturnType<typeof parseId>>;

const searchedAlways = 8192;
const longestFrontMatter = 1024 * 1024;
const beginsKey = '(?:^|[{,])[ \\t\\-?>"\']*';
const endsKey = '["\']?[ \\t]*(?:[\\r\\n][ \\t]*)?[:=\uFF1A]';
const referenceKeys = [...new Set(entityTypes.flatMap(referenceFields))]
  .map((field) => field.replaceAll('_', '[_ -]?'))
  .join('|');
const idKey = new RegExp(`${beginsKey}id${endsKey}`, 'gim');
const referenceKey = new RegExp(`${beginsKey}(?:${referenceKeys})${endsKey}`, 'gim');
/** The next key, or the end of the front matter: what is indented, or an item of a list, still belongs to the one before. */
const nextKey = /(?<![\r\n])[\r\n]+(?:---|[^\s\-\]}])/;
const longestValue = 4096;
const anyId = /(?<![\w-])(M|S|T|DEC|DOC)[\s_\u2010-\u2015\u2212-]?(\d{1,9})(?![\w-])/gi;

/**
 * Every id that a note may have or names as another's, however it is encoded and whether its front matter can be read or
 * not: nobody new may get such a number. The strict reader says what a note is; this one, what it could be.
 */
export function idsTaken(bytes: Buffer): Id[] {
  const text = asLatin(plainText(bytes));
  const end = endOfFrontMatter(text);
  return [
    ...idsAfter(idKey, text.slice(0, Math.max(end, searchedAlways))),
    ...idsAfter(referenceKey, text.slice(0, end)),
  ];
}

const typeKey = new RegExp(
  `${beginsKey}type${endsKey}[\\s"'>|-]*(?:${entityTypes.join('|')})(?![\\w-])`,
  'im',
);

/**
 * The id that front matter names as its note's, in whatever manner and however it is broken, and whether it names a type
 * along with it: what looks like an entity.
 */
export function idNamed(text: string): { readonly id: Id; readonly isTyped: boolean } | null {
  const start = asLatin(withPlainStart(text.slice(0, searchedAlways)));
  const head = start.slice(0, endOfFrontMatter(start));
  const [id] = idsAfter(idKey, head);
  return id ? { id, isTyped: typeKey.test(head) } : null;
}

/** A note keeps its number by its name, too; `copy of` and the like are no part of an id. */
export function idInName(path: string): Id | null {
  const id = /(?:^|\/)[^\p{L}\p{N}/]*((?:M|S|T|DEC|DOC)-\d{3,9})(?![\w-])[^/]*$/u.exec(path)?.[1];
  return id === undefined ? null : parseId(id);
}

/** Of every kind that may hold front matter, and what programs make of their names in passing. */
export function mayHoldText(name: string): boolean {
  return /\.(?:md|markdown|mdx|txt|text)(?![a-z0-9])/i.test(name) || !/.\./.test(name);
}

/** Letters of wide encodings are those of the narrow ones with zeros between. */
function plainText(bytes: Buffer): string {
  const start = bytes.subarray(0, longestFrontMatter);
  if (!start.subarray(0, searchedAlways).includes(0)) return start.toString('utf8');
  return Buffer.from(start.filter((byte) => byte !== 0)).toString('utf8');
}

/** Where none is closed: as far as one may reach. */
function endOfFrontMatter(text: string): number {
  const mark = /^[^\p{L}\p{N}]{0,64}?(?:-{3,}|\+{3}|`{3}ya?ml)/u.exec(text);
  if (!mark) return 0;
  const end = /[\r\n](?:-{3,}|\+{3}|`{3}|\.{3})[ \t]*(?:[\r\n]|$)/g;
  end.lastIndex = mark[0].length;
  return end.exec(text)?.index ?? Math.min(text.length, 8 * searchedAlways);
}

function idsAfter(key: RegExp, text: string): Id[] {
  const ids: Id[] = [];
  for (const match of text.matchAll(key)) {
    const from = match.index + match[0].length;
    const rest = text.slice(from, from + longestValue);
    const to = rest.search(nextKey);
    for (const [, prefix, number] of rest.slice(0, to === -1 ? undefined : to).matchAll(anyId)) {
      const id = parseId(`${prefix}-${number}`);
      if (id) ids.push(id);
    }
  }
  return ids;
}
