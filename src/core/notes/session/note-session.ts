import type { ChangeSet } from '@codemirror/state';
import type { SaveState } from '../../../contract/notes';
import type { Anchor } from '../text/note-text';

/** An open note, owned by the core. Offsets count UTF-16 units of the text with `\n` line ends. */
export interface NoteSession {
  readonly path: string;
  readonly sessionId: string;
  readonly version: number;
  text(): string;
  slice(from: number, to: number): string;
  /** Maps an offset that was taken at `version` to the present text. Throws `note.session-gone` if that is too long ago. */
  mapFrom(version: number, offset: number, side: -1 | 1): number;
  /** Behind what this hand wrote last; null where that is too long ago, or nothing. */
  lastBy(clientId: string): number | null;
  /** Where others than this hand have put something since `version` that is still there; null where that is too long ago. */
  insertedSince(
    version: number,
    hand: string,
  ): readonly { readonly from: number; readonly to: number }[] | null;
  /** `side` 1: text inserted exactly here ends up before the anchor. */
  anchor(offset: number, side: -1 | 1): Anchor;
  /** Applies one change by `clientId`; journaled before it returns. Throws `vault.read-only`. */
  edit(clientId: string, change: { from: number; to?: number; insert: string }): void;
  /** Several at once; all offsets are of the present text. */
  apply(clientId: string, changes: ChangeSet): void;
  /** Becomes this text as it stood on disk, line ends included; they are kept only once it is saved. */
  replace(clientId: string, onDisk: string): void;
  /** A note being written by a run is saved at least every second. The answer ends that. */
  keepSaving(): () => void;
  save(): Promise<SaveState>;
  saveState(): SaveState;
}
