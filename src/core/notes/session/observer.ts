import type { Json } from '../../../contract/json';
import type { PrintedText } from '../../../files';

/** As it would stand on disk. */
export interface WatchedText {
  /** Characters, about. */
  readonly length: number;
  print(): Promise<PrintedText>;
}

export interface WatchedNote {
  readonly sessionId: string;
  readonly path: string;
  /** Of this moment, whenever it is printed. */
  text(): WatchedText;
}

/** Another program had deleted the note, or put another one in its place; else it was closed. */
export type SessionEnd = 'closed' | 'deleted' | 'replaced';

/** Who watches what becomes of open notes. */
export interface NotesObserver {
  /**
   * `hand` is about to change it: a client's id, or `disk` where what another program wrote is taken. The answer is in the
   * journal before the change is: what `recovered` is to be told after a crash.
   */
  changing(note: WatchedNote, hand: string): Json;
  changed(note: WatchedNote, hand: string): void;
  /** It is open again as it was when the app died; `observed`: what `changing` had answered last. */
  recovered(note: WatchedNote, observed: Json): void;
  /**
   * It is at another path, moved by another program, or by an app that died then. `by`: null: that app knew of it already, and
   * may have told. What the app itself moves while it runs is told by the vault. `whileOff`: `from` is where it was when that
   * app died, whichever note was told to be there since.
   */
  moved(from: string, to: string, by: 'others' | 'app' | null, whileOff?: boolean): void;
  /** Another program deleted it while it is open; false: it is there again. */
  deleted(note: WatchedNote, isDeleted: boolean): void;
  /** It is no more open. Resolves when nothing of its journal is needed any more. */
  closed(note: WatchedNote, end: SessionEnd): Promise<void>;
}
