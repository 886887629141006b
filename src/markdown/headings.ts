import { type Block, type HtmlBlock, scanBlocks } from './scan';

export interface Heading {
  /** Start of the heading's first line. */
  readonly from: number;
  readonly level: number;
  readonly title: string;
  /** The end of the heading's last line, where its text begins. */
  readonly bodyFrom: number;
  /** The start of the next heading of the same or a higher level, or the end of the text. */
  readonly to: number;
}

/** Those that begin with number signs, and those that are underlined; none of front matter, code, HTML and comments. */
export function findHeadings(text: string): readonly Heading[] {
  const headings: { -readonly [K in keyof Heading]: Heading[K] }[] = [];
  const open: typeof headings = [];
  for (const { from, level, title, bodyFrom } of titlesIn(text, scanBlocks(text, { html: true }))) {
    while ((open.at(-1)?.level ?? 0) >= level) {
      const ended = open.pop();
      if (ended) ended.to = from;
    }
    const heading = { from, level, title, bodyFrom, to: text.length };
    headings.push(heading);
    open.push(heading);
  }
  return headings;
}

/**
 * All headings that a link with this heading (or path of headings) may mean; the first one is the one it does mean. One
 * that is called exactly so comes before a path, since a title may have the signs of one.
 */
export function headingsNamed(text: string, heading: string): readonly Heading[] {
  const all = findHeadings(text);
  const exact = heading.trim() === '' ? [] : all.filter(({ title }) => title === heading.trim());
  if (exact.length > 0) return exact;
  const path = heading.split('#').filter((part) => part.trim() !== '');
  const matches = path.length === 0 ? [] : named(all, path);
  return matches.length > 0 || path.length < 2 ? matches : named(all, [heading]);
}

function* titlesIn(text: string, blocks: readonly (Block | HtmlBlock)[]): Generator<Omit<Heading, 'to'>> {
  /** Where a paragraph begins that may be underlined. */
  let paragraph: number | null = null;
  let isText = false;
  let listColumn = 0;
  let comment = -1;
  for (const [at, { kind, from, to }] of blocks.entries()) {
    const line = kind === 'line' ? text.slice(from, to) : '';
    if (at > comment && opensComment(line)) comment = commentEnd(text, blocks, at);
    if (line.trim() === '' || at <= comment) {
      paragraph = null;
      isText = false;
      continue;
    }
    const marks = /^ {0,3}(#{1,6})(?:[ \t]+(\S.*)?)?$/s.exec(line);
    const underline = paragraph === null ? null : /^ {0,3}(=+|-+)[ \t]*$/.exec(line);
    if (marks) {
      const title = (marks[2] ?? '').replace(/(?:^|(?<![ \t])[ \t]+)#+[ \t]*$/, '').trim();
      yield { from, level: marks[1]?.length ?? 1, title, bodyFrom: to };
    } else if (underline && paragraph !== null) {
      const title = text
        .slice(paragraph, from)
        .trim()
        .replace(/\s+/g, (blanks) => (blanks.includes('\n') ? ' ' : blanks));
      yield { from: paragraph, level: underline[1]?.startsWith('=') ? 1 : 2, title, bodyFrom: to };
    } else {
      const isRule = rule.test(line);
      const isItem = !isRule && item.test(line);
      const breaks = isRule || isItem || /^ {0,3}>/.test(line);
      const indent = /^\s*/.exec(line)?.[0].replaceAll('\t', '    ').length ?? 0;
      if (isItem || indent < listColumn) listColumn = isItem ? indent + 2 : 0;
      if (breaks) paragraph = null;
      else if (!isText) paragraph = indent > 3 || listColumn > 0 ? null : from;
      isText = !isRule && !(isItem && /^\s*\S+\s*$/.test(line));
      continue;
    }
    paragraph = null;
    isText = false;
  }
}

/** Obsidian's comments: one mark is left open. */
const opensComment = (line: string) => /^ {0,3}%%/.test(line) && line.split('%%').length % 2 === 0;

/** The last block of a comment that begins in one; what nobody closes is no comment. */
function commentEnd(text: string, blocks: readonly (Block | HtmlBlock)[], start: number): number {
  for (let at = start + 1; at < blocks.length; at++) {
    const { kind, from, to } = blocks[at] ?? {};
    if (kind === 'line' && text.slice(from, to).includes('%%')) return at;
  }
  return -1;
}

const rule = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const item = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

function named(headings: readonly Heading[], path: readonly string[]): readonly Heading[] {
  let among = headings;
  let matches: readonly Heading[] = [];
  for (const part of path) {
    const name = comparable(part);
    matches = among.filter((each) => comparable(each.title) === name);
    const outer = matches[0];
    if (!outer) return [];
    among = headings.filter((each) => each.from > outer.from && each.from < outer.to);
  }
  return matches;
}

/** Links leave out the signs that have a meaning in a link, and closing marks. */
function comparable(heading: string): string {
  return heading
    .replace(/[#|^:%[\]\\\s]+/g, ' ')
    .trim()
    .toLowerCase();
}
