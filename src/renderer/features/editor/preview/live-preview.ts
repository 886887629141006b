import { type EditorState, type Extension, type Line, type Range, RangeSet } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView } from '@codemirror/view';
import { findLinksInLine, findResourceLinks, type NoteLink, quoted } from '../../../../markdown';
import { type NoteContext, noteContext } from '../context/note-context';
import { drawn, linesBetween } from '../drawing/drawn';
import { Bullet, Checkbox, ImageWidget, LentChip, Rule, SpeakerChip, Words } from '../drawing/widgets';
import { blockAround, blocksField, calloutType } from '../reading/blocks';
import { longestLine, parseLine } from '../reading/line-syntax';
import { roleTagsAt } from '../reading/role-tag';
import { decorateTable, isTableLine } from '../reading/tables';
import { isCard } from './folds';

const hidden = Decoration.replace({});
const bullet = Decoration.replace({ widget: new Bullet() });
const blank = Decoration.line({ class: 'cm-blank' });
const tight = Decoration.line({ class: 'cm-tight' });
const indent = Decoration.mark({ class: 'cm-indent' });
const marks: Readonly<Record<string, string>> = {
  Emphasis: 'cm-emphasis',
  StrongEmphasis: 'cm-strong',
  Strikethrough: 'cm-strike',
  InlineCode: 'cm-inline-code',
};
const syntaxMarks = new Set(['EmphasisMark', 'CodeMark', 'StrikethroughMark']);

type Found = Range<Decoration>[];

/** Reads only the lines on the screen; a line that the cursor is on shows its source. */
export const livePreview: Extension = drawn(decorate);

function decorate(view: EditorView): DecorationSet {
  const found: Found = [];
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
        found.push(Decoration.line({ class: block.names }).range(line.from));
        if (block.isCallout) decorateCalloutLine(state, line, active, block.isCode, found);
        else if (!active && block.isQuoted) hideQuoteMarks(line, found);
      } else if (isTableLine(line.text)) {
        end = endOfTable(state, line, to);
        decorateTable(
          state,
          line.from,
          end,
          (number) => activeLines.has(number),
          found,
          // A cell is never a list or a heading, whatever it begins with.
          (lineFrom, cellFrom, text) =>
            decorateSyntax(
              { from: lineFrom, links: linksOf(state.doc.lineAt(lineFrom)) },
              `|${text}`,
              cellFrom - 1,
              false,
              found,
              state.field(noteContext).leads,
            ),
        );
      } else decorateLine(state, line.from, line.text, active, found);
      at = end + 1;
    }
  }
  return RangeSet.of(found, true);
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

interface BlockLine {
  readonly names: string;
  readonly isCallout: boolean;
  /** Of a callout: in a fence. */
  readonly isCode: boolean;
  /** Code in a quote. */
  readonly isQuoted: boolean;
}

function hideQuoteMarks({ from, text }: Line, found: Found): void {
  const marks = /^[ \t]*>[> \t]*/.exec(text)?.[0] ?? '';
  if (marks !== '') found.push(hidden.range(from, from + marks.length));
}

/** Says of each line of a callout, one after the other, whether it belongs to a fence in it. */
function codeInCallout(): (line: string) => boolean {
  let open = '';
  return (line) => {
    const [, fence = '', info = ''] = /^[ \t]*> {0,4}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    const wasOpen = open !== '';
    if (!wasOpen) open = fence;
    else if (fence.startsWith(open) && info.trim() === '') open = '';
    return wasOpen || open !== '';
  };
}

/** The class of every visible line that belongs to a block, by the line's start. */
function linesInBlocks(state: EditorState, from: number, to: number): Map<number, BlockLine> {
  const lines = new Map<number, BlockLine>();
  state.field(blocksField).set.between(from, to, (blockFrom, blockTo, block) => {
    const type = calloutType(block);
    const isCallout = type !== null;
    // Whether a line is code is known from the first line on.
    const inCode = isCallout ? codeInCallout() : () => false;
    for (const line of linesBetween(
      state,
      isCallout ? blockFrom : Math.max(from, blockFrom),
      Math.min(to, blockTo),
    )) {
      const isCode = inCode(line.text);
      if (line.to < from) continue;
      const names = [`cm-${block.shape.kind}`];
      if (isCallout) names.push(`cm-callout-${type}`);
      const isSingle = block.shape.kind === 'code';
      const isQuoted = isSingle && quoted(line.text) !== null;
      if (isQuoted) names.push('cm-quote');
      if (!isSingle && line.from === blockFrom) names.push('cm-block-first');
      if (!isSingle && line.to >= blockTo) names.push('cm-block-last');
      lines.set(line.from, { names: names.join(' '), isCallout, isCode, isQuoted });
    }
  });
  return lines;
}

