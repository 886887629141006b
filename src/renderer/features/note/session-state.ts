import type { EditorView } from '@codemirror/view';
import type { Core } from '../../base/core/core';
import { useOpenNotes } from '../editor/context/open-notes';
import type { Pins } from './pins';
import type { RunInView } from './run-in-view';
import type { NoteLink } from './sync/connect-note';
import type { WaitingQuestions } from './waiting-questions';

/** The way to the core, and the questions that wait for their words to get there. */
export interface JoinedNote {
  readonly link: NoteLink;
  readonly questions: WaitingQuestions;
}

/** An editor in the page, and what joins it with the core's session of its note. */
export interface SessionState {
  readonly core: Core;
  readonly vault: string;
  /** Where the note is now. */
  path: string;
  readonly view: EditorView;
  readonly runInView: RunInView;
  readonly pins: Pins;
  /** Aborted: the editor is closed. */
  readonly closing: AbortController;
  /** Whether the note has been shown, with the cursor where the person was in it. */
  isShown: boolean;
  /** Of those who wait until the editor takes keys again. */
  readonly waiting: (() => void)[];
  /** Not yet while what it had before is drawn. */
  joined: JoinedNote | null;
}

type NoteChanges = Parameters<ReturnType<typeof useOpenNotes.getState>['change']>[1];

/** What is known of the open note changes, unless its editor is closed. */
export function changeNote({ closing, path }: SessionState, changes: NoteChanges): void {
  if (!closing.signal.aborted) useOpenNotes.getState().change(path, changes);
}

/** Those who wait go on. */
export function endWaiting({ waiting }: SessionState): void {
  for (const go of waiting.splice(0)) go();
}
