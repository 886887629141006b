import { Compartment, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { NoteRun } from '../../../contract/chat';
import type { Core } from '../../base/core/core';
import { useLayout } from '../../base/layout/layout';
import { tellUnasked } from '../../base/layout/unasked';
import { t } from '../../base/text/text';
import { type NoteContext, setContext } from '../editor/context/note-context';
import { useOpenNotes } from '../editor/context/open-notes';
import { askedPlace } from '../editor/turns/asked-place';
import { keepPlace } from './kept-places';
import { createNoteView, translateNoteView } from './note-view';
import { createPins } from './pins';
import { createRunInView } from './run-in-view';
import { createSessionActions } from './session-actions';
import { joinSession, moveSession } from './session-link';
import { changeNote, endWaiting, type SessionState } from './session-state';
import { tellUpdates } from './session-updates';

export interface NoteSessionParts {
  readonly core: Core;
  readonly path: string;
  readonly parent: HTMLElement;
  renamed(from: string, to: string): void;
}

export interface EditorSession {
  readonly view: EditorView;
  know(
    context: Partial<
      Pick<
        NoteContext,
        | 'tags'
        | 'servers'
        | 'tools'
        | 'templates'
        | 'offerServers'
        | 'loneCalls'
        | 'waiting'
        | 'restorable'
        | 'toolLines'
        | 'leads'
        | 'connected'
      >
    >,
  ): void;
  showRun(run: NoteRun | null): void;
  /** Everything that is drawn says its words in the language of now. */
  translate(): void;
  /** The same note at another path; all else stays as it is. */
  moved(to: string): void;
  /** A note that was deleted elsewhere is at its place again; told is which that is. */
  writeAgain(): Promise<{ path: string }>;
  /** To be called before the page lets go of the editor. */
  keepPlace(): void;
  close(): void;
}

/** Milliseconds in which a note that is written again is followed. */
const longestReturn = 3_000;

/** An editor in the page, joined with the core's session of the note. */
export function openNoteSession(parts: NoteSessionParts): EditorSession {
  const lock = new Compartment();
  const session = createSession(parts, lock);
  const { view, closing, runInView } = session;
  const { link, questions } = joinSession(session, { lock, renamed: parts.renamed });

  async function placed(at: number, signal: AbortSignal) {
    const pin = session.pins.put(at);
    try {
      const version = await link.flushed(AbortSignal.any([signal, closing.signal]));
      return { at: pin.at, version };
    } finally {
      pin.remove();
    }
  }

  const { path } = session;
  view.dispatch({ effects: setContext.of({ path, actions: createSessionActions(session, questions) }) });
  changeNote(session, {
    editor: {
      text: () => view.state.doc.toString(),
      place: (signal) => placed(askedPlace(view.state) ?? view.state.selection.main.head, signal),
      goTo: (at) => goTo(view, at),
    },
  });

  return {
    view,
    moved: (to) => moveSession(session, to),
    async writeAgain() {
      await link.writeAgain();
      // Until it is followed again it takes no keys.
      if (view.state.readOnly)
        await new Promise<void>((go) => {
          session.waiting.push(go);
          setTimeout(go, longestReturn);
        });
      return { path: session.path };
    },
    translate: () => translateNoteView(view),
    know: (context) => view.dispatch({ effects: setContext.of(context) }),
    showRun: runInView.show,
    keepPlace() {
      if (session.isShown) keepPlace(session.path, view);
    },
    close() {
      closing.abort();
      if (runInView.hasNext())
        tellUnasked({ vault: session.vault, path: session.path, why: t('note.closedBefore') });
      runInView.next(null);
      endWaiting(session);
      questions.leave();
      link.close();
      runInView.writing.close();
      view.destroy();
      useOpenNotes.getState().close(session.path);
    },
  };
}

function createSession({ core, path, parent }: NoteSessionParts, lock: Compartment): SessionState {
  const view = createNoteView(parent, path, [
    lock.of([EditorState.readOnly.of(true), EditorView.editable.of(false)]),
    tellUpdates(() => session),
  ]);
  const session: SessionState = {
    core,
    vault: useLayout.getState().vault ?? '',
    path,
    view,
    runInView: createRunInView(view, parent),
    pins: createPins(),
    closing: new AbortController(),
    isShown: false,
    waiting: [],
    joined: null,
  };
  return session;
}

export function goTo(view: EditorView, at: number): void {
  const anchor = Math.min(at, view.state.doc.length);
  view.dispatch({
    selection: { anchor },
    effects: EditorView.scrollIntoView(anchor, { y: 'start', yMargin: 48 }),
  });
  view.focus();
}