function endOfTable(state: EditorState, first: Line, until: number): number {
  let line = first;
  while (line.number < state.doc.lines && line.to < until) {
    const next = state.doc.line(line.number + 1);
    if (!isTableLine(next.text)) break;
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
  found: Found,
): void {
  const head = /^[ \t]*>[ \t]*\[!([^\]]+)\][-+]?\s*/.exec(text);
  const mark = head?.[0] ?? /^[ \t]*> ?/.exec(text)?.[0] ?? '';
  if (text.length > longestLine) return;
  if (!active && mark) {
    const untitled = head && head[0].length === text.length;
    const widget = untitled ? { widget: new Words(head[1] ?? '') } : {};
    found.push(Decoration.replace(widget).range(from, from + mark.length));
  }
  if (isCode) return;
  const { leads } = state.field(noteContext);
  const links = linksOf({ from, text });
  decorateSyntax({ from, links }, text.slice(mark.length), from + mark.length, active, found, leads);
}

function decorateLine(state: EditorState, from: number, text: string, active: boolean, found: Found): void {
  if (text.length === 0) found.push((!active && isBetweenCards(state, from) ? tight : blank).range(from));
  if (text.length === 0 || text.length > longestLine) return;
  const { leads } = state.field(noteContext);
  const { head } = state.selection.main;
  const line = { from, links: linksOf({ from, text }) };
  const decorateWords = (start: number, end: number) =>
    decorateSyntax(line, text.slice(start, end), from + start, active, found, leads, head);
  const tags = roleTagsAt(state, { from, text });
  const indented = tags[0]?.opensLine ? 0 : text.length - text.trimStart().length;
  if (indented > 0) found.push(indent.range(from, from + indented));
  let behind = indented;
  for (const tag of tags) {
    const chip = Decoration.replace({ widget: new SpeakerChip(tag) });
    const raw = Decoration.mark({ class: `cm-tag cm-tag-${tag.role}` });
    found.push((active ? raw : chip).range(from + tag.from, from + tag.to));
    found.push(Decoration.line({ class: `cm-turn cm-turn-${tag.role}` }).range(from));
    if (!tag.opensLine) decorateWords(behind, tag.from);
    behind = tag.to;
  }
  decorateWords(behind, text.length);
}

/** Where notes and files of the vault are linked on a line, as the core reads it; offsets in the note. */
export function linksOf({ from, text }: Pick<Line, 'from' | 'text'>): NoteLink[] {
  return findLinksInLine(text).map((link) => ({ ...link, from: link.from + from, to: link.to + from }));
}

