import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import { parser, Table } from '@lezer/markdown';
import { endOfTurn } from '../../../../markdown';
import { conversationOf } from '../reading/conversation';
import { behindBlock } from '../reading/tool-block';

/**
 * Where a block of its own goes that is wanted in the middle of something which it would cut in two, and what has to be
 * closed there; null where it cuts nothing.
 */
export function placeBehind(state: EditorState, at: number): { at: number; closing: string } | null {
  const block = behindBlock(state, at);
  const end = endOfWhole(state, block ? block.at : at);
  return end === null ? block : { at: end, closing: '' };
}

/** Each turn is read by itself: a table may begin behind its tag, and nothing goes on over the next one. */
function endOfWhole(state: EditorState, at: number): number | null {
  const conversation = conversationOf(state);
  const { turns, newChats, frontMatter } = conversation;
  const start = Math.max(
    frontMatter?.to ?? 0,
    ...turns.filter(({ from }) => from <= at).map(({ contentFrom }) => contentFrom),
    ...newChats.filter((from) => from <= at),
  );
  const text = state.sliceDoc(start, endOfTurn(conversation, at, state.doc.length));
  const end = endInText(text, Math.max(0, at - start));
  return end === null ? null : start + end;
}

/** What stands within a line takes half of the time, and nobody asks for it here. */
const inline = [
  'Escape',
  'Entity',
  'InlineCode',
  'HTMLTag',
  'Emphasis',
  'HardBreak',
  'Link',
  'Image',
  'LinkEnd',
];
const blocks = parser.configure([Table, { remove: inline }]);

const wholes: ReadonlySet<string> = new Set([
  'Table',
  'ListItem',
  'Blockquote',
  'CodeBlock',
  'HTMLBlock',
  'CommentBlock',
  'ProcessingInstructionBlock',
  'SetextHeading1',
  'SetextHeading2',
]);

function endInText(text: string, at: number): number | null {
  const { topNode } = blocks.parse(text);
  const marked = markedIn(text, topNode);
  // What its indentation belongs to begins behind it.
  const start = at + (/^[ \t]*(?=\S)/.exec(text.slice(at))?.[0].length ?? 0);
  let end = start;
  for (let last = -1; last < end; ) {
    last = end;
    const node = childAt(topNode, end);
    const whole = node?.name.endsWith('List') ? childAt(node, end) : node;
    if (whole && wholes.has(whole.name)) end = text.slice(0, whole.to).trimEnd().length;
    end = Math.max(last, end, marked.find(({ from, to }) => from <= last && last < to)?.to ?? 0);
  }
  return end > start ? end : null;
}

function childAt(node: SyntaxNode, at: number): SyntaxNode | null {
  let child = node.firstChild;
  while (child && child.to <= at) child = child.nextSibling;
  return child && child.from <= at ? child : null;
}

const pairMark = /^ {0,3}(\$\$|%%)/;
const footnote = /^ {0,3}\[\^[^\]\s]+\]:/;

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** What is no block to the reader above: formulas and comments between two marks, and footnotes. */
function markedIn(text: string, topNode: SyntaxNode): Stretch[] {
  const stretches: Stretch[] = [];
  const nameAt = (at: number) => childAt(topNode, at)?.name ?? '';
  const lines = linesOf(text);
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    if (!line) continue;
    const mark = pairMark.exec(line.text)?.[1];
    if ((!mark && !footnote.test(line.text)) || /Code/.test(nameAt(line.from))) continue;
    const last = mark ? lastOfPair(lines, index, mark) : lastOfFootnote(lines, index, nameAt);
    stretches.push({ from: line.from, to: lines[last]?.to ?? line.to });
    index = last;
  }
  return stretches;
}

type Line = Stretch & { readonly text: string };

function linesOf(text: string): Line[] {
  let from = 0;
  return text.split('\n').map((line) => {
    const to = from + line.length;
    const one = { from, to, text: line };
    from = to + 1;
    return one;
  });
}

/** The first line itself where the mark is closed on it, or nowhere. */
function lastOfPair(lines: readonly Line[], first: number, mark: string): number {
  if (lines[first]?.text.split(mark).length !== 2) return first;
  const last = lines.findIndex(({ text }, index) => index > first && text.includes(mark));
  return last === -1 ? first : last;
}

/** Its first paragraph, and what is indented below. */
function lastOfFootnote(lines: readonly Line[], first: number, nameAt: (at: number) => string): number {
  let last = first;
  for (let index = first + 1; index < lines.length; index++) {
    const { from, text } = lines[index] ?? { from: 0, text: '' };
    if (text.trim() === '') continue;
    const isLazy = index === last + 1 && nameAt(from) === 'Paragraph' && !footnote.test(text);
    if (!isLazy && !/^(?: {4}|\t)/.test(text)) break;
    last = index;
  }
  return last;
}
