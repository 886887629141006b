import { Compartment, EditorState, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { NoteRun } from '../../../contract/chat';
import { connection } from '../../base/core/connected';
import type { Core } from '../../base/core/core';
import { useLayout } from '../../base/layout/layout';
import { tellUnasked } from '../../base/layout/unasked';
import { isCallLive } from '../../base/text/run-words';
import { type NoteContext, noteContext, setContext } from '../editor/context/note-context';
import { useNoteForm } from '../editor/context/note-form';
import { type SettledIn, useOpenNotes } from '../editor/context/open-notes';
import { askedPlace, placeToWait, placeToWaitAgain } from '../editor/turns/asked-place';
import { disturbsComposition } from '../editor/turns/composition';
import { awaitAnswer, giveRoom } from './answer-room';
import { keepPlace, placeFollows, returnToPlace } from './kept-places';
import { createNoteActions } from './note-actions';
import { createNoteView, renameNoteView, translateNoteView } from './note-view';
import { createPins } from './pins';
import { createRunInView } from './run-in-view';
import type { NoteLink } from './sync/connect-note';
import { joinNote } from './sync/join-note';
import { createWaitingQuestions, type WaitingQuestions } from './waiting-questions';

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
        | 'lenders'
        | 'loneCalls'
        | 'waiting'
        | 'restorable'
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

/** How long after a change or a move of the cursor the panels beside the note look again. */
const touchDelay = 250;

const isTyped = (change: Transaction) =>
  change.docChanged && change.annotation(Transaction.userEvent) !== undefined;

/** The core says so too, but only once it has heard of it: without a connection that may be late. */
function tellUnsaved(path: string): void {
  const notes = useOpenNotes.getState();
  if (notes.notes.get(path)?.save?.kind === 'saved') notes.change(path, { save: { kind: 'unsaved' } });
}

/** Milliseconds in which a note that is written again is followed. */
const longestReturn = 3_000;

/**
 * An editor in the page, joined with the core's session of the note. It joins what stands in files of its own; that they are
 * made and told in this order is all that it adds.
 */
export function openNoteSession(parts: NoteSessionParts): EditorSession {
  const { core } = parts;
  let { path } = parts;
  const closing = new AbortController();
  const pins = createPins();
  const locked = new Compartment();
  const tell = (changes: Parameters<ReturnType<typeof useOpenNotes.getState>['change']>[1]) => {
    if (!closing.signal.aborted) useOpenNotes.getState().change(path, changes);
  };
  let touching: ReturnType<typeof setTimeout> | undefined;
  let touched = 0;
  let arrived = false;
  /** Not yet while what it had before is drawn. */
  let joined: { readonly link: NoteLink; readonly questions: WaitingQuestions } | null = null;

  const view = createNoteView(parts.parent, path, [
    locked.of([EditorState.readOnly.of(true), EditorView.editable.of(false)]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) {
        pins.map(update.changes);
        writing.map(update.changes);
        joined?.questions.map(update.changes);
        joined?.link.edited();
        if (update.transactions.some(isTyped)) {
          tellUnsaved(path);
          if (useOpenNotes.getState().notes.get(path)?.settledIn === 'writing')
            tell({ problem: null, settledIn: null });
        }
      }
      if (update.selectionSet) wait.leave();
      if (
        update.transactions.some((t) => ['select', 'input', 'delete'].some((kind) => t.isUserEvent(kind)))
      ) {
        writing.leave();
      }
      if (update.docChanged || update.selectionSet) {
        touching ??= setTimeout(() => {
          touching = undefined;
          tell({ touched: ++touched });
        }, touchDelay);
      }
    }),
  ]);

  const runInView = createRunInView(view, parts.parent);
  const { writing, wait } = runInView;

  const waiting: (() => void)[] = [];
  const vault = useLayout.getState().vault ?? '';
  const link = joinNote(vault, {
    core,
    path,
    isHeld: (changes) => disturbsComposition(view, changes),
    isAsking: () => joined?.questions.isEmpty() === false,
    editor: {
      get state() {
        return view.state;
      },
      dispatch: (...specs) => {
        const transaction = view.state.update(...specs);
        view.dispatch(transaction);
        // A view that is closed tells nobody, and may still be waited for.
        if (closing.signal.aborted) joined?.questions.map(transaction.changes);
      },
    },
    onReady: (readOnly) => {
      view.dispatch({ effects: locked.reconfigure(readOnly ? EditorState.readOnly.of(true) : []) });
      if (!arrived) returnToPlace(path, view);
      arrived = true;
      tell({ ready: true, readOnly });
      for (const go of waiting.splice(0)) go();
    },
    onSave: (save) => tell({ save }),
    onConflict: (conflict) => tell({ conflict }),
    onRenamed: (to, byOthers) => {
      const from = path;
      moved(to);
      parts.renamed(from, to);
      tell({ movedBy: byOthers ? 'others' : null });
    },
    onProblem: (problem) => tell({ problem, settledIn: null }),
    onArrival: runInView.arrived,
  });

  const questions = createWaitingQuestions(link, () => `${vault}\n${path}`);
  joined = { link, questions };

  function moved(to: string): void {
    if (to === path) return;
    placeFollows(path, to);
    useOpenNotes.getState().moved(path, to);
    useNoteForm.getState().moved(path, to);
    path = to;
    link.moved(to);
    view.dispatch({ effects: [setContext.of({ path }), renameNoteView(path)] });
  }

  async function placed(at: number, signal: AbortSignal) {
    const pin = pins.put(at);
    try {
      const version = await link.flushed(AbortSignal.any([signal, closing.signal]));
      return { at: pin.at, version };
    } finally {
      pin.remove();
    }
  }

  function tellProblem(problem: string | null, settledIn: SettledIn | null = null): void {
    if (!closing.signal.aborted) tell({ problem, settledIn });
    else if (problem !== null) tellUnasked({ vault, path, why: problem });
  }

  view.dispatch({
    effects: setContext.of({
      path,
      actions: createNoteActions({
        core,
        get path() {
          return path;
        },
        // Also where the person goes to another note before the core has heard of it.
        placed: (at) => questions.placed(at, connection.lost),
        liveRun: runInView.liveId,
        openCalls: () => view.state.field(noteContext).loneCalls.filter(isCallLive),
        answerer: () => useOpenNotes.getState().answerers.get(path) ?? null,
        choose: (tag) => useOpenNotes.getState().setAnswerer(path, tag),
        onAsked(at) {
          const room = giveRoom(view, pins, at, closing.signal);
          const place = placeToWait(view.state, at);
          wait.waitAt(place, true);
          return awaitAnswer(view, place, room, closing.signal);
        },
        onAskedAgain(at) {
          const place = placeToWaitAgain(view.state, at);
          if (place !== null) wait.waitAt(place, false);
          return awaitAnswer(view, place ?? at, null, closing.signal);
        },
        onProblem: tellProblem,
      }),
    }),
  });

  tell({
    lent: {
      text: () => view.state.doc.toString(),
      place: (signal) => placed(askedPlace(view.state) ?? view.state.selection.main.head, signal),
      goTo: (at) => goTo(view, at),
    },
  });

  return {
    view,
    moved,
    async writeAgain() {
      await link.writeAgain();
      // Until it is followed again it takes no keys.
      if (view.state.readOnly)
        await new Promise<void>((go) => {
          waiting.push(go);
          setTimeout(go, longestReturn);
        });
      return { path };
    },
    translate: () => translateNoteView(view),
    know: (context) => view.dispatch({ effects: setContext.of(context) }),
    showRun: runInView.show,
    keepPlace() {
      if (arrived) keepPlace(path, view);
    },
    close() {
      closing.abort();
      for (const go of waiting.splice(0)) go();
      clearTimeout(touching);
      questions.leave();
      link.close();
      writing.close();
      view.destroy();
      useOpenNotes.getState().close(path);
    },
  };
}

export function goTo(view: EditorView, at: number): void {
  const anchor = Math.min(at, view.state.doc.length);
  view.dispatch({
    selection: { anchor },
    effects: EditorView.scrollIntoView(anchor, { y: 'start', yMargin: 48 }),
  });
  view.focus();
}
