import type { TagNames } from '../model';
import { type Above, type Block, closesFence, type Fence, scanLines } from '../scan';
import { anybody, createRoleOf, possibleTag, type RoleOf, roleTagsIn } from './tags';

/**
 * Lets a model's text into a note as it streams, so that it stays one turn's text. What it gives is to be written as it
 * is: nothing may be trimmed from it or put into it.
 */
export interface TextGuard {
  /** What may be written now; what could still become a tag or a callout, and blanks at the end, wait. */
  push(delta: string): string;
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

/** How a reader would stand who sees the text without what others have put round it. */
export interface GuardView {
  readonly above: Above | null;
  /** What it sees of the current line. */
  readonly line: string;
  /** In a quote, where an indent makes no code. */
  readonly isQuoted?: boolean;
}

/** The same, a paragraph further down. */
export function guardViewBelow(view: GuardView): GuardView {
  return { ...view, above: scanLines(`${view.line}\n\n`, view.above).above, line: '' };
}

/** More places are not remembered in which a text has stood. */
const mostViews = 10;

/** Those that see the same count once; the first ones stay. */
export function distinctViews(views: readonly GuardView[]): readonly GuardView[] {
  const byContent = new Map(views.map((view) => [JSON.stringify(view), view]));
  const all = [...byContent.values()];
  return all.length <= mostViews ? all : [...all.slice(0, 4), ...all.slice(4 - mostViews)];
}

/** Of a text that begins; `fence`: behind this line, which may begin code one day. */
export function guardView(fence = ''): GuardView {
  return { above: scanLines(`\n${fence}\n`, null).above, line: '' };
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

/** Callouts that mean something to the app; one in a text is none of them. */
const ownCallouts: ReadonlySet<string> = new Set(['tool', 'thinking', 'failure']);
const quotedCallout = /^[ \t>*+\-\d.)]*>[ \t]*(?=\[[ \t]*!([^\]\n]+)\])/;

/** Where on the line the head of a callout stands that means something to the app, or would in a reader who is less strict. */
function ownCalloutIn(line: string): number | null {
  const found = quotedCallout.exec(line);
  return found && ownCallouts.has((found[1] ?? '').trim().toLowerCase()) ? found[0].length : null;
}

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
 * may be read where other tags mean the person. `place`: as text, the whole note up to there.
 * `goesOn`: in the middle of its text. Others may take back what they have put round it: it gets the backslash wherever it is
 * text to the reader, or would be in one of the `views`, the first of which sees nothing but this text.
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
  const lineStart = before.lastIndexOf('\n') + 1;
  /** Nothing above the current line is read twice: a long answer would be read again and again. */
  let above = lineStart === 0 ? start : scanLines(before.slice(0, lineStart), start).above;
  let others = views;
  let output = '';
  /** What is written of the current line. */
  let current = before.slice(lineStart);
  /** The last unit of that; looking for it there would cost its whole length. */
  let lastUnit = current.slice(-1);
  /** What of the text is neither written nor a blank at its end. */
  let held = '';
  /** Those blanks. More may come without end, so they are not looked at before something stands behind them. */
  let blanks = '';
  /** The first half of a character. */
  let half = '';
  let started = goesOn;
  /** The line has something that only its end decides. */
  let waitsForLineEnd = false;

  function push(delta: string): string {
    const text = half + delta;
    half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? '';
    take(text.slice(0, text.length - half.length));
    return taken();
  }

  function end(): string {
    take(half);
    release(true);
    const open = started ? openFenceBelow(current, above) : '';
    if (open !== '') {
      newLine('\n');
      writeInLine(open);
    }
    return taken();
  }

  function stop(): ReturnType<TextGuard['stop']> {
    const rest = held + blanks + half;
    [held, blanks, half] = ['', '', ''];
    const [own] = others;
    const fence = started && own ? openFenceBelow(own.line, own.above) : '';
    return { rest, isBegun: started, fence, views: distinctViews([...others, { above, line: current }]) };
  }

  /** Whole characters. */
  function take(text: string): void {
    const said = text.trimEnd();
    const isBegun = started || held !== '';
    if (said === '') {
      if (isBegun) blanks += text;
      return;
    }
    const added = isBegun ? blanks + said : said.trimStart();
    held += added.replace(/\r\n?/g, '\n').toWellFormed();
    blanks = text.slice(said.length);
    if (!waitsForLineEnd || /[\r\n]/.test(added)) release(false);
  }

  function release(isLast: boolean): void {
    if (held === '' || (!started && !isLast && undecided.test(held))) return;
    if (!started) begin(held);
    const lines = held.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      writeInLine(guarded(line));
      newLine('\n');
    }
    const clear = isLast ? 0 : clearLength(last);
    writeInLine(isLast ? guarded(last) : last.slice(0, clear));
    held = isLast ? '' : last.slice(clear);
    waitsForLineEnd = held !== '';
  }

  /** The text begins behind a tag where it can, else on a line of its own below what stands there. */
  function begin(text: string): void {
    started = true;
    if (current === '') {
      if (before !== '' && !before.endsWith('\n\n')) newLine('\n');
      return;
    }
    const isPlain = scanLines(current, above).blocks[0]?.kind === 'line';
    const tag = isPlain ? roleTagsIn(current, 0, current.length, roleOf).at(-1) : undefined;
    const behindTag = tag?.contentFrom === current.length;
    // A backtick on the tag's line and one in the text would make code of the tag.
    if (!behindTag || current.includes('`') || blockStart.test(text)) newLine('\n\n');
  }

  function newLine(breaks: string): void {
    output += breaks;
    others = others.map((view) => ({
      ...view,
      above: scanLines(view.line + breaks, view.above).above,
      line: '',
    }));
    ({ above } = scanLines(current + breaks, above));
    current = '';
    lastUnit = '';
  }

  function writeInLine(text: string): void {
    if (text === '') return;
    output += text;
    current += text;
    others = others.map((view) => ({ ...view, line: view.line + text }));
    lastUnit = text.slice(-1);
  }

  function taken(): string {
    const text = output;
    output = '';
    return text;
  }

  /** The rest of a line after what is written of it, with backslashes where the reader would find more than text. */
  function guarded(rest: string): string {
    if (isRuleAt(current + rest)) return `\\${rest}`;
    if (!rest.includes('#') && !rest.includes('[!')) return rest;
    const seen = [{ above, line: current }, ...others];
    const isLoose = seen.some((view) => view.above?.hasLooseFence);
    let whole = rest;
    for (let places = placesIn(whole); places.length > 0; places = placesIn(whole)) {
      let text = '';
      let at = 0;
      for (const place of places) {
        text += `${whole.slice(at, place)}\\`;
        at = place;
      }
      whole = text + whole.slice(at);
    }
    return whole;

    function placesIn(rest: string): number[] {
      const places = new Set(seen.flatMap((view) => placesBehind(view, rest, isLoose)));
      return [...places].sort((a, b) => a - b);
    }
  }

  /** Where the reader would find more than text in what goes on there. */
  function placesBehind(view: GuardView, rest: string, isLoose: boolean): number[] {
    const indent = view.isQuoted ? (/^[ \t]*/.exec(view.line + rest)?.[0].length ?? 0) : 0;
    const done = view.line.length - indent;
    const whole = (view.line + rest).slice(indent);
    const found = roleTagsIn(whole, 0, whole.length, anybody).map((tag) => tag.from);
    if (!found.some((place) => place >= done) && !calloutLike.test(whole)) return [];
    const { blocks } = scanLines(`${whole}\n`, view.above);
    const seen = endsWithAnother(view.above, whole, isLoose)
      ? [...blocks, { kind: 'code' } as const]
      : blocks;
    return seen
      .flatMap((block) => structureIn(block, whole, roleOf))
      .filter((place) => place >= done)
      .map((place) => place - done);
  }

  /** A rule there would be the end of front matter that the note opens, or its beginning. */
  function isRuleAt(line: string): boolean {
    const mayBe = above === null || above.opensFrontMatter;
    // A byte order mark is one only where the note begins.
    const plain = above === null ? line.replace(/^\uFEFF/, '') : line;
    return mayBe && plain.trimEnd() === '---';
  }

  /** How much of a line that goes on may be written, whatever follows; blanks wait with what comes after them. */
  function clearLength(rest: string): number {
    if (/^-{1,3}\s*$/.test(rest) && isRuleAt(`${current}${rest}`.trimEnd().padEnd(3, '-'))) return 0;
    const ends = new Set([lastUnit, ...others.map(({ line }) => line.slice(-1))]);
    return Math.min(...[...ends].map((end) => clearBehind(end, rest)));
  }

  function clearBehind(lastUnit: string, rest: string): number {
    const line = lastUnit + rest;
    const tag = possibleTag(line, lastUnit.length);
    const callout = openCallout.exec(line)?.index ?? line.length;
    return line.slice(lastUnit.length, Math.min(tag, callout)).trimEnd().length;
  }

  return { push, end, stop };
}

