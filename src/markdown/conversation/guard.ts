import type { TagNames } from '../model';
import { type Block, type Fence, scanBlocks } from '../scan';
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
  /** The note up to here, from a place where its reader starts afresh. */
  let recent = sinceFresh(before, before.lastIndexOf('\n') + 1);
  let settleAt = Math.max(8000, 2 * recent.length);
  let output = '';
  /** Length of the current line's part that is written, at the end of `recent`. */
  let done = before.length - (before.lastIndexOf('\n') + 1);
  /** The last unit of that part; looking into `recent` for it would cost its whole length. */
  let lastUnit = done === 0 ? '' : before.slice(-1);
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
      const closing = openFence(recent);
      if (closing !== '') write(`\n${closing}`);
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
      write(guarded(line));
      newLine('\n');
      if (recent.length > settleAt) settle();
    }
    const clear = isLast ? 0 : clearLength(last);
    writeInLine(isLast ? guarded(last) : last.slice(0, clear));
    pending = isLast ? '' : last.slice(clear) + blanks + half;
    waitsForLineEnd = !isLast && clear < last.length;
  }

  /** The text begins behind a tag where it can, else on a line of its own below what stands there. */
  function begin(text: string): void {
    started = true;
    const line = recent.slice(recent.length - done);
    if (line === '') {
      if (recent !== '' && !recent.endsWith('\n\n')) newLine('\n');
      return;
    }
    const behindTag = roleTagsIn(line, 0, line.length, roleOf).at(-1)?.contentFrom === line.length;
    // A backtick on the tag's line and one in the text would make code of the tag.
    if (!behindTag || line.includes('`') || blockStart.test(text)) newLine('\n\n');
  }

  function newLine(breaks: string): void {
    write(breaks);
    done = 0;
    lastUnit = '';
  }

  function writeInLine(text: string): void {
    if (text === '') return;
    write(text);
    done += text.length;
    lastUnit = text.slice(-1);
  }

  function write(text: string): void {
    output += text;
    recent += text;
  }

  function taken(): string {
    const text = output;
    output = '';
    return text;
  }

  /** The rest of a line after what is written of it, with backslashes where the reader would find more than text. */
  function guarded(rest: string): string {
    if (!rest.includes('#') && !rest.includes('[!')) return rest;
    const lineStart = recent.length - done;
    let line = recent.slice(lineStart) + rest;
    for (let places = placesIn(line); places.length > 0; places = placesIn(line)) {
      let text = '';
      let at = 0;
      for (const place of places) {
        text += `${line.slice(at, place)}\\`;
        at = place;
      }
      line = text + line.slice(at);
    }
    return line.slice(done);

    function placesIn(whole: string): number[] {
      const found = roleTagsIn(whole, 0, whole.length, anybody).map((tag) => tag.from);
      if (!found.some((place) => place >= done) && !calloutLike.test(whole)) return [];
      return lastBlocks(`${recent.slice(0, lineStart)}${whole}\n`, lineStart)
        .flatMap((block) => structureIn(block, whole, lineStart))
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

  /** Forgets what can't matter for the lines to come, so that a long answer is not read again and again. */
  function settle(): void {
    recent = sinceFresh(recent, recent.length - done);
    settleAt = Math.max(8000, 2 * recent.length);
  }

  return { push, end };
}

/** What closes the code fence that a text leaves open, on a line of its own; empty where it leaves none. */
export function openFence(text: string): string {
  const last = scanBlocks(text).at(-1);
  return isOpen(last) ? ' '.repeat(last.indent) + last.mark : '';
}

/** Where on the line that begins at `lineStart` the reader sees more than text. */
function structureIn(block: Block, line: string, lineStart: number): number[] {
  if (block.kind === 'line') return roleTagsIn(line, 0, line.length, anybody).map((tag) => tag.from);
  const isOwn = block.kind === 'callout' && block.from >= lineStart && ownCallouts.has(block.type);
  return isOwn ? [line.indexOf('[', block.from - lineStart)] : [];
}

function lastBlocks(text: string, from: number): Block[] {
  const blocks = scanBlocks(text);
  const first = blocks.findLastIndex((block) => block.from <= from);
  return blocks.slice(Math.max(0, first)).filter((block) => block.to >= from);
}

/** The text from the last line at which its reader depends on nothing above it; the body of an open fence is left out. */
function sinceFresh(text: string, lineStart: number): string {
  const blocks = scanBlocks(text);
  const fresh = blocks.findLast(
    ({ kind, from }) => kind === 'line' && from <= lineStart && startsAfresh.test(text.slice(from, from + 3)),
  );
  const start = fresh?.from ?? 0;
  const last = blocks.at(-1);
  if (!isOpen(last) || last.bodyFrom >= lineStart) return text.slice(start);
  return text.slice(start, last.bodyFrom) + text.slice(lineStart);
}

/** At the margin a line is in no list; a quote goes on, and front matter would begin. */
const startsAfresh = /^(?!---)[^\s>]/;

function isOpen(block: Block | undefined): block is Fence {
  return block?.kind === 'fence' && !block.closed;
}