function decorateSyntax(
  { from: lineFrom, links }: { readonly from: number; readonly links: readonly NoteLink[] },
  text: string,
  offset: number,
  active: boolean,
  found: Found,
  leads: NoteContext['leads'],
  cursor = -1,
): void {
  const lineClass = (name: string) => found.push(Decoration.line({ class: name }).range(lineFrom));
  const hide = (from: number, to: number) => {
    if (!active && to > from) found.push(hidden.range(offset + from, offset + to));
  };
  const replace = (from: number, to: number, decoration: Decoration) =>
    found.push(decoration.range(offset + from, offset + Math.min(text.length, to)));
  const mark = (from: number, to: number, name: string, attributes?: Record<string, string>) => {
    if (to > from)
      found.push(
        Decoration.mark({ class: name, attributes: attributes ?? {} }).range(offset + from, offset + to),
      );
  };
  const inVault = links
    .map((link) => ({ ...link, from: link.from - offset, to: link.to - offset }))
    .filter(({ from, to }) => from >= 0 && to <= text.length);
  for (const link of inVault) noteLink(link);
  parseLine(text).iterate({
    enter(node) {
      const { name, from, to } = node;
      if (marks[name]) mark(from, to, marks[name]);
      else if (syntaxMarks.has(name)) hide(from, to);
      else if (name === 'Escape') hide(from, from + 1);
      else if (name.startsWith('ATXHeading')) lineClass(`cm-heading cm-heading-${name.slice(-1)}`);
      else if (name === 'HeaderMark') hide(from, Math.min(text.length, to + (from === 0 ? 1 : 0)));
      else if (name === 'Blockquote') lineClass('cm-quote');
      else if (name === 'QuoteMark') hide(from, Math.min(text.length, to + 1));
      else if (name === 'HorizontalRule' && !active) {
        found.push(Decoration.replace({ widget: new Rule() }).range(offset + from, offset + to));
      } else if (name === 'ListMark') {
        lineClass('cm-list');
        if (active) return undefined;
        const task = /^ \[[ xX]\]/.test(text.slice(to));
        if (task) hide(from, to + 1);
        else if (/[-*+]/.test(text.slice(from, to))) replace(from, to + 1, bullet);
        else mark(from, Math.min(text.length, to + 1), 'cm-number');
      } else if (name === 'TaskMarker') {
        const checked = text[from + 1] !== ' ';
        if (checked) mark(to + 1, text.length, 'cm-task-done');
        if (!active) replace(from, to + 1, Decoration.replace({ widget: new Checkbox(checked) }));
      } else if (linkNodes.has(name) && inVault.some((link) => link.from < to && from < link.to)) {
        // Drawn as the core reads it.
        return name === 'Link' || name === 'Image' ? undefined : false;
      } else if (name === 'Link') {
        const close = text.indexOf('](', from);
        const target = node.node.getChild('URL');
        if (close < 0 || close > to || !target) return undefined;
        const written = text.slice(target.from, target.to);
        if (!isAway(written)) return undefined;
        const [lent] = findResourceLinks(text.slice(from, to));
        // A long address stays out of sight as long as nobody works on it.
        if (lent && !(offset + from < cursor && cursor < offset + to)) {
          replace(from, to, Decoration.replace({ widget: new LentChip(lent) }));
          return false;
        }
        hide(from, from + 1);
        hide(close, to);
        mark(from + 1, close, 'cm-link', { 'data-target': written });
        return undefined;
      } else if (name === 'URL' || name === 'Autolink') {
        if (node.node.parent?.name === 'Link' || node.node.parent?.name === 'Image') return false;
        const url = text.slice(from, to).replace(/^<|>$/g, '');
        mark(from, to, 'cm-link', { 'data-target': url });
        return false;
      } else if (name === 'Image') {
        const target = node.node.getChild('URL');
        const written = target ? text.slice(target.from, target.to) : '';
        if (!target || !isAway(written)) return undefined;
        const words = text.slice(from + 2, Math.max(from + 2, text.indexOf(']', from)));
        picture(from, to, decodeTarget(written), words);
        return false;
      }
      return undefined;
    },
  });

  function noteLink({ from, to, kind }: NoteLink): void {
    const isEmbed = kind === 'embed';
    const open = from + (isEmbed ? 1 : 0);
    if (text.startsWith('[[', open)) {
      const [path = '', ...said] = text.slice(open + 2, to - 2).split('|');
      if (isEmbed && isPicture(path)) picture(from, to, path.trim(), said.join('|'));
      else wiki(from, to, open + 2 - from);
      return;
    }
    const close = text.lastIndexOf('](', to);
    const leadsTo = decodeTarget(addressIn(text.slice(close + 2, to - 1)));
    if (isEmbed) {
      picture(from, to, leadsTo, text.slice(open + 1, close));
      return;
    }
    hide(from, from + 1);
    hide(close, to);
    const look = leads(leadsTo) ? 'cm-link' : 'cm-link cm-link-missing';
    mark(from + 1, close, look, { 'data-target': leadsTo });
  }

  function picture(from: number, to: number, target: string, words: string): void {
    const widget = Decoration.replace({ widget: new ImageWidget(target, ...wordsAndSize(words)) });
    if (active) mark(from, to, 'cm-link');
    else found.push(widget.range(offset + from, offset + to));
  }

  function wiki(from: number, to: number, open: number): void {
    const inner = text.slice(from + open, to - 2);
    const bar = inner.indexOf('|');
    const target = bar < 0 ? inner : inner.slice(0, bar);
    // A long path is told by its last part; hovering tells it whole.
    const shownFrom = bar < 0 ? (target.split('#')[0]?.lastIndexOf('/') ?? -1) : bar;
    hide(from, from + open + shownFrom + 1);
    const look = leads(target) ? 'cm-link cm-link-note' : 'cm-link cm-link-note cm-link-missing';
    mark(from + open, to - 2, look, { 'data-note': target });
    hide(to - 2, to);
  }
}

const linkNodes = new Set(['Link', 'Image', 'URL', 'Autolink']);
const isAway = (address: string) => /^<?(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address);
const isPicture = (path: string) => /\.(png|jpe?g|gif|webp|avif|svg|bmp)\s*$/i.test(path);
/** Without the title that may stand behind it. */
const addressIn = (written: string) =>
  /^\s*(<[^<>]*>|\S*?)(?:\s+(?:"[^"]*"|'[^']*'))?\s*$/.exec(written)?.[1] ?? written.trim();

/** `words|300` or `words|300x200`: what a picture shows, and how large. */
export function wordsAndSize(written: string): [words: string, width: string, height: string] {
  const found = /^(?:(.*)\|)?\s*(\d{1,5})(?:x(\d{1,5}))?\s*$/s.exec(written);
  return found ? [found[1] ?? '', found[2] ?? '', found[3] ?? ''] : [written, '', ''];
}

function decodeTarget(target: string): string {
  try {
    return decodeURIComponent(target.replace(/^<|>$/g, ''));
  } catch {
    return target;
  }
}
