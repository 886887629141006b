import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  type ParsedNode,
  parseDocument,
  type Scalar,
  stringify,
  visit,
  type YAMLMap,
} from 'yaml';
import { isMapping } from './tool-calls/body';
import { dataOf } from './yaml-data';

type TopPair = Pair<Scalar, ParsedNode | null>;

/**
 * A YAML mapping with another value for one key; undefined takes it away. Every other byte stays, and so does every
 * comment: one whose place goes stands above. Null where that can't be done.
 */
export function withKey(source: string, key: string, value: unknown): string | null {
  const wanted = expected(source, key, value);
  const edited = edit(source, key, value);
  if (edited === null || isSameData(edited, wanted)) return edited;
  // Blank lines that came after it would be a part of the text before it.
  const closer = edit(source, key, value, true);
  return closer !== null && isSameData(closer, wanted) ? closer : null;
}

export function printYaml(values: Record<string, unknown>): string {
  return stringify(values, { lineWidth: 0, aliasDuplicateObjects: false });
}

export interface WrittenEntry {
  /** The key with its value. */
  readonly entry: string;
  readonly value: string;
}

/** A key and its value as they are written; null where there is none. */
export function writtenEntry(source: string, key: string): WrittenEntry | null {
  const map = parseDocument(source, { logLevel: 'silent' }).contents;
  const pair = isMap(map) ? pairOf(map.items as TopPair[], key) : undefined;
  const [from, keyEnd] = pair?.key.range ?? [];
  const to = pair?.value?.range[1];
  if (from === undefined || keyEnd === undefined || to === undefined) return null;
  const end = endWithoutBreaks(source, to);
  return {
    entry: source.slice(from, end),
    value: source.slice(keyEnd, end).replace(/^["']?\s*:[ \t]*\n?/, ''),
  };
}

function pairOf(items: readonly TopPair[], key: string): TopPair | undefined {
  return items.find(({ key: each }) => isScalar(each) && String(each.value ?? '') === key);
}

function edit(source: string, key: string, value: unknown, isCloser = false): string | null {
  const document = parseDocument(source, { logLevel: 'error' });
  const map = document.contents;
  if (map !== null && !isMap(map)) return null;
  const pair = map ? pairOf(map.items as TopPair[], key) : undefined;
  if (!pair && value === undefined) return source;
  if (map?.flow) return withFlowKey(source, key, value);
  if (!pair) {
    const broken = source === '' || source.endsWith('\n') ? '' : '\n';
    return source + broken + printYaml({ [key]: value });
  }
  const from = pair.key.range?.[0];
  const to = pair.value?.range[1];
  if (from === undefined || to === undefined) return null;
  const untied = withoutAliasesOf(source, document, pair);
  if (untied !== source) return edit(untied, key, value, isCloser);
  const end = endWithoutBreaks(source, to);
  const lineEnd = source.indexOf('\n', end) === -1 ? source.length : source.indexOf('\n', end);
  const old = source.slice(from, lineEnd);
  const put = value === undefined ? '' : printed(old, source.slice(end, lineEnd), key, value);
  const above = lostComments(old, put).map((comment) => `${comment}\n`);
  const rest = source.slice(put === '' ? lineEnd + 1 : lineEnd);
  return (
    source.slice(0, from) + above.join('') + put + (isCloser ? rest.replace(/^(?:[ \t]*\n)+/, '') : rest)
  );
}

/** `after` is what follows the old value on its line. */
function printed(old: string, after: string, key: string, value: unknown): string {
  const document = textDocument(old);
  const before = document.get(key, true);
  if (isSeq(before) && Array.isArray(value)) {
    const data = dataOf(old);
    const list: unknown = isMapping(data) ? data[key] : [];
    const left = before.items.map((node, at) => ({ node, item: Array.isArray(list) ? list[at] : undefined }));
    before.items = value.map((item) => {
      const at = left.findIndex((each) => isNode(each.node) && sorted(each.item) === sorted(item));
      return at === -1 ? textNode(item) : left.splice(at, 1)[0]?.node;
    });
    return withoutEnd(document.toString({ lineWidth: 0 }));
  }
  const text = withoutEnd(printYaml({ [key]: value }));
  return text.includes('\n') ? text : text + after;
}

/** A blank of another alphabet may be all of a value. */
const withoutEnd = (text: string) => text.replace(/\n$/, '');

/** One in braces is printed anew: what stands in it stays, its blanks may not. */
function withFlowKey(source: string, key: string, value: unknown): string | null {
  const document = textDocument(source);
  const map = document.contents as YAMLMap<unknown, unknown>;
  const at = map.items.findIndex((each) => isScalar(each.key) && String(each.key.value ?? '') === key);
  const [found] = at === -1 ? [] : map.items.slice(at);
  if (value === undefined) map.items.splice(at, 1);
  else if (found) found.value = textNode(value);
  else map.set(textNode(key), textNode(value));
  const text = document.toString({ lineWidth: 0 });
  return lostComments(source, text)
    .map((comment) => `${comment}\n`)
    .join('')
    .concat(text);
}

/** Scalars as the texts that they are written as, so that printing changes none. */
function textDocument(source: string) {
  return parseDocument(source, { logLevel: 'silent', schema: 'failsafe' });
}

function textNode(value: unknown): Node | null {
  const { contents } = textDocument(stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }));
  return contents;
}

