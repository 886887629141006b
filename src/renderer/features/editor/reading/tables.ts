import type { EditorState, Line, Range } from '@codemirror/state';
import { Decoration } from '@codemirror/view';
import { findLinksInLine } from '../../../../markdown';
import { roleTagsAt } from './role-tag';

const rule = Decoration.line({ class: 'cm-table-rule' });
const row = Decoration.line({ class: 'cm-table' });
const head = Decoration.line({ class: 'cm-table cm-table-head' });
const bar = Decoration.replace({});

/** A line in which somebody begins to speak is none, though it has the bars of one. */
export const isTableRow = (state: EditorState, line: Pick<Line, 'from' | 'text'>): boolean =>
  line.text.startsWith('|') && roleTagsAt(state, line).length === 0;

const isRule = (text: string) => /^\|[\s:|-]+$/.test(text);

/** Cells under each other: as wide as the widest of their column among the rows around. */
export function decorateTable(
  state: EditorState,
  from: number,
  to: number,
  isActive: (lineNumber: number) => boolean,
  decorations: Range<Decoration>[],
  /** Decorates what a cell says. */
  inCell: (lineFrom: number, from: number, text: string) => void,
): void {
  const first = state.doc.lineAt(from).number;
  const last = state.doc.lineAt(to).number;
  const lines = Array.from({ length: last - first + 1 }, (_, at) => state.doc.line(first + at));
  const widths: number[] = [];
  for (const { text } of lines) {
    if (isRule(text)) continue;
    cellsOf(text).forEach((cell, column) => {
      widths[column] = Math.min(48, Math.max(widths[column] ?? 0, widthOf(text.slice(cell.from, cell.to))));
    });
  }
  const active = lines.some(({ number }) => isActive(number));
  lines.forEach((line, at) => {
    if (!active && isRule(line.text)) {
      decorations.push(rule.range(line.from), bar.range(line.from, line.to));
      return;
    }
    decorations.push((at === 0 && lines[1] && isRule(lines[1].text) ? head : row).range(line.from));
    if (active) return;
    let end = 0;
    cellsOf(line.text).forEach((cell, column) => {
      decorations.push(bar.range(line.from + end, line.from + cell.from));
      const style = `min-width:${(widths[column] ?? 0) + 3}ch`;
      if (cell.to > cell.from) {
        const box = Decoration.mark({ class: 'cm-cell', attributes: { style }, inclusive: true });
        decorations.push(box.range(line.from + cell.from, line.from + cell.to));
        inCell(line.from, line.from + cell.from, line.text.slice(cell.from, cell.to));
      }
      end = cell.to;
    });
    if (end < line.text.length) decorations.push(bar.range(line.from + end, line.from + line.text.length));
  });
}

/**
 * A blank at least stays in an empty cell, so that the next one keeps its place. A bar in a link ends no cell: what the link
 * leads to goes along with a message, and is to be seen.
 */
export function cellsOf(text: string): { from: number; to: number }[] {
  const cells: { from: number; to: number }[] = [];
  const links = findLinksInLine(text);
  const endsCell = (at: number) =>
    text[at] === '|' && text[at - 1] !== '\\' && !links.some(({ from, to }) => from < at && at < to);
  let start = 1;
  for (let at = 1; at <= text.length; at++) {
    if (at < text.length && !endsCell(at)) continue;
    if (at === text.length && text.slice(start).trim() === '') break;
    const inner = text.slice(start, at);
    const blank = inner.trim() === '';
    const from = blank ? start : start + inner.length - inner.trimStart().length;
    cells.push({ from, to: blank ? Math.min(start + 1, at) : start + inner.trimEnd().length });
    start = at + 1;
  }
  return cells;
}

function widthOf(text: string): number {
  let width = 0;
  for (const char of text.replace(/\*\*|`|\[\[|\]\]/g, '')) width += char > '\u2e80' ? 2 : 1;
  return width;
}
