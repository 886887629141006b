import type { Range } from '@codemirror/state';
import { Decoration } from '@codemirror/view';

const hidden = Decoration.replace({});

/** Part of a line that is drawn; all places are offsets in `text`. */
export interface LinePen {
  readonly text: string;
  /** The cursor is on the line, which shows its source. */
  readonly active: boolean;
  lineClass(name: string): void;
  /** Unless the line is active. */
  hide(from: number, to: number): void;
  mark(from: number, to: number, name: string, attributes?: Record<string, string>): void;
  put(from: number, to: number, decoration: Decoration): void;
}

export interface DrawnText {
  readonly lineFrom: number;
  readonly text: string;
  /** Where the text begins in the note. */
  readonly offset: number;
  readonly active: boolean;
}

export function createLinePen(
  { lineFrom, text, offset, active }: DrawnText,
  decorations: Range<Decoration>[],
): LinePen {
  const put = (from: number, to: number, decoration: Decoration) =>
    void decorations.push(decoration.range(offset + from, offset + to));
  return {
    text,
    active,
    put,
    lineClass: (name) => void decorations.push(Decoration.line({ class: name }).range(lineFrom)),
    hide(from, to) {
      if (!active && to > from) put(from, to, hidden);
    },
    mark(from, to, name, attributes) {
      if (to > from) put(from, to, Decoration.mark({ class: name, attributes: attributes ?? {} }));
    },
  };
}
