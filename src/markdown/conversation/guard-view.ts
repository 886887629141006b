import { type Above, scanLines } from '../scan';

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
