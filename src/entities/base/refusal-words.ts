import { cut } from './cut-text';
import { unifiedDiff } from './unified-diff';

/** What a refusal shows of something, and how many characters of it it does not. */
export interface Shown {
  readonly text: string;
  readonly hidden: number;
}

const longestDiff = 1_500;

/** What stands there now is what a change would replace: of a diff that is too long it comes first. */
export function diffSinceRead(path: string, earlier: string, now: string, is = 'is there now'): Shown {
  return shownDiff(`from what was read (-) to what ${is} (+)`, ['+', '-'], path, earlier, now);
}

/** What is the caller's own it knows: of a diff that is too long that is left out. */
export function diffToYours(path: string, now: string, yours: string): Shown {
  return shownDiff('from what is there now (-) to yours (+)', ['-'], path, now, yours);
}

function shownDiff(
  heading: string,
  signs: readonly string[],
  path: string,
  before: string,
  after: string,
): Shown {
  const diff = unifiedDiff(path, before, after);
  if (diff.length <= longestDiff) return { text: `${heading}:\n${diff}`, hidden: 0 };
  const [, , ...lines] = diff.split('\n');
  const lost = signs.flatMap((sign) => lines.filter((line) => line.startsWith(sign)));
  const { text, hidden } = shownText(lost.join('\n'), longestDiff);
  return { text: `${heading}, only the lines with ${signs.join(', then ')}:\n${text}`, hidden };
}

export function shownText(text: string, most: number): Shown {
  const start = cut(text, most);
  const hidden = text.length - start.length;
  return { text: hidden === 0 ? text : `${start}… (${hidden} characters more)`, hidden };
}

/** How whoever is refused goes on: what it was not shown it is to read before it replaces it. */
export function waysOn(ways: {
  readonly hidden: number;
  /** The calls that give all of it, and what to pass then. */
  readonly readAll: string;
  /** Where all of it is shown: how to read it again, and when to repeat. */
  readonly read?: string | undefined;
  readonly hold: string;
  /** What replaces nothing. */
  readonly instead?: string | undefined;
  /** The same once more, so that it holds; null where it can't hold. */
  readonly repeat: string | null;
}): string {
  const { hidden, readAll, read, hold, instead, repeat } = ways;
  const cutShort = hidden > 0;
  const when = cutShort ? 'to replace unread what the difference does not show' : hold;
  const sentences = [
    cutShort ? `Read all of it: ${readAll}` : read,
    cutShort ? instead : undefined,
    repeat === null ? undefined : `${when}, ${repeat}`,
  ];
  const start = cutShort ? `The difference is cut: ${hidden} characters of it are not shown. ` : '';
  return `Nothing was written. ${start}${sentences.filter((each) => each !== undefined).join('; or, ')}.`;
}
