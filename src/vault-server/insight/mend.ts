import { readParts } from '../entities/read';

const looksLikeHead = /^(?:[^\s#:-][^:]*:(?:[ \t]|$)|[ \t]+\S|-[ \t]|#)/;

/**
 * A note whose front matter can't be read, so that it can: closed where it ends, else with the lines that are no YAML
 * quoted or made comments. No word is lost. Null where that does not help.
 */
export function mended(text: string): string | null {
  const closed = withEnd(text);
  if (closed !== null && isReadable(closed)) return closed;
  const { head, body } = readParts(text);
  if (head === '') return closed === null ? null : quoted(closed);
  return quoted(head + body);
}

/** With an end where the lines stop to look like front matter; null where that is its end already. */
function withEnd(text: string): string | null {
  const lines = text.split(/(?<=\n)/);
  let end = 1;
  while (end < lines.length && looksLikeHead.test(lines[end] ?? '')) end++;
  if (/^---[ \t]*\r?\n?$/.test(lines[end] ?? '')) return null;
  const lineEnd = lines[0]?.endsWith('\r\n') ? '\r\n' : '\n';
  const last = lines[end - 1] ?? '';
  const before = lines.slice(0, end).join('') + (last.endsWith('\n') ? '' : lineEnd);
  return `${before}---${lineEnd}${lines.slice(end).join('')}`;
}

function quoted(text: string): string | null {
  const { head, body } = readParts(text);
  const lines = head.split(/(?<=\n)/);
  const [first = '', last = ''] = [lines[0], lines.at(-1)];
  const seen = new Set<string>();
  const entries = entriesOf(lines.slice(1, -1)).map((entry) => {
    const key = /^["']?([^\s"':]+)/.exec(entry)?.[1] ?? '';
    const isNew = !seen.has(key);
    seen.add(key);
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
  const parts = /^([^\s:#]+):[ \t]+([^\r\n]+?)[ \t]*(\r?\n)$/.exec(entry);
  const [, key, value = '', end] = parts ?? [];
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
