import { type EditorState, type Extension, type Line, type Range, RangeSet } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView } from '@codemirror/view';
import { noteContext } from '../context/note-context';
import { drawn } from '../drawing/drawn';
import { SpeakerChip, Words } from '../drawing/widgets';
import { linesInBlocks } from '../reading/block-lines';
import { blockAround } from '../reading/blocks';
import { longestLine } from '../reading/line-syntax';
import { roleTagsAt } from '../reading/role-tag';
import { decorateTable, isTableRow } from '../reading/tables';
import { linksOf } from './draw-link';
import { drawSyntax } from './draw-syntax';
import { isCard } from './folds';

const hidden = Decoration.replace({});
const blank = Decoration.line({ class: 'cm-blank' });
const tight = Decoration.line({ class: 'cm-tight' });
const indent = Decoration.mark({ class: 'cm-indent' });

type Found = Range<Decoration>[];

/** Reads only the lines on the screen; a line that the cursor is on shows its source. */
export const livePreview: Extension = drawn(decorate);

function decorate(view: EditorView): DecorationSet {
  const decorations: Found = [];
  const { state } = view;
  const activeLines = linesOfCursor(view);
  for (const { from, to } of view.visibleRanges) {
    const inBlock = linesInBlocks(state, from, to);
    for (let at = from; at <= to; ) {
      const line = state.doc.lineAt(at);
      const block = inBlock.get(line.from);
      const active = activeLines.has(line.number);
      let end = line.to;
      if (block) {
        decorations.push(Decoration.line({ class: block.names }).range(line.from));
        if (block.isCallout) decorateCalloutLine(state, line, active, block.isCode, decorations);
        else if (!active && block.isQuoted) hideQuoteMarks(line, decorations);
      } else if (isTableRow(state, line)) {
        end = endOfTable(state, line, to);
        decorateTable(
          state,
          line.from,
          end,
          (number) => activeLines.has(number),
          decorations,
          // A cell is never a list or a heading, whatever it begins with.
          (lineFrom, cellFrom, text) =>
            drawSyntax(
              {
                lineFrom,
                text: `|${text}`,
                offset: cellFrom - 1,
                active: false,
                links: linksOf(state.doc.lineAt(lineFrom)),
                leads: state.field(noteContext).leads,
              },
              decorations,
            ),
        );
      } else decorateLine(state, line.from, line.text, active, decorations);
      at = end + 1;
    }
  }
  return RangeSet.of(decorations, true);
}

function linesOfCursor(view: EditorView): Set<number> {
  const lines = new Set<number>();
  if (!view.hasFocus) return lines;
  for (const { from, to } of view.state.selection.ranges) {
    const last = view.state.doc.lineAt(to).number;
    for (let number = view.state.doc.lineAt(from).number; number <= last && lines.size < 500; number++) {
      lines.add(number);
    }
  }
  return lines;
}

function hideQuoteMarks({ from, text }: Line, decorations: Found): void {
  const marks = /^[ \t]*>[> \t]*/.exec(text)?.[0] ?? '';
  if (marks !== '') decorations.push(hidden.range(from, from + marks.length));
}

function endOfTable(state: EditorState, first: Line, until: number): number {
  let line = first;
  while (line.number < state.doc.lines && line.to < until) {
    const next = state.doc.line(line.number + 1);
    if (!isTableRow(state, next)) break;
    line = next;
  }
  return line.to;
}

/** The empty line between two folded calls takes no room. */
function isBetweenCards(state: EditorState, at: number): boolean {
  if (at === 0 || at >= state.doc.length) return false;
  const above = blockAround(state, at - 1);
  const below = blockAround(state, at + 1);
  return above !== null && below !== null && isCard(above.value) && isCard(below.value);
}

/** The marks of a callout stand back; what it says is read like any line, but for code. */
function decorateCalloutLine(
  state: EditorState,
  { from, text }: Line,
  active: boolean,
  isCode: boolean,
  decorations: Found,
): void {
  const head = /^[ \t]*>[ \t]*\[!([^\]]+)\][-+]?\s*/.exec(text);
  const mark = head?.[0] ?? /^[ \t]*> ?/.exec(text)?.[0] ?? '';
  if (text.length > longestLine) return;
  if (!active && mark) {
    const untitled = head && head[0].length === text.length;
    const widget = untitled ? { widget: new Words(head[1] ?? '') } : {};
    decorations.push(Decoration.replace(widget).range(from, from + mark.length));
  }
  if (isCode) return;
  const { leads } = state.field(noteContext);
  const links = linksOf({ from, text });
  const words = { lineFrom: from, text: text.slice(mark.length), offset: from + mark.length };
  drawSyntax({ ...words, active, links, leads }, decorations);
}

function decorateLine(
  state: EditorState,
  from: number,
  text: string,
  active: boolean,
  decorations: Found,
): void {
  if (text.length === 0)
    decorations.push((!active && isBetweenCards(state, from) ? tight : blank).range(from));
  if (text.length === 0) return;
  const { leads } = state.field(noteContext);
  const { head } = state.selection.main;
  const isLong = text.length > longestLine;
  const line = { lineFrom: from, active, links: isLong ? [] : linksOf({ from, text }), leads, cursor: head };
  // Who speaks is told in a line of any length.
  const decorateWords = (start: number, end: number) =>
    isLong || drawSyntax({ ...line, text: text.slice(start, end), offset: from + start }, decorations);
  const tags = roleTagsAt(state, { from, text });
  const indented = tags[0]?.opensLine ? 0 : text.length - text.trimStart().length;
  if (indented > 0) decorations.push(indent.range(from, from + indented));
  let behind = indented;
  for (const tag of tags) {
    const chip = Decoration.replace({ widget: new SpeakerChip(tag) });
    const raw = Decoration.mark({ class: `cm-tag cm-tag-${tag.role}` });
    decorations.push((active ? raw : chip).range(from + tag.from, from + tag.to));
    decorations.push(Decoration.line({ class: `cm-turn cm-turn-${tag.role}` }).range(from));
    if (!tag.opensLine) decorateWords(behind, tag.from);
    behind = tag.to;
  }
  decorateWords(behind, text.length);
}
