import { entityTypes, parseId, writableFields } from '../model/model';
import { withLaterBlock, withPlainStart } from './plain-start';
import { readParts } from './read';

const looksLikeHead = /^(?:[^\s#:-][^:]*:(?:\s|$)|[ \t]+\S|-[ \t]|#)/;
const claimedWithin = 8192;
const marks = '(?:[&!][^\\s]*\\s+|[>|][-+\\d]*\\s+|["\'{[(]\\s*(?:id\\s*:\\s*)?)*';
const claim = new RegExp(
  `^((?:-[ \\t]+|[ \\t]?|[ \\t]*\\{(?:[^\\n]*,)?[ \\t]*)["']?id["']?)[ \\t]*:\\s*${marks}((?:M|S|T|DEC|DOC)-\\d{1,9})(?![\\w-])`,
  'im',
);

/** The id that front matter names which can't be read as a whole, or not as it is written. */
export function idClaimed(text: string): ReturnType<typeof parseId> {
  const start = withPlainStart(text.slice(0, claimedWithin));
  if (!/^\uFEFF?---[ \t]*\r?\n/.test(start)) return null;
  const id = claim.exec(start)?.[2];
  return id === undefined ? null : parseId(id);
}

/**
 * A note whose front matter can't be read, so that it can: closed where it ends, else with the lines that are no YAML
 * quoted or made comments. No word is lost, and it is an entity with the id that it claims. Null where nothing of that
 * helps.
 */
export function mended(text: string): string | null {
  const moved = withLaterBlock(text);
  if (moved !== null && idClaimed(text) === null) return isReadable(moved) ? moved : null;
  const repaired = withIdOfItsOwn(withoutBullets(withoutIndent(withPlainColons(withPlainStart(text)))));
  const closed = withEnd(repaired);
  const { head } = readParts(repaired);
  const tries = [
    () => (repaired === text ? null : repaired),
    () => closed,
    () => (head === '' ? closed && quoted(closed) : quoted(repaired)),
  ];
  for (const attempt of tries) {
    const after = attempt();
    if (after !== null && isReadable(after) && keepsId(text, after)) return after;
  }
  return null;
}

function keepsId(before: string, after: string): boolean {
  const claimed = idClaimed(before);
  if (!claimed) return true;
  const { id } = readParts(after).values ?? {};
  const now = typeof id === 'string' ? parseId(id) : null;
  return now?.type === claimed.type && now.number === claimed.number;
}

/** Where the first key is indented, so are all of the note's own: those that are not stand below it by mistake. */
function withoutIndent(text: string): string {
  const { head, body, problem } = readParts(text);
  const lines = head.split(/(?<=\n)/);
  const blanks = /^[ \t]+(?=["']?[A-Za-z])/.exec(
    lines.find((line, at) => at > 0 && /^\s*[^\s#]/.test(line)) ?? '',
  )?.[0];
  if (problem === null || blanks === undefined) return text;
  const plain = lines.map((line) => (line.startsWith(blanks) ? line.slice(blanks.length) : line));
  return plain.join('') + body;
}

/** A wide colon behind a field is meant as one. */
function withPlainColons(text: string): string {
  const { head, body, problem } = readParts(text);
  if (problem === null) return text;
  const plain = (line: string, key: string, rest: string) => (fields.has(key) ? `${key}: ${rest}` : line);
  return head.replace(/^([a-z_]+)[ \t]*\uFF1A[ \t]*(.*)/gm, plain) + body;
}

/** Front matter of which each line is an item of a list. */
function withoutBullets(text: string): string {
  const { head, body, problem } = readParts(text);
  const lines = head.split(/(?<=\n)/);
  const inner = lines.slice(1, -1);
  if (problem === null || inner.length === 0 || !inner.every((line) => /^- [A-Za-z_]/.test(line)))
    return text;
  return [lines[0], ...inner.map((line) => line.slice(2)), lines.at(-1), body].join('');
}

/** An id that slipped in by one, or is written in capitals. */
function withIdOfItsOwn(text: string): string {
  if (!idClaimed(text)) return text;
  const match = claim.exec(text);
  const key = match?.[1];
  if (!match || key === undefined || key === 'id' || key.includes('{')) return text;
  return `${text.slice(0, match.index)}id${text.slice(match.index + key.length)}`;
}

const fields = new Set([
  ...entityTypes.flatMap((type) => [...writableFields(type).keys()]),
  ...['id', 'type', 'created', 'updated', 'archived'],
]);

/**
 * With an end where the lines stop to look like front matter; null where that is its end already, or where fields would
 * become text.
 */
function withEnd(text: string): string | null {
  const lines = text.split(/(?<=\n)/);
  let end = 1;
  while (end < lines.length && looksLikeHead.test(lines[end] ?? '')) end++;
  if (/^---[ \t]*\r?\n?$/.test(lines[end] ?? '')) return null;
  end = beforeHeading(lines, end);
  const { head } = readParts(text);
  const cut = head === '' ? [] : lines.slice(end, head.split(/(?<=\n)/).length);
  if (cut.some(isField)) return null;
  const lineEnd = lines[0]?.endsWith('\r\n') ? '\r\n' : '\n';
  const last = lines[end - 1] ?? '';
  const before = lines.slice(0, end).join('') + (last.endsWith('\n') ? '' : lineEnd);
  return `${before}---${lineEnd}${lines.slice(end).join('')}`;
}

/** What begins with a number sign and comes after all fields is a heading, and no comment. */
function beforeHeading(lines: readonly string[], end: number): number {
  let last = end;
  while (last > 1 && !isField(lines[last - 1] ?? '')) last--;
  const heading = lines.slice(0, end).findIndex((line, at) => at >= last && line.startsWith('#'));
  return heading === -1 ? end : heading;
}

function isField(line: string): boolean {
  return fields.has(/^\s*([\w-]+):(?:\s|$)/.exec(line)?.[1] ?? '');
}

function quoted(text: string): string | null {
  const { head, body } = readParts(text);
  const lines = head.split(/(?<=\n)/);
  const [first = '', last = ''] = [lines[0], lines.at(-1)];
  const keys = new Set<string>();
  const entries = entriesOf(lines.slice(1, -1)).map((entry) => {
    const key = /^["']?([^\s"':]+)/.exec(entry)?.[1] ?? '';
    const isNew = !keys.has(key);
    keys.add(key);
    return isNew && isReadable(`---\n${entry}---\n`) ? entry : (isNew && asText(entry)) || asComment(entry);
  });
  const mendedText = first + entries.join('') + last + body;
  return isReadable(mendedText) ? mendedText : null;
}

/** A key with the lines that belong to it. */
function entriesOf(lines: readonly string[]): string[] {
  const entries: string[] = [];
  for (const line of lines) {
    const begins = /^[^\s-]/.test(line) || entries.length === 0;
    if (begins) entries.push(line);
    else entries[entries.length - 1] += line;
  }
  return entries;
}

/** `title: A: b` is meant as a text. */
function asText(entry: string): string | null {
  const parts = /^([^\s:#]+):[ \t]+([^ \t\r\n][^\r\n]*)(\r?\n)$/.exec(entry);
  const [, key, words = '', end] = parts ?? [];
  const value = words.replace(/(?<![ \t])[ \t]+$/, '');
  if (!parts || /^[[{|>&*]/.test(value)) return null;
  const text = `${key}: ${JSON.stringify(value.replace(/^["']|["']$/g, ''))}${end}`;
  return isReadable(`---\n${text}---\n`) ? text : null;
}

function asComment(entry: string): string {
  return entry
    .split(/(?<=\n)/)
    .map((line) => `# ${line}`)
    .join('');
}

function isReadable(text: string): boolean {
  const { problem, head } = readParts(text);
  return problem === null && head !== '';
}