/** Whether a rule below this text would make front matter of it. */
export function opensFrontMatter(text: string): boolean {
  return scanLines(text, null).above.opensFrontMatter;
}

/** What closes the code fence that a text leaves open, on a line of its own; empty where it leaves none. */
export function openFence(text: string): string {
  return openFenceBelow(text, null);
}

function openFenceBelow(text: string, above: Above | null): string {
  const { open } = scanLines(text, above).above;
  return open?.kind === 'fence' ? closingOf(open) : '';
}

const closingOf = ({ indent, mark }: Pick<Fence, 'indent' | 'mark'>) => ' '.repeat(indent) + mark;

/**
 * Whether the line goes on with what another line may end: a callout, or a fence that is in a list or could come into one, or
 * that stands below such a one: then `isLoose`.
 */
function endsWithAnother(above: Above | null, line: string, isLoose: boolean): boolean {
  const open = above?.open;
  if (open?.kind === 'callout') return /^[ \t]*>/.test(line);
  return open?.kind === 'fence' && isLoose && !closesFence(line, open.mark);
}

/**
 * Where on the line the reader sees more than text, or would as soon as it is none of a code that has no end of its own: one by
 * its indent, or in a quote, ends with whatever is written above it. There only what means something here is looked for, since
 * a backslash in code is seen.
 */
function structureIn(block: Block | { readonly kind: 'code' }, line: string, roleOf: RoleOf): number[] {
  if (block.kind === 'line' || block.kind === 'code') {
    const callout = ownCalloutIn(line);
    const places = tagsIn(line, block.kind === 'line' ? null : roleOf);
    return callout === null ? places : [...places, callout];
  }
  if (block.kind !== 'callout') return [];
  if (ownCallouts.has(block.type)) return [line.indexOf('[', block.from)];
  // Its title is text where the line goes on with a paragraph.
  return tagsIn(line, roleOf);
}

/** Where tags stand that mean somebody; null: to anybody. */
const tagsIn = (line: string, roleOf: RoleOf | null): number[] =>
  roleTagsIn(line, 0, line.length, roleOf ?? anybody)
    .filter(({ isKnown }) => roleOf === null || isKnown)
    .map(({ from }) => from);
