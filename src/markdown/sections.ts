import { headingsNamed } from './headings';
import { type Block, findFrontMatter, scanBlocks } from './scan';

/**
 * The part of a note that `#heading` or `#^block` names; the whole text without front matter for neither. A heading
 * may be a path (`Part#Chapter`). Null: not there.
 */
export function sectionOf(text: string, heading: string | null, block: string | null): string | null {
  if (block !== null) return blockOf(text, scanBlocks(text), block);
  if (heading !== null) {
    const section = headingsNamed(text, heading)[0];
    return section ? text.slice(section.from, section.to).trimEnd() : null;
  }
  const first = findFrontMatter(text);
  return first ? text.slice(first.to + 1) : text;
}

/** The paragraph, list item or block that ends with `^id`, without the id. */
function blockOf(text: string, blocks: readonly Block[], id: string): string | null {
  const mark = `^${id.toLowerCase()}`;
  const index = blocks.findIndex((each) => {
    if (each.kind === 'fence' || each.kind === 'front-matter' || each.kind === 'code') return false;
    const line = text.slice(Math.max(each.from, each.to - mark.length - 100), each.to).trimEnd();
    const before = line.at(-mark.length - 1);
    return line.toLowerCase().endsWith(mark) && (before === undefined || /\s/.test(before));
  });
  const block = blocks[index];
  if (!block) return null;
  const own = text.slice(block.from, block.to).trimEnd().slice(0, -mark.length).trimEnd();
  if (own.trim() !== '') {
    const start = paragraphStart(text, blocks, index);
    return text.slice(start, block.from) + own;
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
