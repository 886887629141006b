import { htmlBlockEnd } from './html-block';

/** One line or one block of a note, as far as the format needs to tell them apart. `to` excludes the last line break. */
export type Block =
  | { readonly kind: 'front-matter'; readonly from: number; readonly to: number }
  | Fence
  /** An indented line of code, or a line of code in a quote. */
  | { readonly kind: 'code'; readonly from: number; readonly to: number }
  | Callout
  /** Any other line, blank ones too; `from` is the start of the line. */
  | { readonly kind: 'line'; readonly from: number; readonly to: number };

/** HTML by itself, comments too. */
export interface HtmlBlock {
  readonly kind: 'html';
  readonly from: number;
  readonly to: number;
}

export interface Fence {
  readonly kind: 'fence';
  readonly from: number;
  readonly to: number;
  readonly info: string;
  /** The fence's own marks, as many as opened it. */
  readonly mark: string;
  /** Column of the fence; so many blanks are taken off each line of the body. */
  readonly indent: number;
  /** Whole lines, their line breaks included. */
  readonly bodyFrom: number;
  readonly bodyTo: number;
  readonly closed: boolean;
}

export interface Callout {
  readonly kind: 'callout';
  readonly from: number;
  readonly to: number;
  /** In lower case. */
  readonly type: string;
  readonly title: string;
}

/** What of the lines above a line decides how it is read. */
export interface Above {
  readonly list: ListItem | null;
  readonly paragraph: boolean;
  readonly open: Open | null;
  /** The note begins as front matter does, whose end is still to come. */
  readonly opensFrontMatter: boolean;
  /** One was indented or in a list: another line may end it, and turn about what opens and what closes below. */
  readonly hasLooseFence: boolean;
}

interface ListItem {
  /** Column of its content. */
  readonly column: number;
  readonly outer: ListItem | null;
}

/** What goes on until a line ends it. `base` is the content column of the list item; `fence` the mark of one in a quote. */
type Open =
  | { readonly kind: 'fence'; readonly mark: string; readonly indent: number; readonly base: number }
  | { readonly kind: 'quote'; readonly fence: string | null }
  | { readonly kind: 'callout' };

const nothingAbove: Above = {
  list: null,
  paragraph: false,
  open: null,
  opensFrontMatter: false,
  hasLooseFence: false,
};

const calloutStart = />[ \t]*\[!([^\]\n]+)\][+-]?[ \t]*([^\n]*)/y;
const listMark = /(?:[-*+]|\d{1,9}[.)])(?=[ \t\n]|$)/y;

