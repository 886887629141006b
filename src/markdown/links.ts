import { codeSpans, indexWithin, isInside } from './inline-code';
import { scanBlocks } from './scan';
import { codeLines } from './tool-calls/callout';

export interface NoteLink {
  readonly from: number;
  readonly to: number;
  readonly kind: 'link' | 'embed';
  readonly target: string;
  readonly heading: string | null;
  readonly block: string | null;
}

/** Wiki links, embeds and markdown links to notes or files, outside code; callouts count. */
export function findLinks(text: string): readonly NoteLink[] {
  const links: NoteLink[] = [];
  for (const block of scanBlocks(text)) {
    if (block.kind !== 'line' && block.kind !== 'callout') continue;
    const source = text.slice(block.from, block.to);
    if (!source.includes('[[') && !source.includes('](')) continue;
    const isCode = block.kind === 'callout' ? codeLines(source) : [];
    let at = block.from;
    for (const [index, line] of source.split('\n').entries()) {
      if (!isCode[index]) linksInLine(text, at, at + line.length, links);
      at += line.length + 1;
    }
  }
  return links;
}

/** The same of one line, or of what of it stands between marks; none of them is code. */
export function findLinksInLine(text: string): readonly NoteLink[] {
  const links: NoteLink[] = [];
  if (text.includes('[')) linksInLine(text, 0, text.length, links);
  return links;
}

function linksInLine(text: string, from: number, to: number, links: NoteLink[]): void {
  const code = codeSpans(text, from, to);
  const result: NoteLink[] = [];
  const add = (start: number, end: number, address: string): void => {
    const embed = start > from && text[start - 1] === '!' && !isEscaped(text, start - 1, from);
    const place = parseAddress(address);
    if (place && !isInside(code, start)) {
      result.push({ from: embed ? start - 1 : start, to: end, kind: embed ? 'embed' : 'link', ...place });
    }
  };
  const next = (at: number): number => {
    let start = indexWithin(text, '[[', at, to);
    while (start !== -1 && isEscaped(text, start, from)) start = indexWithin(text, '[[', start + 1, to);
    return start;
  };
  let wikiEnd = from;
  for (let start = next(from); start !== -1; start = next(wikiEnd)) {
    const end = indexWithin(text, ']]', start + 2, to);
    if (end === -1) break;
    // Of several that open, the last.
    let open = text.lastIndexOf('[[', end - 1);
    while (open > start && isEscaped(text, open, from)) open = text.lastIndexOf('[[', open - 1);
    const inner = text.slice(open + 2, end);
    add(end - inner.length - 2, end + 2, wikiParts(inner).address);
    wikiEnd = end + 2;
  }
  inlineLinks(text, from, to, (start, end, target) => add(start, end, withoutScheme(target) ?? ''));
  // Of nested ones the inner counts.
  let last = from;
  for (const link of result.sort((a, b) => a.to - b.to)) {
    if (link.from < last) continue;
    links.push(link);
    last = link.to;
  }
}

/**
 * What stands between the brackets, taken apart at the first bar. In a cell of a table the bar is written `\|`. `words`: null
 * without a bar.
 */
export function wikiParts(inner: string): { readonly address: string; readonly words: string | null } {
  const bar = inner.indexOf('|');
  if (bar === -1) return { address: inner, words: null };
  return { address: inner.slice(0, inner[bar - 1] === '\\' ? bar - 1 : bar), words: inner.slice(bar + 1) };
}

/** Behind an odd number of backslashes. */
function isEscaped(text: string, at: number, from: number): boolean {
  let start = at;
  while (start > from && text[start - 1] === '\\') start--;
  return (at - start) % 2 === 1;
}

const addressAndTitle = /^(?:\s*(?:<([^<>]*)>|(\S+))(?:\s+(?:"[^"]*"|'[^']*'))?|\s+(?:"[^"]*"|'[^']*')|\s*)$/;
const longestAddress = 1000;

/** `[label](address)` in one pass; brackets may nest. */
export function inlineLinks(
  text: string,
  from: number,
  to: number,
  add: (start: number, end: number, address: string) => void,
): void {
  const labels: number[] = [];
  const parentheses: { at: number; label: number | null }[] = [];
  let lastEnd = from;
  for (let at = from; at < to; at++) {
    const unit = text[at];
    if (unit === '\\') at++;
    else if (unit === '[') labels.push(at);
    else if (unit === '(') parentheses.push({ at, label: null });
    else if (unit === ']') {
      const label = labels.pop();
      if (label !== undefined && text[at + 1] === '(') parentheses.push({ at: ++at, label });
    } else if (unit === ')') {
      const open = parentheses.pop();
      if (!open || open.label === null || open.at < lastEnd || at - open.at > longestAddress) continue;
      const target = addressAndTitle.exec(text.slice(open.at + 1, at).trimEnd());
      if (!target) continue;
      add(open.label, at + 1, target[1] ?? target[2] ?? '');
      lastEnd = at;
    }
  }
}

/** An address in the vault, decoded; null for one on the web. */
function withoutScheme(address: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(address) || address.startsWith('//')) return null;
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

function parseAddress(address: string): Pick<NoteLink, 'target' | 'heading' | 'block'> | null {
  const hash = address.indexOf('#');
  const target = (hash === -1 ? address : address.slice(0, hash)).trim();
  const fragment = hash === -1 ? '' : address.slice(hash + 1).trim();
  if (target === '' && fragment === '') return null;
  if (fragment.startsWith('^')) return { target, heading: null, block: fragment.slice(1) };
  return { target, heading: fragment === '' ? null : fragment, block: null };
}
