import type { ChangeSet, Text } from '@codemirror/state';
import type { LineEnds } from './line-ends';

/** What the disk holds, as far as we know, and how the session's text comes from it. */
export interface Base {
  /** Null: there is no file. */
  readonly hash: string | null;
  /** Which file it was read from or written to; null: not known. */
  readonly file: string | null;
  readonly doc: Text;
  readonly ends: LineEnds;
  /** Leads to the text at `version`. */
  readonly ahead: ChangeSet;
  readonly version: number;
}
