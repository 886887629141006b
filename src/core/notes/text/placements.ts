import type { Text } from '@codemirror/state';
import { type Change, type Hunk, isInsertion, nearTo } from './hunks';

/**
 * Where what theirs put beside something of ours comes: as a comparison of texts has it, at one of the places that ours has for it
 * (before all that ours put there, above one of its turns, behind it), or quoted.
 */
export type Placement = 'as-compared' | { readonly at: number } | 'quoted';

/** What is written anew with something before or behind it is only put there: the blank behind a question with its answer. */
export function asInsertion(hunk: Hunk, base: Text): Hunk {
  const { from, to, insert, fromAfter, toAfter } = hunk;
  const [old, now] = [base.sliceString(from, to), insert.toString()];
  if (old === '' || now.length <= old.length) return hunk;
  const rest = (from: number, to: number) => insert.slice(from, to);
  if (now.endsWith(old))
    return {
      from,
      to: from,
      insert: rest(0, now.length - old.length),
      fromAfter,
      toAfter: toAfter - old.length,
    };
  if (!now.startsWith(old)) return hunk;
  if (old.trim() === '') return { ...hunk, to: from };
  return { from: to, to, insert: rest(old.length, now.length), fromAfter: fromAfter + old.length, toAfter };
}

/** The insertions of ours with nothing but blanks between them and the hunk. */
function besides({ from, to }: Hunk, ourHunks: readonly Hunk[], base: Text): readonly Hunk[] {
  const near = { from: blanksBefore(base, from), to: blanksBehind(base, to) };
  return nearTo(near, ourHunks).filter(isInsertion);
}

/** The places in our text for what theirs put there: above each of our turns, behind all that ours put there, before it. */
function placesFor(
  near: readonly Hunk[],
  ourText: Text,
): { readonly turns: number; readonly all: readonly number[] } {
  const [first, last] = [near[0], near.at(-1)];
  if (!first || !last) return { turns: 0, all: [] };
  const text = ourText.sliceString(first.fromAfter, last.toAfter);
  const turns = [...text.matchAll(/\n#[^\n:：]{1,200}[:：]/g)].map(
    ({ index }) => first.fromAfter + withoutBreaks(text.slice(0, index)).length,
  );
  return { turns: turns.length, all: [...turns, last.toAfter, first.fromAfter] };
}

/** In the order in which they are tried: what is put beside a turn of ours belongs to the one above it. */
export function placementsFor(
  theirHunks: readonly Hunk[],
  ourHunks: readonly Hunk[],
  { base, ourText }: { readonly base: Text; readonly ourText: Text },
): readonly Placement[] {
  const places = theirHunks.map((hunk) => placesFor(besides(hunk, ourHunks, base), ourText));
  const count = Math.max(0, ...places.map(({ all }) => all.length));
  const tried: readonly Placement[] = Array.from({ length: count }, (_, at) => ({ at }));
  const first = places.some(({ turns }) => turns > 0) ? 1 : 0;
  return [...tried.slice(0, first), 'as-compared', ...tried.slice(first), 'quoted'];
}

/** For our text. Null: it is put where a comparison has it. */
export function placed(
  hunk: Hunk,
  at: number,
  ourHunks: readonly Hunk[],
  { base, ourText, theirText }: { readonly base: Text; readonly ourText: Text; readonly theirText: Text },
): Change | null {
  const { from, to, insert, fromAfter } = asInsertion(hunk, base);
  const words = withoutBreaks(insert.toString());
  if (words.trim() === '' || base.sliceString(from, to).trim() !== '') return null;
  const { all: places } = placesFor(besides(hunk, ourHunks, base), ourText);
  const place = places[Math.min(at, places.length - 1)];
  if (place === undefined) return null;
  const blanks = theirText.sliceString(blanksBefore(theirText, fromAfter), fromAfter);
  const above = withoutThose(blanks, ourText.sliceString(blanksBefore(ourText, place), place));
  const next = ourText.sliceString(place, place + 1);
  return { from: place, insert: above + words + (next === '' || next === '\n' ? '' : '\n') };
}

/** Blanks that stand there already begin it. */
function withoutThose(blanks: string, there: string): string {
  let length = Math.min(blanks.length, there.length);
  while (!there.endsWith(blanks.slice(0, length))) length--;
  return blanks.slice(length);
}

function withoutBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end--;
  return text.slice(0, end);
}

/** More between two places makes them two. */
const mostBlanks = 1_000;

/** Where the blank lines begin that end at a place. */
function blanksBefore(text: Text, at: number): number {
  const above = text.sliceString(Math.max(0, at - mostBlanks), at);
  return at - above.length + above.trimEnd().length;
}

function blanksBehind(text: Text, at: number): number {
  const below = text.sliceString(at, at + mostBlanks);
  return at + below.length - below.trimStart().length;
}