const rule = /^([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const underlineOrRule = /^(?:=+[ \t]*|-+[ \t]*|([-*_])[ \t]*(?:\1[ \t]*){2,})$/;

/** The type, in lower case, and the title of a callout that begins at `at`. */
export function calloutHead(text: string, at = 0): { type: string; title: string } | null {
  const head = match(calloutStart, text, at);
  return head && { type: calloutType(head[1] ?? ''), title: (head[2] ?? '').trim() };
}

/** Other blanks are a part of it, and make another type of it. */
const calloutType = (word: string) => word.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '').toLowerCase();

/** A line of a callout or a quote, without its mark; null for any other. */
export function quoted(line: string): string | null {
  return quoteMark.test(line) ? line.replace(quoteMark, '') : null;
}

const quoteMark = /^[ \t]*> ?/;

/**
 * Reads the blocks of a note in one pass. What is not a block of its own comes line by line; so does HTML, in which a
 * conversation may stand, unless `html` is set.
 */
export function scanBlocks(text: string): Block[];
export function scanBlocks(text: string, options: { html: true }): (Block | HtmlBlock)[];
export function scanBlocks(text: string, { html = false } = {}): (Block | HtmlBlock)[] {
  return scan(text, null, html).blocks;
}

/**
 * Reads whole lines below what is above them; null at the start of a note. A line that goes on with a fence or a callout
 * above is no block.
 */
export function scanLines(lines: string, above: Above | null): { blocks: Block[]; above: Above };
export function scanLines(lines: string, above: Above | null): ReturnType<typeof scan> {
  return scan(lines, above, false);
}

/**
 * Whether the lines below a place are read as before once something else stands there, with blank lines around it. What is
 * indented may belong to a list or a paragraph above the place, and be code without it; where the place is within a line, it
 * may be the other way round. `block`: it leaves nothing open, as a callout; `any text`: it may end in a list, of which the
 * lines below are a part then as far as they are indented.
 */
export function staysBelow(text: string, at: number, what: 'block' | 'any text'): boolean {
  const below = lineEnd(text, at) + 1;
  const rest = text.slice(at);
  if (text.slice(below).trim() === '') return true;
  const was = scanBlocks(text).filter(({ from }) => from >= below);
  const isAsBefore = (list: ListItem | null) => {
    const is = scanLines(rest, { ...nothingAbove, list }).blocks.filter(({ from }) => from + at >= below);
    return (
      was.length === is.length &&
      was.every(({ kind, from, to }, index) => {
        const now = is[index];
        return now?.kind === kind && now.from + at === from && now.to + at === to;
      })
    );
  };
  if (!isAsBefore(null)) return false;
  const columns = what === 'block' ? 0 : firstColumn(rest);
  for (let column = 2; column <= columns; column++) if (!isAsBefore({ column, outer: null })) return false;
  return true;
}

/** Of more blanks than a list has, none is told from the next. */
const mostColumns = 40;

/** The column of the first words. */
function firstColumn(text: string): number {
  const words = /\S/.exec(text)?.index ?? 0;
  const start = text.lastIndexOf('\n', words) + 1;
  return Math.min(mostColumns, indentation(text, start, words).column);
}

function scan(
  text: string,
  above: Above | null,
  html: boolean,
): { blocks: (Block | HtmlBlock)[]; above: Above } {
  const blocks: (Block | HtmlBlock)[] = [];
  let at = above === null && text.startsWith('\uFEFF') ? 1 : 0;
  let { list, paragraph, open, opensFrontMatter, hasLooseFence } = above ?? nothingAbove;
  if (above === null) {
    const frontMatter = findFrontMatter(text);
    if (frontMatter) {
      blocks.push({ kind: 'front-matter', ...frontMatter });
      at = frontMatter.to + 1;
    } else opensFrontMatter = isRule(text, at);
  } else if (opensFrontMatter) {
    const end = frontMatterEnd(text, 0);
    if (end !== null) {
      ({ list, paragraph, open, opensFrontMatter } = nothingAbove);
      at = end + 1;
    }
  }
  if (open !== null) ({ at, open } = goOn(text, at, open, blocks));
  while (at < text.length) {
    const lineStart = at;
    const end = lineEnd(text, at);
    let { column, offset } = indentation(text, at, end);
    if (offset === end) {
      blocks.push({ kind: 'line', from: lineStart, to: end });
      paragraph = false;
      at = end + 1;
      continue;
    }
    while (list && column < list.column) list = list.outer;
    if (column - (list?.column ?? 0) >= 4) {
      // So far indented, a line is code, or goes on with a paragraph.
      blocks.push({ kind: paragraph ? 'line' : 'code', from: lineStart, to: end });
      at = end + 1;
      continue;
    }
    for (let mark = match(listMark, text, offset); mark; mark = match(listMark, text, offset)) {
      const after = indentation(text, offset + mark[0].length, end, column + mark[0].length);
      const blanks = after.column - column - mark[0].length;
      const content = after.offset === end || blanks > 4 ? column + mark[0].length + 1 : after.column;
      list = { column: content, outer: list };
      ({ column, offset } = after);
      if (offset === end) break;
    }
    const base = list?.column ?? 0;
    const fence = readFence(text, offset, end, column, base);
    const htmlEnd = html && text[offset] === '<' ? htmlBlockEnd(text, offset, paragraph) : null;
    if (htmlEnd !== null) {
      blocks.push({ kind: 'html', from: lineStart, to: htmlEnd });
      paragraph = false;
      at = htmlEnd + 1;
    } else if (fence) {
      blocks.push(fence);
      paragraph = false;
      hasLooseFence ||= base > 0 || column > 0;
      at = fence.to + 1;
      const goesOn = !fence.closed && at >= text.length;
      open = goesOn ? { kind: 'fence', mark: fence.mark, indent: column, base } : null;
    } else if (text[offset] === '>') {
      ({ at, open } = readQuote(text, lineStart, offset, blocks));
      paragraph = false;
    } else {
      blocks.push({ kind: 'line', from: lineStart, to: end });
      const isNoText: boolean =
        html && (offset === end || (paragraph ? underlineOrRule : rule).test(text.slice(offset, end)));
      paragraph =
        !isNoText && (text[offset] !== '#' || !/^#{1,6}(?:\s|$)/.test(text.slice(offset, offset + 7)));
      at = end + 1;
    }
  }
  return { blocks, above: { list, paragraph, open, opensFrontMatter, hasLooseFence } };
}

/** The text between a fence's lines, without the fence's own indentation. Null for a fence without any line. */
export function fenceBody(text: string, fence: Fence): string | null {
  if (fence.bodyFrom >= fence.bodyTo) return null;
  const body = text.slice(fence.bodyFrom, fence.bodyTo);
  const lines = body.endsWith('\n') ? body.slice(0, -1) : body;
  if (fence.indent === 0) return lines;
  return lines
    .split('\n')
    .map((line) => {
      let count = 0;
      while (count < fence.indent && (line[count] === ' ' || line[count] === '\t')) count++;
      return line.slice(count);
    })
    .join('\n');
}

/** From the first to the last `---`, line break excluded. */
export function findFrontMatter(text: string): { from: number; to: number } | null {
  const from = text.startsWith('\uFEFF') ? 1 : 0;
  if (!isRule(text, from)) return null;
  const to = frontMatterEnd(text, lineEnd(text, from) + 1);
  return to === null ? null : { from, to };
}

function frontMatterEnd(text: string, from: number): number | null {
  for (let at = from; at < text.length; at = lineEnd(text, at) + 1) {
    if (isRule(text, at)) return lineEnd(text, at);
  }
  return null;
}

const isRule = (text: string, at: number) =>
  text.startsWith('---', at) && text.slice(at, lineEnd(text, at)).trimEnd() === '---';

/** The marks and the info string of a line that opens a fence. */
export function fenceOpening(line: string): { mark: string; info: string } | null {
  const first = line[0];
  if (first !== '`' && first !== '~') return null;
  let length = 1;
  while (line[length] === first) length++;
  if (length < 3) return null;
  const info = line.slice(length).trim();
  return first === '`' && info.includes('`') ? null : { mark: line.slice(0, length), info };
}

export function closesFence(line: string, mark: string): boolean {
  if (!line.startsWith(mark)) return false;
  let length = mark.length;
  while (line[length] === mark[0]) length++;
  return line.slice(length).trim() === '';
}

/** Where to go on, and what goes on still where that is the end of the text. */
interface Read {
  readonly at: number;
  readonly open: Open | null;
}

function goOn(text: string, at: number, open: Open, blocks: (Block | HtmlBlock)[]): Read {
  switch (open.kind) {
    case 'fence': {
      const { to, closed } = fenceEnd(text, at - 1, open);
      return { at: to + 1, open: closed || to + 1 < text.length ? null : open };
    }
    case 'quote':
      return readPlainQuote(text, quoteLine(text, at), at, open.fence, blocks);
    case 'callout':
      return readCallout(text, at);
  }
}

function readFence(text: string, offset: number, end: number, column: number, base: number): Fence | null {
  if (text[offset] !== '`' && text[offset] !== '~') return null;
  const opening = fenceOpening(text.slice(offset, end));
  if (!opening) return null;
  const bodyFrom = Math.min(end + 1, text.length);
  const { to, bodyTo, closed } = fenceEnd(text, end, { mark: opening.mark, base });
  return {
    kind: 'fence',
    from: offset,
    to,
    info: opening.info,
    mark: opening.mark,
    indent: column,
    bodyFrom,
    bodyTo: Math.max(bodyFrom, bodyTo),
    closed,
  };
}

/** `lastEnd` is the end of the line above. */
function fenceEnd(
  text: string,
  lastEnd: number,
  { mark, base }: { mark: string; base: number },
): Pick<Fence, 'to' | 'bodyTo' | 'closed'> {
  let to = lastEnd;
  let at = to + 1;
  while (at < text.length) {
    const stop = lineEnd(text, at);
    const start = indentation(text, at, stop);
    // The list item ends, and with it the fence in it.
    if (start.offset < stop && start.column < base) break;
    if (
      start.column - base < 4 &&
      text[start.offset] === mark[0] &&
      closesFence(text.slice(start.offset, stop), mark)
    ) {
      return { to: stop, bodyTo: at, closed: true };
    }
    to = stop;
    at = stop + 1;
  }
  return { to, bodyTo: Math.min(at, text.length), closed: false };
}

/** Reads a callout, or the lines of a plain quote up to one. */
function readQuote(text: string, lineStart: number, offset: number, blocks: (Block | HtmlBlock)[]): Read {
  const end = lineEnd(text, offset);
  const callout = calloutHead(text, offset);
  if (!callout) return readPlainQuote(text, { start: lineStart, mark: offset, end }, lineStart, null, blocks);
  const reading = readCallout(text, end + 1);
  blocks.push({ kind: 'callout', from: offset, to: reading.at - 1, ...callout });
  return reading;
}

function readCallout(text: string, from: number): Read {
  let at = from;
  for (let next = quoteLine(text, at); next; next = quoteLine(text, at)) at = next.end + 1;
  return { at, open: at < text.length ? null : { kind: 'callout' } };
}

function readPlainQuote(
  text: string,
  first: QuoteLine | null,
  from: number,
  fenceAbove: string | null,
  blocks: (Block | HtmlBlock)[],
): Read {
  let fence = fenceAbove;
  let line = first;
  let at = from;
  while (line) {
    const inner = text.slice(line.mark + 1, line.end).trimStart();
    if (fence === null && match(calloutStart, text, line.mark)) return { at: line.start, open: null };
    const opening: { mark: string } | null = fence === null ? fenceOpening(inner) : null;
    blocks.push({ kind: fence !== null || opening ? 'code' : 'line', from: line.start, to: line.end });
    if (opening) fence = opening.mark;
    else if (fence !== null && closesFence(inner, fence)) fence = null;
    at = line.end + 1;
    line = quoteLine(text, at);
  }
  return { at, open: at < text.length ? null : { kind: 'quote', fence } };
}

interface QuoteLine {
  readonly start: number;
  readonly mark: number;
  readonly end: number;
}

function quoteLine(text: string, start: number): QuoteLine | null {
  if (start >= text.length) return null;
  let mark = start;
  while (text[mark] === ' ' || text[mark] === '\t') mark++;
  return text[mark] === '>' ? { start, mark, end: lineEnd(text, mark) } : null;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function indentation(
  text: string,
  from: number,
  end: number,
  column = 0,
): { column: number; offset: number } {
  let offset = from;
  let at = column;
  for (; offset < end; offset++) {
    if (text[offset] === ' ') at++;
    else if (text[offset] === '\t') at += 4 - (at % 4);
    else break;
  }
  return { column: at, offset };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
