import type { Range } from '@codemirror/state';
import { Decoration } from '@codemirror/view';
import type { SyntaxNodeRef } from '@lezer/common';
import { findResourceLinks, type NoteLink } from '../../../../markdown';
import type { NoteContext } from '../context/note-context';
import { Bullet, Checkbox, ResourceChip, Rule } from '../drawing/widgets';
import { parseLine } from '../reading/line-syntax';
import { decodeTarget, drawNoteLink, drawPicture, isAway } from './draw-link';
import { createLinePen, type DrawnText, type LinePen } from './line-pen';

const bullet = Decoration.replace({ widget: new Bullet() });
const marks: Readonly<Record<string, string>> = {
  Emphasis: 'cm-emphasis',
  StrongEmphasis: 'cm-strong',
  Strikethrough: 'cm-strike',
  InlineCode: 'cm-inline-code',
};
const syntaxMarks = new Set(['EmphasisMark', 'CodeMark', 'StrikethroughMark']);
const linkNodes = new Set(['Link', 'Image', 'URL', 'Autolink']);

export interface SyntaxText extends DrawnText {
  /** Of the whole line, with offsets in the note. */
  readonly links: readonly NoteLink[];
  readonly leads: NoteContext['leads'];
  /** Where it is in the note; left out: it is not on the line. */
  readonly cursor?: number;
}

/** Draws what markdown means within one line, and hides its signs. */
export function drawSyntax(line: SyntaxText, decorations: Range<Decoration>[]): void {
  const { text, offset, cursor = -1 } = line;
  const pen = createLinePen(line, decorations);
  const inVault = line.links
    .map((link) => ({ ...link, from: link.from - offset, to: link.to - offset }))
    .filter(({ from, to }) => from >= 0 && to <= text.length);
  for (const link of inVault) drawNoteLink(pen, link, line.leads);
  parseLine(text).iterate({
    enter(node) {
      const { name, from, to } = node;
      if (!linkNodes.has(name)) {
        drawNode(pen, node);
        return undefined;
      }
      // Drawn as the core reads it.
      if (inVault.some((link) => link.from < to && from < link.to))
        return name === 'Link' || name === 'Image' ? undefined : false;
      if (name === 'Link') return drawAwayLink(pen, node, cursor - offset);
      if (name === 'Image') return drawAwayPicture(pen, node);
      const parent = node.node.parent?.name;
      if (parent === 'Link' || parent === 'Image') return false;
      pen.mark(from, to, 'cm-link', { 'data-target': text.slice(from, to).replace(/^<|>$/g, '') });
      return false;
    },
  });
}

/** Everything but links. */
function drawNode(pen: LinePen, { name, from, to }: SyntaxNodeRef): void {
  const { text, active } = pen;
  const replace = (end: number, decoration: Decoration) =>
    pen.put(from, Math.min(text.length, end), decoration);
  if (marks[name]) pen.mark(from, to, marks[name]);
  else if (syntaxMarks.has(name)) pen.hide(from, to);
  else if (name === 'Escape') pen.hide(from, from + 1);
  else if (name.startsWith('ATXHeading')) pen.lineClass(`cm-heading cm-heading-${name.slice(-1)}`);
  else if (name === 'HeaderMark') pen.hide(from, Math.min(text.length, to + (from === 0 ? 1 : 0)));
  else if (name === 'Blockquote') pen.lineClass('cm-quote');
  else if (name === 'QuoteMark') pen.hide(from, /[ \t]/.test(text.charAt(to)) ? to + 1 : to);
  else if (name === 'HorizontalRule' && !active) {
    pen.put(from, to, Decoration.replace({ widget: new Rule() }));
  } else if (name === 'ListMark') {
    pen.lineClass('cm-list');
    if (active) return;
    const task = /^ \[[ xX]\]/.test(text.slice(to));
    if (task) pen.hide(from, to + 1);
    else if (/[-*+]/.test(text.slice(from, to))) replace(to + 1, bullet);
    else pen.mark(from, Math.min(text.length, to + 1), 'cm-number');
  } else if (name === 'TaskMarker') {
    const checked = text[from + 1] !== ' ';
    if (checked) pen.mark(to + 1, text.length, 'cm-task-done');
    if (!active) replace(to + 1, Decoration.replace({ widget: new Checkbox(checked) }));
  }
}

/** A link that leads out of the vault. False: what is in it is not drawn. */
function drawAwayLink(pen: LinePen, { node, from, to }: SyntaxNodeRef, cursor: number): false | undefined {
  const { text } = pen;
  const close = text.indexOf('](', from);
  const target = node.getChild('URL');
  if (close < 0 || close > to || !target) return undefined;
  const address = text.slice(target.from, target.to);
  if (!isAway(address)) return undefined;
  const [resource] = findResourceLinks(text.slice(from, to));
  // A long address stays out of sight as long as nobody works on it.
  if (resource && !(from < cursor && cursor < to)) {
    pen.put(from, Math.min(text.length, to), Decoration.replace({ widget: new ResourceChip(resource) }));
    return false;
  }
  pen.hide(from, from + 1);
  pen.hide(close, to);
  pen.mark(from + 1, close, 'cm-link', { 'data-target': address });
  return undefined;
}

function drawAwayPicture(pen: LinePen, { node, from, to }: SyntaxNodeRef): false | undefined {
  const { text } = pen;
  const target = node.getChild('URL');
  const address = target ? text.slice(target.from, target.to) : '';
  if (!target || !isAway(address)) return undefined;
  const words = text.slice(from + 2, Math.max(from + 2, text.indexOf(']', from)));
  drawPicture(pen, from, to, decodeTarget(address), words);
  return false;
}
