import type { Line } from '@codemirror/state';
import { Decoration } from '@codemirror/view';
import { escapeHidden, findLinksInLine, type NoteLink, wikiParts } from '../../../../markdown';
import type { NoteContext } from '../context/note-context';
import { ImageWidget } from '../drawing/widgets';
import type { LinePen } from './line-pen';

/** Where notes and files of the vault are linked on a line, as the core reads it; offsets in the note. */
export function linksOf({ from, text }: Pick<Line, 'from' | 'text'>): NoteLink[] {
  return findLinksInLine(text).map((link) => ({ ...link, from: link.from + from, to: link.to + from }));
}

export const isAway = (address: string) => /^<?(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address);
/** Under words that nobody sees a note would go along unseen. */
const areInvisible = (words: string) =>
  escapeHidden(words, () => '').replace(/[\p{Z}\p{C}\p{M}]/gu, '') === '';
const isPicture = (path: string) => /\.(png|jpe?g|gif|webp|avif|svg|bmp)\s*$/i.test(path);
/** Without the title that may stand behind it. */
function addressIn(source: string): string {
  const match = /^(?:\s*(<[^<>]*>|\S+)(?:\s+(?:"[^"]*"|'[^']*'))?|\s+(?:"[^"]*"|'[^']*')|\s*)$/.exec(
    source.trimEnd(),
  );
  return match ? (match[1] ?? '') : source.trim();
}

/** A link or an embed of the vault. */
export function drawNoteLink(pen: LinePen, { from, to, kind }: NoteLink, leads: NoteContext['leads']): void {
  const { text } = pen;
  const isEmbed = kind === 'embed';
  const open = from + (isEmbed ? 1 : 0);
  if (text.startsWith('[[', open)) {
    const { address, words } = wikiParts(text.slice(open + 2, to - 2));
    if (isEmbed && isPicture(address)) drawPicture(pen, from, to, address.trim(), words ?? '');
    else drawWikiLink(pen, open + 2, to - 2, from, leads);
    return;
  }
  const close = text.lastIndexOf('](', to);
  const leadsTo = decodeTarget(addressIn(text.slice(close + 2, to - 1)));
  // A note that goes along is no picture, whatever it is written as.
  if (isEmbed && (isPicture(leadsTo) || !leads(leadsTo))) {
    drawPicture(pen, from, to, leadsTo, text.slice(open + 1, close));
    return;
  }
  const look = leads(leadsTo) ? 'cm-link' : 'cm-link cm-link-missing';
  if (areInvisible(text.slice(open + 1, close))) {
    pen.mark(from, to, look, { 'data-target': leadsTo });
    return;
  }
  pen.hide(from, open + 1);
  pen.hide(close, to);
  pen.mark(open + 1, close, look, { 'data-target': leadsTo });
}

export function drawPicture(pen: LinePen, from: number, to: number, target: string, words: string): void {
  const widget = Decoration.replace({ widget: new ImageWidget(target, ...wordsAndSize(words)) });
  if (pen.active) pen.mark(from, to, 'cm-link');
  else pen.put(from, to, widget);
}

/** `start` and `end`: what stands between the brackets; `from`: where the link begins. */
function drawWikiLink(
  pen: LinePen,
  start: number,
  end: number,
  from: number,
  leads: NoteContext['leads'],
): void {
  const inner = pen.text.slice(start, end);
  const { address: target, words } = wikiParts(inner);
  // A long path is told by its last part; hovering tells it whole.
  const isUnnamed = words === null || areInvisible(words);
  const lastPart = (target.split('#')[0]?.lastIndexOf('/') ?? -1) + 1;
  pen.hide(from, start + (isUnnamed ? lastPart : inner.length - words.length));
  const look = leads(target) ? 'cm-link cm-link-note' : 'cm-link cm-link-note cm-link-missing';
  pen.mark(start, end, look, { 'data-note': target });
  pen.hide(isUnnamed ? start + target.length : end, end + 2);
}

/** `words|300` or `words|300x200`: what a picture shows, and how large. */
export function wordsAndSize(text: string): [words: string, width: string, height: string] {
  const match = /^(?:(.*)\|)?\s*(\d{1,5})(?:x(\d{1,5}))?\s*$/s.exec(text);
  return match ? [match[1] ?? '', match[2] ?? '', match[3] ?? ''] : [text, '', ''];
}

export function decodeTarget(target: string): string {
  try {
    return decodeURIComponent(target.replace(/^<|>$/g, ''));
  } catch {
    return target;
  }
}