/** What others take from the value by its anchor goes to the first of them. */
function withoutAliasesOf(source: string, document: Document.Parsed, pair: TopPair): string {
  const anchors = new Map<string, Node>();
  if (pair.value) {
    visit(pair.value, {
      Node: (_, node) => {
        if (!isAlias(node) && node.anchor !== undefined) anchors.set(node.anchor, node);
      },
    });
  }
  if (anchors.size === 0) return source;
  const [from = 0, to = 0] = [pair.key.range?.[0], pair.value?.range[1]];
  let first: Alias | undefined;
  visit(document, {
    Alias: (_, alias) => {
      const at = alias.range?.[0] ?? 0;
      if (
        first ||
        !anchors.has(alias.source) ||
        (at >= from && at < to) ||
        alias.resolve(document) === undefined
      )
        return;
      if (alias.resolve(document) === anchors.get(alias.source)) first = alias;
    },
  });
  const node = first && anchors.get(first.source);
  if (!first?.range || !node?.range) return source;
  return source.slice(0, first.range[0]) + inline(source, first.source, node) + source.slice(first.range[1]);
}

/** A node with its anchor, on one line. */
function inline(source: string, anchor: string, node: Node): string {
  const [from, to] = node.range ?? [0, 0];
  const written = source.slice(from, to);
  if (!/[\n#]/.test(written)) return `&${anchor} ${written}`;
  const data: unknown = node.toJS(parseDocument(source, { logLevel: 'silent' }), { maxAliasCount: 100 });
  return `&${anchor} ${stringify(data, { lineWidth: 0, collectionStyle: 'flow', aliasDuplicateObjects: false, ...(isCollection(node) ? {} : { defaultStringType: 'QUOTE_DOUBLE' as const }) }).replace(/\n$/, '')}`;
}

/** Comments of the one that are not in the other. */
function lostComments(before: string, after: string): readonly string[] {
  const kept = commentsIn(after);
  return commentsIn(before).filter((comment) => {
    const at = kept.indexOf(comment);
    if (at !== -1) kept.splice(at, 1);
    return at === -1;
  });
}

const commentsIn = (source: string) => [...new Lexer().lex(source)].filter((token) => token.startsWith('#'));

function endWithoutBreaks(source: string, to: number): number {
  let end = to;
  while (end > 0 && /[ \t\n]/.test(source[end - 1] ?? '')) end--;
  return end;
}

function expected(source: string, key: string, value: unknown): Record<string, unknown> {
  const { [key]: _, ...others } = (dataOf(source) ?? {}) as Record<string, unknown>;
  if (value === undefined) return others;
  return { ...others, ...(dataOf(printYaml({ [key]: value })) as Record<string, unknown>) };
}

function isSameData(source: string, data: Record<string, unknown>): boolean {
  try {
    return sorted(dataOf(source) ?? {}) === sorted(data);
  } catch {
    return false;
  }
}

function sorted(data: unknown): string {
  return JSON.stringify(data, (_, value: unknown) =>
    isMapping(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}
