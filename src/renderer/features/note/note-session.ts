import { Compartment, EditorState, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { NoteRun } from '../../../contract/chat';
import { connection } from '../../base/core/connected';
import type { Core } from '../../base/core/core';
import { useLayout } from '../../base/layout/layout';
import { tellUnasked } from '../../base/layout/unasked';
import { isCallLive, isLive } from '../../base/text/run-words';
import { type NoteContext, noteContext, setContext } from '../editor/context/note-context';
import { useNoteForm } from '../editor/context/note-form';
import { type SettledIn, useOpenNotes } from '../editor/context/open-notes';
import { blankTurnFrom } from '../editor/reading/role-tag';
import {
  askedPlace,
  endOfQuestion,
  endsNote,
  placeToWait,
  placeToWaitAgain,
} from '../editor/turns/asked-place';
import { disturbsComposition } from '../editor/turns/composition';
import { awaitedIn, isShown, setAwaited, setWriting } from '../editor/turns/writing';
import { keepPlace, placeFollows, returnToPlace } from './kept-places';
import { type Awaiting, createNoteActions } from './note-actions';
import { createNoteView, renameNoteView, translateNoteView } from './note-view';
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

/** An editor in the page, joined with the core's session of the note. */
export function openNoteSession(parts: NoteSessionParts): EditorSession {
  const { core } = parts;
  let { path } = parts;
  const closing = new AbortController();
  const pins = new Set<{ at: number }>();
  const locked = new Compartment();
  const tell = (changes: Parameters<ReturnType<typeof useOpenNotes.getState>['change']>[1]) => {
    if (!closing.signal.aborted) useOpenNotes.getState().change(path, changes);
  };
  let run: NoteRun | null = null;
  let touching: ReturnType<typeof setTimeout> | undefined;
  let touched = 0;
  let arrived = false;
  /** Not yet while what it had before is drawn. */
  let joined: { readonly link: NoteLink; readonly questions: WaitingQuestions } | null = null;

  /** Whoever sees the place that is being written keeps seeing it; who reads or writes elsewhere is left in peace. */
  let follows = false;
  let writingAt: number | null = null;

  const view = createNoteView(parts.parent, path, [
    locked.of([EditorState.readOnly.of(true), EditorView.editable.of(false)]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) {
        for (const pin of pins) pin.at = update.changes.mapPos(pin.at, 1);
        if (writingAt !== null) writingAt = update.changes.mapPos(writingAt, 1);
        joined?.questions.map(update.changes);
        joined?.link.edited();
        if (update.transactions.some(isTyped)) {
          tellUnsaved(path);
          if (useOpenNotes.getState().notes.get(path)?.settledIn === 'writing')
            tell({ problem: null, settledIn: null });
        }
      }
      if (update.selectionSet) waits = false;
      if (
        update.transactions.some((t) => ['select', 'input', 'delete'].some((kind) => t.isUserEvent(kind)))
      ) {
        follows = false;
      }
      if (update.docChanged || update.selectionSet) {
        touching ??= setTimeout(() => {
          touching = undefined;
          tell({ touched: ++touched });
        }, touchDelay);
      }
    }),
  ]);

  /** Since asking, the cursor has stayed where it was. */
  let waits = false;
  /** Whoever waited for the answer goes on behind it, where the next question is. */
  const goOn = (at: number) => {
    const last = view.state.doc.lineAt(Math.min(at, view.state.doc.length));
    const next = blankTurnFrom(view.state, last.number);
    // What went wrong is not left below the edge for whoever still sees the question.
    const isMissed =
      (next === null || run?.kind !== 'answer' || run.phase.kind !== 'finished') &&
      isShown(view, view.state.selection.main.head);
    const scroll =
      follows || isMissed
        ? EditorView.scrollIntoView((next ?? last).to, { y: 'nearest', yMargin: 96 })
        : null;
    if (next) waits = false;
    view.dispatch({
      ...(next && { selection: { anchor: next.to } }),
      effects: scroll ? [scroll] : [],
    });
  };

  const waitAt = (place: number, scrollIntoView: boolean) => {
    if (place !== view.state.selection.main.head)
      view.dispatch({ selection: { anchor: place }, scrollIntoView });
    waits = true;
  };

  const quietly = Transaction.addToHistory.of(false);

  /**
   * Two hands that write at the same place at once come to stand one behind the other, the core's first: a line break between
   * the end of the question and the place of its answer keeps what is typed on in the question. Returns what takes it back.
   */
  const giveRoom = (at: number): { takeBack(isOnItsWay: boolean): void } | null => {
    if (view.state.readOnly || !endsNote(view.state, at)) return null;
    const pin = { at: view.state.doc.length };
    view.dispatch({ changes: { from: pin.at, insert: '\n' }, annotations: quietly });
    pins.add(pin);
    return {
      takeBack(isOnItsWay) {
        pins.delete(pin);
        const { length } = view.state.doc;
        if (isOnItsWay || closing.signal.aborted || view.state.sliceDoc(pin.at) !== '\n') return;
        view.dispatch({ changes: { from: pin.at, to: length }, annotations: quietly });
      },
    };
  };

  const awaitAnswer = (at: number, room: ReturnType<typeof giveRoom> = null): Awaiting => {
    view.dispatch({ effects: setAwaited.of({ at: endOfQuestion(view.state, at) }) });
    return {
      hasRoom: room !== null,
      settle(isOnItsWay) {
        room?.takeBack(isOnItsWay);
        if (!isOnItsWay && !closing.signal.aborted) view.dispatch({ effects: setAwaited.of(null) });
      },
    };
  };

  const look = () => {
    follows = writingAt !== null && isShown(view, writingAt);
  };
  const keepInView = () => {
    if (follows && writingAt !== null) {
      view.dispatch({ effects: EditorView.scrollIntoView(writingAt, { y: 'nearest', yMargin: 72 }) });
    }
  };
  let lastTouch = 0;
  const touch = () => {
    lastTouch = performance.now();
  };
  for (const name of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
    view.scrollDOM.addEventListener(name, touch, { passive: true });
  }
  // A scroll of the person's own says where they want to be: up is away from it, down may be back to it.
  let lastTop = 0;
  const scrolled = () => {
    const { scrollTop } = view.scrollDOM;
    const up = scrollTop < lastTop;
    lastTop = scrollTop;
    const own = performance.now() - lastTouch < 700;
    if (own && up) follows = false;
    else if (own || up) look();
  };
  view.scrollDOM.addEventListener('scroll', scrolled, { passive: true });
  const resized = new ResizeObserver(keepInView);
  resized.observe(parts.parent);

  function showWriting(at: number): void {
    const first = writingAt === null;
    writingAt = at;
    if (first) look();
    const scroll = follows ? [EditorView.scrollIntoView(at, { y: 'nearest', yMargin: 72 })] : [];
    view.dispatch({ effects: [setWriting.of(at), ...scroll] });
  }

  const waiting: (() => void)[] = [];
  const vault = useLayout.getState().vault ?? '';
  const link = joinNote(vault, {
    core,
    path,
    isHeld: (shown) => disturbsComposition(view, shown),
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
    onArrival: (arrivals) => {
      const written = arrivals.find(({ clientId }) => clientId === run?.runId);
      if (!written) return;
      if (isLive(run)) showWriting(written.at);
      // Its last words may come after the news of its end.
      else if (waits) goOn(written.at);
    },
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
    const pin = { at };
    pins.add(pin);
    try {
      const version = await link.flushed(AbortSignal.any([signal, closing.signal]));
      return { at: pin.at, version };
    } finally {
      pins.delete(pin);
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
        liveRun: () => (isLive(run) ? run.runId : null),
        openCalls: () => view.state.field(noteContext).loneCalls.filter(isCallLive),
        answerer: () => useOpenNotes.getState().answerers.get(path) ?? null,
        choose: (tag) => useOpenNotes.getState().setAnswerer(path, tag),
        onAsked(at) {
          const room = giveRoom(at);
          const place = placeToWait(view.state, at);
          waitAt(place, true);
          return awaitAnswer(place, room);
        },
        onAskedAgain(at) {
          const place = placeToWaitAgain(view.state, at);
          if (place !== null) waitAt(place, false);
          return awaitAnswer(place ?? at);
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
    showRun(next) {
      const writtenTo = writingAt;
      if (!isLive(next)) writingAt = null;
      const ended = isLive(run) && next?.runId === run.runId && !isLive(next) ? run.runId : null;
      run = next;
      view.dispatch({
        effects: [
          setContext.of({ run: next }),
          // Also where it is gone with its app.
          ...(isLive(next) ? [] : [setWriting.of(null)]),
          // An editor that has just been opened has not seen yet where it is written.
          ...(isLive(next) && writingAt === null && !awaitedIn(view.state)
            ? [setAwaited.of({ at: null })]
            : []),
          ...(ended === null ? [] : [setAwaited.of(null)]),
        ],
      });
      if (ended !== null && waits && writtenTo !== null) goOn(writtenTo);
    },
    keepPlace() {
      if (arrived) keepPlace(path, view);
    },
    close() {
      closing.abort();
      for (const go of waiting.splice(0)) go();
      clearTimeout(touching);
      questions.leave();
      link.close();
      resized.disconnect();
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
