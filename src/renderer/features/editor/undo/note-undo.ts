import { isolateHistory } from '@codemirror/commands';
import {
  Annotation,
  type ChangeDesc,
  type EditorState,
  type Extension,
  Facet,
  Prec,
  type StateCommand,
  StateField,
  Transaction,
} from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { isStep, restoringHand, undoingHand } from '../../../../contract/notes';
import {
  carriedSteps,
  nextRedo,
  nextUndo,
  noSteps,
  type Steps,
  type Turn,
  withContinued,
  withHand,
  withStep,
} from './steps';

/** Whose changes a transaction brings from the core. */
export const writtenBy = Annotation.define<string>();
/** It takes back, or brings again, what another hand wrote: a step in each window, as that was. */
export const isOfAnotherHand = Annotation.define<true>();

const turned = Annotation.define<Steps>();

interface Typed {
  readonly steps: Steps;
  /** When the last step may still go on: typed a moment ago, and the cursor has not moved since. */
  readonly goesOnUntil: number;
}

/** Milliseconds. */
const together = 500;
const goingOn = /^(input\.type|delete)($|\.)/;

/** The hands that are writing now: theirs is a step when they have ended. */
type Writing = (state: EditorState) => ReadonlySet<string>;
const writingNow = Facet.define<Writing>();
const stillWriting = (state: EditorState) =>
  new Set(state.facet(writingNow).flatMap((writing) => [...writing(state)]));

function isNear(last: ChangeDesc, next: ChangeDesc): boolean {
  let near = false;
  last.iterChangedRanges((from, to) => {
    next.iterChangedRanges((_fromA, _toA, fromB, toB) => {
      near ||= toB >= from && fromB <= to;
    });
  });
  return near;
}

function typed({ steps, goesOnUntil }: Typed, transaction: Transaction): Typed {
  const { startState, changes } = transaction;
  const inverse = changes.invert(startState.doc);
  const event = transaction.annotation(Transaction.userEvent);
  const time = transaction.annotation(Transaction.time) ?? 0;
  const last = steps.done.at(-1);
  const goesOn =
    last?.hand === null &&
    (event === 'input.type.compose' ||
      (time < goesOnUntil && (!event || goingOn.test(event)) && isNear(last.changes, inverse)));
  return {
    steps: goesOn
      ? withContinued(steps, inverse)
      : withStep(steps, { changes: inverse, selection: startState.selection, hand: null }),
    goesOnUntil: time + together,
  };
}

/** Another window took back, or brought again, what is the next step here, too. */
function same(turn: Turn | null, { changes }: Transaction): Steps | null {
  return turn && JSON.stringify(turn.changes) === JSON.stringify(changes) ? turn.steps : null;
}

function received(steps: Steps, transaction: Transaction, still: ReadonlySet<string>): Steps {
  const { startState, changes } = transaction;
  const hand = transaction.annotation(writtenBy);
  if (hand === undefined || !isStep(hand)) return carriedSteps(steps, changes);
  if (!hand.startsWith(undoingHand)) {
    const after = withHand(steps, hand, changes, startState.doc);
    return hand.startsWith(restoringHand) ? { ...after, undone: [] } : after;
  }
  return (
    same(nextUndo(steps, startState.doc, still), transaction) ??
    same(nextRedo(steps, startState.doc, still), transaction) ??
    withStep(steps, { changes: changes.invert(startState.doc), selection: null, hand })
  );
}

const field = StateField.define<Typed>({
  create: () => ({ steps: noSteps, goesOnUntil: 0 }),
  update(value, transaction) {
    const steps = transaction.annotation(turned);
    if (steps) return { steps, goesOnUntil: 0 };
    const isolated = transaction.annotation(isolateHistory);
    const before = isolated === 'full' || isolated === 'before' ? { ...value, goesOnUntil: 0 } : value;
    if (transaction.annotation(Transaction.addToHistory) === false) {
      if (!transaction.docChanged) return before;
      return { ...before, steps: received(value.steps, transaction, stillWriting(transaction.startState)) };
    }
    if (!transaction.docChanged) return transaction.selection ? { ...before, goesOnUntil: 0 } : before;
    const after = typed(before, transaction);
    return isolated === 'full' || isolated === 'after' ? { ...after, goesOnUntil: 0 } : after;
  },
});

const command =
  (next: typeof nextUndo, userEvent: string): StateCommand =>
  ({ state, dispatch }) => {
    if (state.readOnly) return false;
    const turn = next(state.field(field).steps, state.doc, stillWriting(state));
    if (!turn) return false;
    const { changes, selection, hand, steps } = turn;
    dispatch(
      state.update({
        changes,
        ...(selection && { selection, scrollIntoView: true }),
        annotations: [turned.of(steps), ...(hand === null ? [] : [isOfAnotherHand.of(true)])],
        userEvent,
        filter: false,
      }),
    );
    return true;
  };

export const undo = command(nextUndo, 'undo');
export const redo = command(nextRedo, 'redo');

/**
 * Undo and redo of a note: what was typed here, and what other hands wrote (an answer, a call, a restored version), each
 * of which is one step however it came.
 */
export const noteUndo = (writing: Writing): Extension => [
  field,
  writingNow.of(writing),
  keymap.of([
    { key: 'Mod-z', run: undo, preventDefault: true },
    { key: 'Mod-y', mac: 'Mod-Shift-z', run: redo, preventDefault: true },
    { linux: 'Ctrl-Shift-z', win: 'Ctrl-Shift-z', run: redo, preventDefault: true },
  ]),
  Prec.high(
    EditorView.domEventHandlers({
      // With Caps Lock, Shift gives the small letter, which the keymap takes for the key without Shift.
      keydown(event, view) {
        if (!(event.shiftKey && (event.ctrlKey || event.metaKey) && !event.altKey && event.key === 'z'))
          return false;
        event.preventDefault();
        redo(view);
        return true;
      },
      beforeinput(event, view) {
        const run = { historyUndo: undo, historyRedo: redo }[event.inputType];
        if (!run) return false;
        event.preventDefault();
        return run(view);
      },
    }),
  ),
];
