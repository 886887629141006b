import { type Above, type Block, closesFence, scanLines } from '../scan';
import type { GuardView } from './guard-view';
import { anybody, possibleTag, type RoleOf, roleTagsIn } from './tags';

/** How far a text is written, as its readers see it. */
export interface Written {
  /** How the reader of the note stands at the current line. */
  readonly above: Above | null;
  /** What is written of the current line. */
  readonly line: string;
  /** The last unit of that; looking for it there would cost its whole length. */
  readonly lastUnit: string;
  readonly views: readonly GuardView[];
}

/** Callouts that mean something to the app; one in a text is none of them. */
const ownCallouts: ReadonlySet<string> = new Set(['tool', 'thinking', 'failure']);
const quotedCallout = /^[ \t>*+\-\d.)]*>[ \t]*(?=\[[ \t]*!([^\]\n]+)\])/;

/** Where on the line the head of a callout stands that means something to the app, or would in a reader who is less strict. */
function ownCalloutIn(line: string): number | null {
  const match = quotedCallout.exec(line);
  return match && ownCallouts.has((match[1] ?? '').trim().toLowerCase()) ? match[0].length : null;
}

const calloutLike = />[ \t]*\[!/;
/** The bracket of what is such a head, or could become one. */
const openCallout = /\[(?<=>[ \t]*\[)(?=!|$)/;

/** The rest of a line after what is written of it, with backslashes where the reader would find more than text. */
export function guardedLine(rest: string, state: Written, roleOf: RoleOf): string {
  const { above, line, views } = state;
  if (isRuleAt(line + rest, above)) return `\\${rest}`;
  if (!rest.includes('#') && !rest.includes('[!')) return rest;
  const readers = [{ above, line }, ...views];
  const isLoose = readers.some((view) => view.above?.hasLooseFence);
  const placesIn = (text: string): number[] => {
    const places = new Set(readers.flatMap((view) => placesBehind(view, text, isLoose, roleOf)));
    return [...places].sort((a, b) => a - b);
  };
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
}

/** How much of a line that goes on may be written, whatever follows; blanks wait with what comes after them. */
export function clearLength(rest: string, { above, line, lastUnit, views }: Written): number {
  if (/^-{1,3}\s*$/.test(rest) && isRuleAt(`${line}${rest}`.trimEnd().padEnd(3, '-'), above)) return 0;
  const ends = new Set([lastUnit, ...views.map((view) => view.line.slice(-1))]);
  return Math.min(...[...ends].map((end) => clearBehind(end, rest)));
}

function clearBehind(lastUnit: string, rest: string): number {
  const line = lastUnit + rest;
  const tag = possibleTag(line, lastUnit.length);
  const callout = openCallout.exec(line)?.index ?? line.length;
  return line.slice(lastUnit.length, Math.min(tag, callout)).trimEnd().length;
}

/** A rule there would be the end of front matter that the note opens, or its beginning. */
function isRuleAt(line: string, above: Above | null): boolean {
  const mayBe = above === null || above.opensFrontMatter;
  // A byte order mark is one only where the note begins.
  const plain = above === null ? line.replace(/^\uFEFF/, '') : line;
  return mayBe && plain.trimEnd() === '---';
}

/** Where the reader would find more than text in what goes on there. */
function placesBehind(view: GuardView, rest: string, isLoose: boolean, roleOf: RoleOf): number[] {
  const indent = view.isQuoted ? (/^[ \t]*/.exec(view.line + rest)?.[0].length ?? 0) : 0;
  const lineEnd = view.line.length - indent;
  const whole = (view.line + rest).slice(indent);
  const tags = roleTagsIn(whole, 0, whole.length, anybody).map((tag) => tag.from);
  if (!tags.some((place) => place >= lineEnd) && !calloutLike.test(whole)) return [];
  const { blocks } = scanLines(`${whole}\n`, view.above);
  const readings = endsWithAnother(view.above, whole, isLoose)
    ? [...blocks, { kind: 'code' } as const]
    : blocks;
  return readings
    .flatMap((block) => structureIn(block, whole, roleOf))
    .filter((place) => place >= lineEnd)
    .map((place) => place - lineEnd);
}

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
