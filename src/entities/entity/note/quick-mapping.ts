/**
 * Reads the plain kind of front matter, which nearly all is, some fifty times faster than a YAML parser: `key: value`
 * lines, lists of plain values. Null for anything else, which a real parser then reads; what it does read, it reads
 * as that parser would.
 */
export function quickMapping(source: string): Record<string, unknown> | null {
  const values: Record<string, unknown> = {};
  let list: unknown[] | null = null;
  for (let at = 0; at < source.length; ) {
    let end = source.indexOf('\n', at);
    if (end === -1) end = source.length;
    const line = source.slice(at, end);
    at = end + 1;
    const begin = line.charCodeAt(0);
    const item = begin === 32 || begin === 45 ? /^ {0,8}- +(\S.*)$/.exec(line) : null;
    if (item) {
      const value = list && plain(withoutBlanks(item[1] ?? ''));
      if (!list || value === undefined) return null;
      list.push(value);
      continue;
    }
    const pair = /^([A-Za-z_][\w-]*):(?: (.*))?$/.exec(line);
    const key = pair?.[1];
    if (!pair || key === undefined || notKeys.has(key) || Object.hasOwn(values, key)) return null;
    const rawValue = withoutBlanks((pair[2] ?? '').replace(/^ +/, ''));
    if (rawValue === '') {
      list = source[at] === '-' || source[at] === ' ' ? [] : null;
      values[key] = list;
      continue;
    }
    list = null;
    const value = rawValue.startsWith('[') ? flow(rawValue) : plain(rawValue);
    if (value === undefined) return null;
    values[key] = value;
  }
  return values;
}

const notKeys = new Set(['__proto__', 'null', 'Null', 'NULL']);

/** YAML's blanks at the end, which are fewer than JavaScript's. */
function withoutBlanks(source: string): string {
  return source.replace(/(?<! ) +$/, '');
}

function flow(source: string): unknown[] | undefined {
  const inner = /^\[([^[\]{}"'#\\]*)\]$/.exec(source)?.[1];
  if (inner === undefined) return undefined;
  if (withoutBlanks(inner) === '') return [];
  const items = inner.split(',').map((item) => plain(withoutBlanks(item.replace(/^ +/, ''))));
  return items.includes(undefined) ? undefined : items;
}

const words: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };

/** A scalar; undefined where only a parser can tell what it is. */
function plain(source: string): unknown {
  const first = source.charCodeAt(0);
  // The commonest kind first, without a regular expression: letters of ASCII, and nothing that YAML knows.
  if (isLetter(first) && isQuiet(source)) {
    if (source.length > 5) return source;
    if (Object.hasOwn(words, source)) return words[source];
    return likeAWord.test(source) ? undefined : source;
  }
  const quoted = /^(?:"([^"\\]*)"|'([^']*)')$/.exec(source);
  if (quoted) return quoted[1] ?? quoted[2];
  if (/^-?(?:0|[1-9]\d{0,14})$/.test(source)) return Number(source);
  if (/^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(source)) return source;
  // Neither a sign of YAML at the start, nor a comment or another mapping inside, nor anything like a number.
  if (!/^[\p{L}_/(][^\n]*$/u.test(source) || /: | #|:$|\t/.test(source)) return undefined;
  return source;
}

const likeAWord = /^(?:null|true|false|yes|no|on|off|nan|inf)$/i;

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

/** Without a colon, a number sign or anything outside of printable ASCII. */
function isQuiet(source: string): boolean {
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code < 32 || code > 126 || code === 58 || code === 35) return false;
  }
  return true;
}
