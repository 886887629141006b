import { type Above, scanLines } from '../scan';
import type { GuardView } from './guard-view';
import type { Written } from './guarded-line';

/** What a guard lets into a note, and how every reader of it stands behind that. */
export interface GuardedOutput {
  state(): Written;
  /** On the current line. */
  write(text: string): void;
  newLine(breaks: string): void;
  /** What was written since this was called last. */
  take(): string;
}

export function createGuardedOutput(
  place: { readonly lines: string; readonly above: Above | null },
  placeViews: readonly GuardView[],
): GuardedOutput {
  const lineStart = place.lines.lastIndexOf('\n') + 1;
  /** Nothing above the current line is read twice: a long answer would be read again and again. */
  let above = lineStart === 0 ? place.above : scanLines(place.lines.slice(0, lineStart), place.above).above;
  let views = placeViews;
  let line = place.lines.slice(lineStart);
  let lastUnit = line.slice(-1);
  let output = '';

  return {
    state: () => ({ above, line, lastUnit, views }),
    write(text) {
      if (text === '') return;
      output += text;
      line += text;
      views = views.map((view) => ({ ...view, line: view.line + text }));
      lastUnit = text.slice(-1);
    },
    newLine(breaks) {
      output += breaks;
      views = views.map((view) => ({
        ...view,
        above: scanLines(view.line + breaks, view.above).above,
        line: '',
      }));
      ({ above } = scanLines(line + breaks, above));
      line = '';
      lastUnit = '';
    },
    take() {
      const text = output;
      output = '';
      return text;
    },
  };
}
