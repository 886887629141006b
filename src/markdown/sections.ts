import { type Block, scanBlocks } from './scan';

/**
 * The part of a note that `#heading` or `#^block` names; the whole text without front matter for neither. A heading
 * may be a path (`Part#Chapter`). Null: not there.
 */
export function sectionOf(text: string, heading: string | null, block: string | null): string | null {
  const blocks = scanBlocks(text);
  if (block !== null) return blockOf(text, blocks, block);
  if (heading !== null) {
    const found = headingsNamed(text, heading)[0];
    return found ? text.slice(found.from, found.to).trimEnd() : null;
  }
  const first = blocks[0];
  return first?.kind === 'front-matter' ? text.slice(first.to + 1) : text;
}

export interface Heading {
  /** Start of the heading's line. */
  readonly from: number;
  readonly level: number;
  readonly title: string;
  /** The end of the heading's line, where its text begins. */
  readonly bodyFrom: number;
  /** The start of the next heading of the same or a higher level, or the end of the text. */
  readonly to: number;
}

export function findHeadings(text: string): readonly Heading[] {
  return headingsIn(text, scanBlocks(text));
}

/** All headings that a link with this heading (or path of headings) may mean; the first one is the one it does mean. */
export function headingsNamed(text: string, heading: string): readonly Heading[] {
  const path = heading.split('#').filter((part) => part.trim() !== '');
  return path.length === 0 ? [] : named(findHeadings(text), path);
}

function headingsIn(text: string, blocks: readonly Block[]): Heading[] {
  const found: { -readonly [K in keyof Heading]: Heading[K] }[] = [];
  const open: typeof found = [];
  for (const block of blocks) {
    if (block.kind !== 'line' || !/^[ #]/.test(text[block.from] ?? '')) continue;
    const parts = /^ {0,3}(#{1,6})[ \t]+(\S.*)?$/.exec(text.slice(block.from, block.to));
    if (!parts) continue;
    const level = parts[1]?.length ?? 1;
    const title = (parts[2] ?? '').replace(/[ \t]+#+[ \t]*$/, '').trim();
    while ((open.at(-1)?.level ?? 0) >= level) {
      const ended = open.pop();
      if (ended) ended.to = block.from;
    }
    const heading = { from: block.from, level, title, bodyFrom: block.to, to: text.length };
    found.push(heading);
    open.push(heading);
  }
  return found;
}

function named(headings: readonly Heading[], path: readonly string[]): readonly Heading[] {
  let among = headings;
  let found: readonly Heading[] = [];
  for (const part of path) {
    const name = comparable(part);
    found = among.filter((each) => comparable(each.title) === name);
    const outer = found[0];
    if (!outer) return [];
    among = headings.filter((each) => each.from > outer.from && each.from < outer.to);
  }
  return found;
}

/** Links leave out the signs that have a meaning in a link, and closing marks. */
function comparable(heading: string): string {
  return heading
    .replace(/[#|^:%[\]\\\s]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** The paragraph, list item or block that ends with `^id`, without the id. */
function blockOf(text: string, blocks: readonly Block[], id: string): string | null {
  const wanted = `^${id.toLowerCase()}`;
  const index = blocks.findIndex((each) => {
    if (each.kind === 'fence' || each.kind === 'front-matter' || each.kind === 'code') return false;
    const line = text.slice(Math.max(each.from, each.to - wanted.length - 100), each.to).trimEnd();
    const before = line.at(-wanted.length - 1);
    return line.toLowerCase().endsWith(wanted) && (before === undefined || /\s/.test(before));
  });
  const found = blocks[index];
  if (!found) return null;
  const own = text.slice(found.from, found.to).trimEnd().slice(0, -wanted.length).trimEnd();
  if (own.trim() !== '') {
    const start = paragraphStart(text, blocks, index);
    return text.slice(start, found.from) + own;
  }
  // An id on its own line names the block above it.
  let above = index - 1;
  while (above >= 0 && isBlank(text, blocks[above])) above--;
  const last = blocks[above];
  return last ? text.slice(paragraphStart(text, blocks, above), last.to) : null;
}

function paragraphStart(text: string, blocks: readonly Block[], index: number): number {
  let first = index;
  while (first > 0) {
    const line = blocks[first];
    const before = blocks[first - 1];
    if (line?.kind !== 'line' || before?.kind !== 'line' || isBlank(text, before)) break;
    if (/^\s*(?:[-*+]|\d{1,9}[.)]|#{1,6})\s/.test(text.slice(line.from, line.to))) break;
    first--;
  }
  return blocks[first]?.from ?? 0;
}

function isBlank(text: string, block: Block | undefined): boolean {
  return block?.kind === 'line' && text.slice(block.from, block.to).trim() === '';
}
