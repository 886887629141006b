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
  Pair,
  type ParsedNode,
  type Scalar,
  stringify,
  visit,
  type YAMLMap,
} from 'yaml';
import { argumentsMost, boundedYaml } from './bounded-yaml';
import { isMapping } from './tool-calls/body';
import { dataOf } from './yaml-data';

type TopPair = Pair<Scalar, ParsedNode | null>;

type Read = (source: string) => unknown;

interface Way {
  /** What stays the same inside of the value is written as it was; else the value is written anew. */
  readonly isDeep: boolean;
  /** Blank lines that came after it would be a part of the text before it. */
  readonly isCloser: boolean;
}

const ways: readonly Way[] = [
  { isDeep: true, isCloser: false },
  { isDeep: false, isCloser: false },
  { isDeep: true, isCloser: true },
  { isDeep: false, isCloser: true },
];

/**
 * A YAML mapping with another value for one key; undefined takes it away. Every other byte stays, and so does every
 * comment: one whose place goes stands above. Null where that can't be done. `reader`: what its text means.
 */
export function withKey(source: string, key: string, value: unknown, reader: Read = dataOf): string | null {
  const data = (reader(source) ?? {}) as Record<string, unknown>;
  const goal = expected(data, key, value, reader);
  for (const way of ways) {
    const edited = edit(source, key, { before: data[key], after: value }, way);
    if (edited !== null && isSameData(edited, goal, reader)) return edited;
  }
  return null;
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
  const map = boundedYaml(source, argumentsMost, { logLevel: 'silent' }).contents;
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

interface Change {
  readonly before: unknown;
  /** Undefined: it goes. */
  readonly after: unknown;
}

function edit(source: string, key: string, change: Change, way: Way): string | null {
  const value = change.after;
  const document = boundedYaml(source, argumentsMost);
  const map = document.contents;
  if (map !== null && !isMap(map)) return null;
  const pair = map ? pairOf(map.items as TopPair[], key) : undefined;
  if (!pair && value === undefined) return source;
  if (map?.flow) return withFlowKey(source, key, change, way);
  if (!pair) {
    const broken = source === '' || source.endsWith('\n') ? '' : '\n';
    return source + broken + printYaml({ [key]: value });
  }
  const from = pair.key.range?.[0];
  const to = pair.value?.range[1];
  if (from === undefined || to === undefined) return null;
  const untied = withoutAliasesOf(source, document, pair);
  if (untied !== source) return edit(untied, key, change, way);
  const end = endWithoutBreaks(source, to);
  const lineEnd = source.indexOf('\n', end) === -1 ? source.length : source.indexOf('\n', end);
  const old = source.slice(from, lineEnd);
  const put = value === undefined ? '' : printed(old, source.slice(end, lineEnd), key, change, way);
  const above = lostComments(old, put).map((comment) => `${comment}\n`);
  const rest = source.slice(put === '' ? lineEnd + 1 : lineEnd);
  return (
    source.slice(0, from) + above.join('') + put + (way.isCloser ? rest.replace(/^(?:[ \t]*\n)+/, '') : rest)
  );
}

/** `rest` is what follows the old value on its line. */
function printed(old: string, rest: string, key: string, { before, after }: Change, { isDeep }: Way): string {
  const deep = isDeep ? printedDeep(old, key, { before, after }) : null;
  if (deep !== null) return deep;
  const text = withoutEnd(printYaml({ [key]: after }));
  return text.includes('\n') ? text : text + rest;
}

/** Null where nothing of the value stays, or it can't be written by itself. */
function printedDeep(old: string, key: string, change: Change): string | null {
  const document = textDocument(old);
  const node = document.get(key, true);
  if (!isCollection(node) || merged(node, change) !== node) return null;
  try {
    return withoutEnd(document.toString(styleOf(old)));
  } catch {
    // An alias in it takes from a value elsewhere.
    return null;
  }
}

const styleOf = (source: string) => ({
  lineWidth: 0,
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  flowCollectionPadding: !/[[{][^\s\]}]/.test(source),
});

/** A node with another value: of a mapping or a list what stays the same is left as it was, with its comments. */
function merged(node: unknown, { before, after }: Change): unknown {
  if (isNode(node) && sorted(before) === sorted(after)) return node;
  if (isMap(node) && isMapping(before) && isMapping(after)) {
    const added = new Set(Object.keys(after));
    node.items = node.items.filter((pair) => {
      const name = isScalar(pair.key) ? String(pair.key.value ?? '') : '';
      if (!added.delete(name)) return false;
      pair.value = merged(pair.value, { before: before[name], after: after[name] });
      return true;
    });
    for (const name of added) node.items.push(new Pair(textNode(name), textNode(after[name])));
    return node;
  }
  if (isSeq(node) && Array.isArray(before) && Array.isArray(after)) {
    node.items = mergedItems(node.items, before, after);
    return node;
  }
  return inPlaceOf(node, textNode(after), typeof after === 'string');
}

/** An item is found again by its value, or by its place where as many stand there. */
function mergedItems(
  nodes: readonly unknown[],
  before: readonly unknown[],
  after: readonly unknown[],
): unknown[] {
  const remaining = new Set(nodes.keys());
  const old = before.map(sorted);
  const items = after.map(sorted);
  const take = (at: number | undefined) => (at !== undefined && remaining.delete(at) ? at : undefined);
  const inPlace = items.map((item, at) => take(old[at] === item ? at : undefined));
  const places = items.map(
    (item, at) => inPlace[at] ?? take([...remaining].find((each) => old[each] === item)),
  );
  return after.map((item, at) => {
    const from = places[at] ?? (nodes.length === after.length ? take(at) : undefined);
    return from === undefined ? textNode(item) : merged(nodes[from], { before: before[from], after: item });
  });
}

/** With the comments of the one that stood there, and its quotes. */
function inPlaceOf(old: unknown, fresh: Node | null, isText: boolean): Node | null {
  if (!isNode(old) || !fresh) return fresh;
  fresh.commentBefore = old.commentBefore;
  fresh.spaceBefore = old.spaceBefore ?? false;
  if (!isScalar(old) || !isScalar(fresh)) return fresh;
  fresh.comment = old.comment;
  if (isText && old.type?.startsWith('QUOTE') && fresh.type === 'PLAIN') fresh.type = old.type;
  return fresh;
}

/** A blank of another alphabet may be all of a value. */
const withoutEnd = (text: string) => text.replace(/\n$/, '');

/** One in braces is printed anew: what stands in it stays, its blanks may not. */
function withFlowKey(source: string, key: string, change: Change, { isDeep }: Way): string {
  const document = textDocument(source);
  const map = document.contents as YAMLMap<unknown, unknown>;
  const value = change.after;
  const at = map.items.findIndex((each) => isScalar(each.key) && String(each.key.value ?? '') === key);
  const [pair] = at === -1 ? [] : map.items.slice(at);
  if (value === undefined) map.items.splice(at, 1);
  else if (pair) pair.value = isDeep ? merged(pair.value, change) : textNode(value);
  else map.set(textNode(key), textNode(value));
  const text = document.toString(styleOf(source));
  return lostComments(source, text)
    .map((comment) => `${comment}\n`)
    .join('')
    .concat(text);
}

/** Scalars as the texts that they are written as, so that printing changes none. */
function textDocument(source: string) {
  return boundedYaml(source, argumentsMost, { logLevel: 'silent', schema: 'failsafe' });
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
  const text = source.slice(from, to);
  if (!/[\n#]/.test(text)) return `&${anchor} ${text}`;
  const data: unknown = node.toJS(boundedYaml(source, argumentsMost, { logLevel: 'silent' }), {
    maxAliasCount: 100,
  });
  return `&${anchor} ${stringify(data, { lineWidth: 0, collectionStyle: 'flow', aliasDuplicateObjects: false, ...(isCollection(node) ? {} : { defaultStringType: 'QUOTE_DOUBLE' as const }) }).replace(/\n$/, '')}`;
}

/** Comments of the one that are not in the other. */
export function lostComments(before: string, after: string): readonly string[] {
  const rest = commentsIn(after);
  return commentsIn(before).filter((comment) => {
    const at = rest.indexOf(comment);
    if (at !== -1) rest.splice(at, 1);
    return at === -1;
  });
}

const commentsIn = (source: string) => [...new Lexer().lex(source)].filter((token) => token.startsWith('#'));

function endWithoutBreaks(source: string, to: number): number {
  let end = to;
  while (end > 0 && /[ \t\n]/.test(source[end - 1] ?? '')) end--;
  return end;
}

function expected(
  data: Record<string, unknown>,
  key: string,
  value: unknown,
  reader: Read,
): Record<string, unknown> {
  const { [key]: _, ...others } = data;
  if (value === undefined) return others;
  return { ...others, ...(reader(printYaml({ [key]: value })) as Record<string, unknown>) };
}

function isSameData(source: string, data: Record<string, unknown>, reader: Read): boolean {
  try {
    return sorted(reader(source) ?? {}) === sorted(data);
  } catch {
    return false;
  }
}

/** The same for the same values, whatever the order of their names. */
export function sorted(data: unknown): string {
  return JSON.stringify(data, (_, value: unknown) =>
    isMapping(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}
