import type { TagNames } from '../model';
import { scanBlocks } from '../scan';
import { createRoleOf, roleTagsIn } from './tags';

/** Lets a model's text into a note as it streams, so that it stays one turn's text. */
export interface TextGuard {
  /** What may be written now; a line's begin and a possible tag are held back until they are clear. */
  push(delta: string): string;
  /** What is left, and the end of a code fence that the model did not close. */
  end(): string;
}

const onlyMarks = /^[\s>#*+\-\d.)[\]!]*$|^[\s>]*\[!?\w{0,12}$/;
const openTag = /(?:^|\s)#[^\s#:：]*[ \t]*$/;
const toolCallout = /^[ \t]*(?:>[ \t]*)+(?=\[!tool\])/i;

/**
 * A role tag in the text gets a backslash, so that it opens no turn; so does the head of a tool callout, so that it is
 * never taken for a call that was made. Code is left alone. `lineBefore` is what stands on the line before the place of
 * writing: `#Claude : `, or nothing.
 */
export function createTextGuard(tags: TagNames, lineBefore: string): TextGuard {
  const roleOf = createRoleOf(tags);
  /** What is written since a place where a reader of the note starts afresh, after a blank line. */
  let recent = lineBefore === '' ? '\n' : lineBefore;
  let settleAt = 8000;
  let output = '';
  /** The part of the current line that is written, at the end of `recent`. */
  let lineDone = '';
  let pending = '';
  let started = false;

  function push(delta: string): string {
    pending += delta;
    if (!started && pending.trim() === '') return '';
    if (!started) {
      started = true;
      // A block begins only at the start of a line, some only after a blank one.
      if (lineBefore !== '' && /^\s*(?:[#>|`~*+-]|\d+[.)])/.test(pending)) write('\n\n');
    }
    const open = pending.endsWith('\r') ? '\r' : '';
    const lines = (open ? pending.slice(0, -1) : pending).split(/\r\n?|\n/);
    const last = lines.pop() ?? '';
    for (const line of lines) {
      write(`${guarded(lineDone + line)}\n`);
      lineDone = '';
    }
    const clear = clearUpTo(lineDone + last) - lineDone.length;
    pending = last + open;
    if (clear > 0) {
      const text = guarded(lineDone + last.slice(0, clear));
      write(text);
      lineDone += text;
      pending = pending.slice(clear);
    }
    return taken();
  }

  function end(): string {
    if (started) write(guarded(lineDone + pending.replace('\r', '')));
    pending = '';
    const last = scanBlocks(recent).at(-1);
    if (last?.kind === 'fence' && !last.closed) {
      write(`${recent.endsWith('\n') ? '' : '\n'}${' '.repeat(last.indent)}${last.mark}`);
    }
    lineDone = '';
    return taken();
  }

  function write(text: string): void {
    output += text;
    recent += text;
  }

  function taken(): string {
    const text = output;
    output = '';
    if (recent.length > settleAt) settle();
    return text;
  }

  /** Forgets what can't matter for the lines to come, so that a long answer is not read again and again. */
  function settle(): void {
    const text = recent;
    const blocks = scanBlocks(text);
    const limit = text.length - lineDone.length;
    const index = blocks.findLastIndex((block, at) => {
      const before = blocks[at - 1];
      const fresh =
        block.kind === 'line' && block.from <= limit && /[^\s\-*+\d]/.test(text[block.from] ?? '');
      return fresh && before?.kind === 'line' && text.slice(before.from, before.to).trim() === '';
    });
    recent = text.slice(blocks[index]?.from ?? 0);
    settleAt = Math.max(8000, 2 * recent.length);
  }

  /** The rest of a line after what is written of it, with backslashes where needed. */
  function guarded(line: string): string {
    const places = roleTagsIn(line, 0, line.length, roleOf).map((tag) => tag.from);
    const callout = toolCallout.exec(line);
    if (callout) places.push(callout[0].length);
    const from = lineDone.length;
    if (!places.some((place) => place >= from) || inCode(line)) return line.slice(from);
    let text = '';
    let at = from;
    for (const place of places.filter((each) => each >= from).sort((a, b) => a - b)) {
      text += `${line.slice(at, place)}\\`;
      at = place;
    }
    return text + line.slice(at);
  }

  function inCode(line: string): boolean {
    const start = recent.length - lineDone.length;
    const block = scanBlocks(`${recent.slice(0, start)}${line}\n`).findLast(
      (each) => each.from <= start + line.length,
    );
    return block?.kind === 'fence' || block?.kind === 'code';
  }

  return { push, end };
}

function clearUpTo(line: string): number {
  if (onlyMarks.test(line)) return 0;
  const tail = Math.max(0, line.length - 200);
  const tag = openTag.exec(line.slice(tail));
  return tag ? tail + tag.index : line.length;
}
