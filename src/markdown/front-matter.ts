import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  type Pair,
  parse,
  parseDocument,
  type Scalar,
  stringify,
} from 'yaml';
import { AppError } from '../contract/errors';
import { findFrontMatter } from './scan';
import { isMapping } from './tool-calls/body';

export interface FrontMatter {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problem: string | null;
  readonly from: number;
  readonly to: number;
}

/** Front matter as data; `problem` where it is not a YAML mapping. Null where the note has none. */
export function readFrontMatter(text: string): FrontMatter | null {
  const range = findFrontMatter(text);
  if (!range) return null;
  const place = { from: range.from, to: Math.min(range.to + 1, text.length) };
  try {
    const value: unknown = parse(sourceOf(text, range), { maxAliasCount: 100, logLevel: 'error' });
    if (value === null || value === undefined) return { values: {}, problem: null, ...place };
    if (isMapping(value)) return { values: value, problem: null, ...place };
    return { values: {}, problem: 'The front matter is not a list of `name: value` lines.', ...place };
  } catch (error) {
    // The lines after the first draw the place.
    const [problem = ''] = String(error instanceof Error ? error.message : error).split('\n');
    return { values: {}, problem: problem.replace(/:$/, '.'), ...place };
  }
}

/**
 * Changes keys of the front matter, everything else byte for byte as it was; undefined removes a key. Front matter
 * that can't be read is left alone with `request.invalid`.
 */
export function editFrontMatter(text: string, changes: Readonly<Record<string, unknown>>): string {
  const range = findFrontMatter(text);
  const present = readFrontMatter(text);
  const entries = Object.entries(changes);
  if (!range || !present) {
    const set = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    return Object.keys(set).length === 0 ? text : `---\n${print(set)}---\n${text}`;
  }
  if (present.problem !== null) {
    throw new AppError('request.invalid', 'The front matter of this note is not valid YAML.', {
      issues: [present.problem],
    });
  }
  const before = sourceOf(text, range);
  const start = text.indexOf('\n', range.from) + 1;
  let source = before;
  for (const [key, value] of entries) source = setKey(source, key, value);
  return text.slice(0, start) + source + text.slice(start + before.length);
}

/** The lines between the marks, the last line break included. */
function sourceOf(text: string, { from, to }: { from: number; to: number }): string {
  const start = text.indexOf('\n', from) + 1;
  return text.slice(start, text.lastIndexOf('\n', to - 1) + 1);
}

function setKey(source: string, key: string, value: unknown): string {
  const document = parseDocument(source, { logLevel: 'error' });
  const edited = spliceKey(source, document, key, value);
  if (edited !== null && sameData(edited, expected(source, key, value))) return edited;
  // Anchors, flow mappings and other rare shapes: the library's own printing, which keeps comments and order.
  if (value === undefined) document.delete(key);
  else document.set(key, value);
  return document.toString({ lineWidth: 0 });
}

function spliceKey(source: string, document: Document.Parsed, key: string, value: unknown): string | null {
  const map = document.contents;
  if (map !== null && (!isMap(map) || map.flow)) return null;
  const pairs = (map?.items ?? []) as Pair<Scalar, { range?: [number, number, number] | null } | null>[];
  const index = pairs.findIndex((pair) => isScalar(pair.key) && pair.key.value === key);
  const pair = pairs[index];
  if (!pair) {
    if (value === undefined) return source;
    const broken = source === '' || source.endsWith('\n') ? '' : '\n';
    return source + broken + print({ [key]: value });
  }
  const from = pair.key.range?.[0];
  const to = pair.value?.range?.[1];
  if (from === undefined || to === undefined) return null;
  if (value === undefined) {
    const end = source.indexOf('\n', Math.max(from, endWithoutBreaks(source, to) - 1));
    return source.slice(0, from) + (end === -1 ? '' : source.slice(end + 1));
  }
  const end = endWithoutBreaks(source, to);
  if (!isSeq(pair.value))
    return source.slice(0, from) + print({ [key]: value }).trimEnd() + source.slice(end);
  const lineEnd = source.indexOf('\n', end) === -1 ? source.length : source.indexOf('\n', end);
  const { comments, text } = printList(source.slice(from, lineEnd), key, value);
  return source.slice(0, from) + comments + text.trimEnd() + source.slice(lineEnd);
}

/** Items that stay keep their comments; those of the others go above the key: a person wrote them. */
function printList(source: string, key: string, value: unknown): { comments: string; text: string } {
  const document = parseDocument(source, { logLevel: 'error' });
  const before = document.get(key);
  if (isSeq(before) && Array.isArray(value)) {
    const left = [...before.items];
    before.items = value.map((item) => {
      const at = left.findIndex((old) => isNode(old) && sorted(old.toJS(document)) === sorted(item));
      return at === -1 ? document.createNode(item) : left.splice(at, 1)[0];
    });
  } else document.set(key, value);
  const text = document.toString({ lineWidth: 0 });
  const kept = commentsIn(text);
  const lost = commentsIn(source).filter((comment) => {
    const at = kept.indexOf(comment);
    if (at !== -1) kept.splice(at, 1);
    return at === -1;
  });
  return { comments: lost.map((comment) => `${comment}\n`).join(''), text };
}

const commentsIn = (source: string) => [...new Lexer().lex(source)].filter((token) => token.startsWith('#'));

function endWithoutBreaks(source: string, to: number): number {
  let end = to;
  while (end > 0 && /\s/.test(source[end - 1] ?? '')) end--;
  return end;
}

function expected(source: string, key: string, value: unknown): Record<string, unknown> {
  const { [key]: _, ...others } = (parse(source, { maxAliasCount: 100, logLevel: 'error' }) ?? {}) as Record<
    string,
    unknown
  >;
  return value === undefined ? others : { ...others, [key]: value };
}

function sameData(source: string, data: Record<string, unknown>): boolean {
  try {
    const read: unknown = parse(source, { maxAliasCount: 100, logLevel: 'error' }) ?? {};
    return sorted(read) === sorted(data);
  } catch {
    return false;
  }
}

function sorted(data: unknown): string {
  return JSON.stringify(data, (_, value: unknown) =>
    isMapping(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}

function print(values: Record<string, unknown>): string {
  return stringify(values, { lineWidth: 0, aliasDuplicateObjects: false });
}
