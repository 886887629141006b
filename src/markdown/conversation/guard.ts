import type { TagNames } from '../model';
import { type Block, type Fence, scanLines } from '../scan';
import { anybody, createRoleOf, possibleTag, roleTagsIn } from './tags';

/**
 * Lets a model's text into a note as it streams, so that it stays one turn's text. What it gives is to be written as it
 * is: nothing may be trimmed from it or put into it.
 */
export interface TextGuard {
  /** What may be written now; what could still become a tag or a callout, and blanks at the end, wait. */
  push(delta: string): string;
  /** What is left, and the end of a code fence that the model did not close. */
  end(): string;
}

/** Callouts that mean something to the app; one in a text is none of them. */
const ownCallouts: ReadonlySet<string> = new Set(['tool', 'thinking', 'failure']);
/** Would not be what it is behind a tag, on its line. */
const blockStart = /^(?:#|```|~~~|\||>|[-*+]\s|\d+[.)]\s|\$\$|<|!\[|---)/;
/** The beginning of one of these, perhaps. */
const undecided = /^(?:`{1,2}|~{1,2}|\d{1,9}[.)]?|[-*+]|-{2}|!|\$)$/;

const calloutLike = />[ \t]*\[!/;
/** The bracket of what is such a head, or could become one. */
const openCallout = /(?<=>[ \t]*)\[(?=!|$)/;

/**
 * The reader of notes itself is asked, with the line as it will stand: whatever it would take for a role tag or for a
 * callout of the app gets a backslash, until it finds none: for a role tag whatever could be one to anybody, since the note
 * may be read where other tags mean the person. `before` is the note up to the place of writing.
 */
export function createTextGuard(tags: TagNames, before: string): TextGuard {
  const roleOf = createRoleOf(tags);
  const lineStart = before.lastIndexOf('\n') + 1;
  /** Nothing above the current line is read twice: a long answer would be read again and again. */
  let above = lineStart === 0 ? null : scanLines(before.slice(0, lineStart), null).above;
  let output = '';
  /** What is written of the current line. */
  let current = before.slice(lineStart);
  /** The last unit of that; looking for it there would cost its whole length. */
  let lastUnit = current.slice(-1);
  let pending = '';
  let started = false;
  /** The line has something that only its end decides. */
  let waitsForLineEnd = false;

  function push(delta: string): string {
    pending += delta;
    if (!waitsForLineEnd || /[\r\n]/.test(delta)) release(false);
    return taken();
  }

  function end(): string {
    release(true);
    if (started) {
      const { open } = scanLines(current, above).above;
      if (open?.kind === 'fence') output += `\n${closingOf(open)}`;
    }
    return taken();
  }

  function release(isLast: boolean): void {
    // The next piece may make one character, or one line break, of it.
    const half = isLast ? '' : (/[\r\ud800-\udbff]$/.exec(pending)?.[0] ?? '');
    let text = pending
      .slice(0, pending.length - half.length)
      .replace(/\r\n?/g, '\n')
      .toWellFormed();
    if (!started) text = text.trimStart();
    const ready = text.trimEnd();
    pending = text + half;
    if (ready === '' || (!started && !isLast && undecided.test(ready))) return;
    if (!started) begin(ready);
    const blanks = text.slice(ready.length);
    const lines = ready.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      writeInLine(guarded(line));
      newLine('\n');
    }
    const clear = isLast ? 0 : clearLength(last);
    writeInLine(isLast ? guarded(last) : last.slice(0, clear));
    pending = isLast ? '' : last.slice(clear) + blanks + half;
    waitsForLineEnd = !isLast && clear < last.length;
  }

  /** The text begins behind a tag where it can, else on a line of its own below what stands there. */
  function begin(text: string): void {
    started = true;
    if (current === '') {
      if (before !== '' && !before.endsWith('\n\n')) newLine('\n');
      return;
    }
    const behindTag = roleTagsIn(current, 0, current.length, roleOf).at(-1)?.contentFrom === current.length;
    // A backtick on the tag's line and one in the text would make code of the tag.
    if (!behindTag || current.includes('`') || blockStart.test(text)) newLine('\n\n');
  }

  function newLine(breaks: string): void {
    output += breaks;
    ({ above } = scanLines(current + breaks, above));
    current = '';
    lastUnit = '';
  }

  function writeInLine(text: string): void {
    if (text === '') return;
    output += text;
    current += text;
    lastUnit = text.slice(-1);
  }

  function taken(): string {
    const text = output;
    output = '';
    return text;
  }

  /** The rest of a line after what is written of it, with backslashes where the reader would find more than text. */
  function guarded(rest: string): string {
    if (!rest.includes('#') && !rest.includes('[!')) return rest;
    const done = current.length;
    let whole = current + rest;
    for (let places = placesIn(whole); places.length > 0; places = placesIn(whole)) {
      let text = '';
      let at = 0;
      for (const place of places) {
        text += `${whole.slice(at, place)}\\`;
        at = place;
      }
      whole = text + whole.slice(at);
    }
    return whole.slice(done);

    function placesIn(whole: string): number[] {
      const found = roleTagsIn(whole, 0, whole.length, anybody).map((tag) => tag.from);
      if (!found.some((place) => place >= done) && !calloutLike.test(whole)) return [];
      return scanLines(`${whole}\n`, above)
        .blocks.flatMap((block) => structureIn(block, whole))
        .filter((place) => place >= done)
        .sort((a, b) => a - b);
    }
  }

  /** How much of a line that goes on may be written, whatever follows; blanks wait with what comes after them. */
  function clearLength(rest: string): number {
    const line = lastUnit + rest;
    const tag = possibleTag(line, lastUnit.length);
    const callout = openCallout.exec(line)?.index ?? line.length;
    return line.slice(lastUnit.length, Math.min(tag, callout)).trimEnd().length;
  }

  return { push, end };
}

/** What closes the code fence that a text leaves open, on a line of its own; empty where it leaves none. */
export function openFence(text: string): string {
  const { open } = scanLines(text, null).above;
  return open?.kind === 'fence' ? closingOf(open) : '';
}

const closingOf = ({ indent, mark }: Pick<Fence, 'indent' | 'mark'>) => ' '.repeat(indent) + mark;

/** Where on the line the reader sees more than text. */
function structureIn(block: Block, line: string): number[] {
  if (block.kind === 'line') return roleTagsIn(line, 0, line.length, anybody).map((tag) => tag.from);
  const isOwn = block.kind === 'callout' && ownCallouts.has(block.type);
  return isOwn ? [line.indexOf('[', block.from)] : [];
}
