import type { TagNames } from '../model';
import { type Above, scanLines } from '../scan';
import { distinctViews, type GuardView, guardView } from './guard-view';
import { clearLength, guardedLine } from './guarded-line';
import { createGuardedOutput } from './guarded-output';
import { openFenceBelow } from './open-fence';
import { createRoleOf, roleTagsIn } from './tags';

/**
 * Lets a model's text into a note as it streams, so that it stays one turn's text. What it gives is to be written as it
 * is: nothing may be trimmed from it or put into it.
 */
export interface TextGuard {
  /** What may be written now; what could still become a tag or a callout, and blanks at the end, wait. */
  push(delta: string): string;
  /** What ends the code fence that stands open behind what was given; empty outside of code. */
  fence(): string;
  /** What is left, and the end of a code fence that the model did not close. */
  end(): string;
  /**
   * It ends here, because somebody changed what stands above: `rest` was not given yet. `fence`: what closes the code of its
   * own that it is in, empty outside of code. `views`: for the guard that goes on.
   */
  stop(): {
    readonly rest: string;
    readonly isBegun: boolean;
    readonly fence: string;
    readonly views: readonly GuardView[];
  };
}

/** Where a text is to be written: the last lines above that place, and how the reader stands at the first of them. */
export interface WritingPlace {
  readonly lines: string;
  /** Null: they begin the note. */
  readonly above: Above | null;
}

/** The end of `lines`, whole lines and what there is of the last one, below `above`. Nothing else is needed to write there. */
export function writingPlace({ lines, above }: WritingPlace): WritingPlace {
  // A guard looks whether the line above is blank.
  let start = lines.length;
  for (let count = 0; count < 3 && start > 0; count++) start = lines.lastIndexOf('\n', start - 1);
  if (start <= 0) return { lines, above };
  return { lines: lines.slice(start + 1), above: scanLines(lines.slice(0, start + 1), above).above };
}

/** Would not be what it is behind a tag, on its line. */
const blockStart = /^(?:#|```|~~~|\||>|[-*+]\s|\d+[.)]\s|\$\$|<|!\[|---)/;
/** The beginning of one of these, perhaps. */
const undecided = /^(?:`{1,2}|~{1,2}|\d{1,9}[.)]?|[-*+]|-{2}|!|\$)$/;

/**
 * The reader of notes itself is asked, with the line as it will stand: whatever it would take for a role tag or for a
 * callout of the app gets a backslash, until it finds none: for a role tag whatever could be one to anybody, since the note
 * may be read where other tags mean the person. `place`: as text, the whole note up to there.
 * `goesOn`: in the middle of its text. Others may take back what they have put round it: it gets the backslash wherever it is
 * text to the reader, or would be in one of the `views`, the first of which sees nothing but this text. Long, since each of its
 * functions decides what goes on waiting.
 */
export function createTextGuard(
  tags: TagNames,
  place: WritingPlace | string,
  {
    goesOn = false,
    views = [guardView()],
  }: { readonly goesOn?: boolean; readonly views?: readonly GuardView[] } = {},
): TextGuard {
  const { lines: before, above: start } = typeof place === 'string' ? { lines: place, above: null } : place;
  const roleOf = createRoleOf(tags);
  const output = createGuardedOutput({ lines: before, above: start }, views);
  /** What of the text is neither written nor a blank at its end. */
  let pending = '';
  /** Those blanks. More may come without end, so they are not looked at before something stands behind them. */
  let blanks = '';
  /** The first half of a character. */
  let half = '';
  let started = goesOn;
  /** The line has something that only its end decides. */
  let waitsForLineEnd = false;

  /** Whole characters. */
  function add(text: string): void {
    const words = text.trimEnd();
    const isBegun = started || pending !== '';
    if (words === '') {
      if (isBegun) blanks += text;
      return;
    }
    const added = isBegun ? blanks + words : words.trimStart();
    pending += added.replace(/\r\n?/g, '\n').toWellFormed();
    blanks = text.slice(words.length);
    if (!waitsForLineEnd || /[\r\n]/.test(added)) release(false);
  }

  function release(isLast: boolean): void {
    if (pending === '' || (!started && !isLast && undecided.test(pending))) return;
    if (!started) begin(pending);
    const lines = pending.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      output.write(guardedLine(line, output.state(), roleOf));
      output.newLine('\n');
    }
    const clear = isLast ? 0 : clearLength(last, output.state());
    output.write(isLast ? guardedLine(last, output.state(), roleOf) : last.slice(0, clear));
    pending = isLast ? '' : last.slice(clear);
    waitsForLineEnd = pending !== '';
  }

  /** The text begins behind a tag where it can, else on a line of its own below what stands there. */
  function begin(text: string): void {
    started = true;
    const { above, line } = output.state();
    if (line === '') {
      if (before !== '' && !before.endsWith('\n\n')) output.newLine('\n');
      return;
    }
    const isPlain = scanLines(line, above).blocks[0]?.kind === 'line';
    const tag = isPlain ? roleTagsIn(line, 0, line.length, roleOf).at(-1) : undefined;
    const behindTag = tag?.contentFrom === line.length;
    // A backtick on the tag's line and one in the text would make code of the tag.
    if (!behindTag || line.includes('`') || blockStart.test(text)) output.newLine('\n\n');
  }

  function fence(): string {
    const { line, above } = output.state();
    return started ? openFenceBelow(line, above) : '';
  }

  return {
    fence,
    push(delta) {
      const text = half + delta;
      half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? '';
      add(text.slice(0, text.length - half.length));
      return output.take();
    },
    end() {
      add(half);
      release(true);
      const closing = fence();
      if (closing !== '') {
        output.newLine('\n');
        output.write(closing);
      }
      return output.take();
    },
    stop() {
      const rest = pending + blanks + half;
      [pending, blanks, half] = ['', '', ''];
      const { above, line, views } = output.state();
      const [own] = views;
      const fence = started && own ? openFenceBelow(own.line, own.above) : '';
      return { rest, isBegun: started, fence, views: distinctViews([...views, { above, line }]) };
    },
  };
}
