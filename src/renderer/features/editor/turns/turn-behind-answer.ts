import {
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
  type Text,
  Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import { EditorView, type ViewUpdate } from '@codemirror/view';
import { windowHand } from '../../../../contract/notes';
import { openFence, turnAt } from '../../../../markdown';
import { noteContext } from '../context/note-context';
import { foldAt } from '../preview/folds';
import { blockAround } from '../reading/blocks';
import { conversationOf } from '../reading/conversation';
import { type SpeakerHere, speakerAt } from '../reading/speaker';
import { writtenBy } from '../undo/note-undo';
import { turnAtEnd } from './turn-at-end';
import { awaitedIn, writingAt } from './writing';

export interface Cursor {
  /**
   * The person put it at the end of the note, or at that of an answer with something below it. What others write behind it
   * since is not their doing.
   */
  readonly end: 'of-note' | 'of-answer' | null;
  /** Since it was put somewhere, nothing was written there but line breaks. */
  readonly isPut: boolean;
  /** An answer was on its way when it was put there. It may have ended since: what is typed is for the next turn all the same. */
  readonly wasWriting: boolean;
}

/** It is where it was in an editor before. */
export const cursorKept = StateEffect.define<Cursor>();

const cursor = StateField.define<Cursor>({
  create: () => ({ end: null, isPut: false, wasWriting: false }),
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(cursorKept)) return effect.value;
    const isTheirs = transaction.docChanged && transaction.annotation(Transaction.remote) !== true;
    if (!isTheirs && transaction.selection === undefined) return value;
    const { newDoc, newSelection } = transaction;
    const now = placeBeingWritten(transaction.startState);
    const writing = now && {
      at: transaction.changes.mapPos(now.at, 1),
      end: transaction.changes.mapPos(now.end, 1),
    };
    const awaited = awaitedIn(transaction.startState);
    const question = awaited?.at == null ? null : transaction.changes.mapPos(awaited.at, -1);
    return {
      end: endAt(newDoc, newSelection.main.head, writing, question),
      isPut: isTheirs ? value.isPut && addsOnlyLines(transaction) : true,
      wasWriting: writing !== null || awaited !== null,
    };
  },
});

export const cursorOf = (state: EditorState): Cursor | null => state.field(cursor, false) ?? null;

/** Where an answer goes on, and behind the line that ends the code in which that is. */
interface BeingWritten {
  readonly at: number;
  readonly end: number;
}

function placeBeingWritten(state: EditorState): BeingWritten | null {
  const at = writingAt(state);
  if (at === null) return null;
  const code = blockAround(state, at);
  const isEnded = code?.value.shape.kind === 'fence' && code.value.shape.closed;
  const isLastOfCode = isEnded && /^\n[ \t]*[`~]+[ \t]*$/.test(state.sliceDoc(at, code.to));
  return { at, end: isLastOfCode ? code.to : at };
}

function endAt(
  doc: Text,
  head: number,
  writing: BeingWritten | null,
  question: number | null,
): Cursor['end'] {
  if (isBlank(doc, head, doc.length)) return 'of-note';
  if (writing !== null) {
    const { at, end } = writing;
    const isThere = (at <= head && head <= end) || isBlank(doc, head, at) || isBlank(doc, head, end);
    return isThere ? 'of-answer' : null;
  }
  return question !== null && isBelow(doc, question, head) ? 'of-answer' : null;
}

const isBlank = (doc: Text, a: number, b: number) =>
  doc.sliceString(Math.min(a, b), Math.max(a, b)).trim() === '';

/** On an empty line between a question and what follows it. */
const isBelow = (doc: Text, question: number, head: number) =>
  doc.lineAt(head).from > question && doc.lineAt(head).text.trim() === '' && isBlank(doc, question, head);

function addsOnlyLines(transaction: Transaction): boolean {
  let only = transaction.isUserEvent('input');
  transaction.changes.iterChanges((fromA, toA, _fromB, _toB, inserted) => {
    only &&= fromA === toA && inserted.toString().trim() === '';
  });
  return only;
}

const turnBegun = StateEffect.define<number>();

/** Where a turn begins that was begun here while an answer was being written. */
const begunTurn = StateField.define<number | null>({
  create: () => null,
  update(at, transaction) {
    for (const effect of transaction.effects) if (effect.is(turnBegun)) return effect.value;
    return at === null ? null : transaction.changes.mapPos(at, 1);
  },
});

/**
 * The core may open the next turn in the same moment, above the one that was begun here: then this one is too many. That of
 * another window is not: its words come behind its tag.
 */
function oneTurn({ view, state, docChanged, transactions }: ViewUpdate): void {
  const head = nextTurn(state);
  if (!docChanged || head === null || state.field(begunTurn) === null) return;
  if (!transactions.some((one) => opensTurn(one, head))) return;
  queueMicrotask(() => {
    const at = view.state.field(begunTurn);
    if (at === null || view.state.readOnly) return;
    const start = Math.max(0, at - 2 * head.length);
    const doubled = doubledIn(view.state.sliceDoc(start, at + 3 * head.length), head.trimStart());
    if (!doubled) return;
    const changes = { from: start + doubled.from, to: start + doubled.to };
    view.dispatch({ changes, annotations: Transaction.addToHistory.of(false) });
  });
}

/** A tag that stands right behind another one, with the blanks between. */
function doubledIn(text: string, tag: string): { readonly from: number; readonly to: number } | null {
  for (let at = text.indexOf(tag); at !== -1; at = text.indexOf(tag, at + 1)) {
    const above = text.slice(0, at).trimEnd();
    if (above.endsWith(tag.trimEnd())) return { from: Math.min(above.length + 1, at), to: at + tag.length };
  }
  return null;
}

/** The core does, or another app by the file. */
function opensTurn(transaction: Transaction, head: string): boolean {
  if (!transaction.annotation(Transaction.remote)) return false;
  if (transaction.annotation(writtenBy)?.startsWith(windowHand)) return false;
  let opens = false;
  transaction.changes.iterChanges((_fromA, _toA, _fromB, _toB, inserted) => {
    opens ||= inserted.toString().includes(head.trim());
  });
  return opens;
}

/** Of text of which no key is told. */
const onInput = EditorView.inputHandler.of((view, from, to, text) => {
  const { head } = view.state.selection.main;
  if (view.composing || from !== to || from !== head || !beginTurnBehindAnswer(view, text)) return false;
  view.dispatch({ ...view.state.replaceSelection(text), userEvent: 'input.type' });
  return true;
});

/** Text that is composed where its turn is not begun before it is agreed to. */
interface Composed {
  readonly from: number;
  /** As it was put there. */
  readonly cursor: Cursor;
}

const composing = StateEffect.define<Composed | null>();

const composed = StateField.define<Composed | null>({
  create: () => null,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(composing)) return effect.value;
    if (value === null || !transaction.docChanged) return value;
    const side = transaction.annotation(Transaction.remote) ? 1 : -1;
    return { ...value, from: transaction.changes.mapPos(value.from, side) };
  },
});

/** The browser loses track of it where others write beside it. */
export const isComposedInAnswer = (state: EditorState): boolean => state.field(composed, false) != null;

export function composeBehindAnswer(view: EditorView): boolean {
  const { state } = view;
  if (isComposedInAnswer(state)) return true;
  if (!mayBegin(state) || !turnToBegin(state, '')) return false;
  view.dispatch({ effects: composing.of({ from: state.selection.main.head, cursor: state.field(cursor) }) });
  return true;
}

/** To the turn that it begins. */
export function takeComposedAlong(view: EditorView): void {
  const { state } = view;
  const was = state.field(composed, false);
  if (!was || view.composing || state.readOnly) return;
  const { from } = was;
  const to = state.selection.main.head;
  const text = state.sliceDoc(from, to);
  view.dispatch({
    ...(to > from && { changes: { from, to }, userEvent: 'delete.turn' }),
    effects: [composing.of(null), cursorKept.of(was.cursor)],
  });
  if (to <= from) return;
  beginTurnBehindAnswer(view, text);
  view.dispatch({ ...view.state.replaceSelection(text), userEvent: 'input.type' });
}

export const endOfNote: Extension = [
  cursor,
  begunTurn,
  composed,
  EditorView.updateListener.of(oneTurn),
  onInput,
];

/**
 * Whoever types at the end of an answer that is being written begins their own turn: in the answer’s their words would be the
 * model’s, and scattered among its own. The answer goes on above. The same holds below the question while the answer is
 * awaited, and below an answer that ends the note, for whoever put the cursor there; who writes on in it changes it.
 */
export function beginTurnBehindAnswer(view: EditorView, typed: string): boolean {
  const { state } = view;
  const turn = mayBegin(state) ? turnToBegin(state, typed) : null;
  if (!turn) return false;
  view.dispatch(turn);
  if (opensLine.test(typed)) view.dispatch({ ...view.state.replaceSelection('\n'), userEvent: 'input.type' });
  return true;
}

const mayBegin = (state: EditorState) =>
  !state.readOnly && state.selection.main.empty && state.field(cursor).end !== null;

function turnToBegin(state: EditorState, typed: string): TransactionSpec | null {
  const { head } = state.selection.main;
  const { end, wasWriting } = state.field(cursor);
  const speaker = speakerAt(state, head);
  const writing = placeBeingWritten(state);
  const awaited = awaitedIn(state);
  // A tag that is written by hand opens a turn by itself.
  const isByHand = typed === '\n' || typed.startsWith('#');
  if (speaker?.role === 'user') {
    if (isByHand || awaited?.at == null || !isBelow(state.doc, awaited.at, head)) return null;
    return turnInserted(state, end === 'of-note' ? state.doc.length : head);
  }
  if (speaker?.role !== 'assistant') return null;
  if (writing === null && awaited === null && !wasWriting)
    return end === 'of-note' && !isByHand ? turnBelow(state, speaker) : null;
  if (end === 'of-answer') return turnInserted(state, writing?.end ?? endOfTurn(state, head));
  if (endsWithTurn(state)) return turnOpened(state);
  const isOver = writing === null && awaited === null;
  return isOver && openFence(state.doc.toString()) !== ''
    ? turnOpened(state)
    : turnInserted(state, state.doc.length);
}

/** Of its last line with a word or a tag: the blank behind those is where the answer goes on. */
function endOfTurn(state: EditorState, at: number): number {
  const turn = turnAt(conversationOf(state), at);
  if (!turn) return at;
  const words = turn.from + state.sliceDoc(turn.from, turn.to).trimEnd().length;
  return state.doc.lineAt(words).to;
}

/** A fence and a quote are none behind a tag. */
const opensLine = /^[`~>]/;

function nextTurn(state: EditorState): string | null {
  const [tag] = state.field(noteContext).tags.user;
  return tag === undefined ? null : `\n\n#${tag} : `;
}

/** The core has opened it, and its news that the answer has ended is still on its way. */
function endsWithTurn(state: EditorState): boolean {
  const head = nextTurn(state)?.trimEnd();
  return head !== undefined && state.doc.toString().trimEnd().endsWith(head);
}

function turnInserted(state: EditorState, from: number): TransactionSpec | null {
  const insert = nextTurn(state);
  if (insert === null) return null;
  const isLast = state.sliceDoc(from).trim() === '';
  return {
    changes: { from, insert: isLast ? insert : insert + partingBelow(state, from) },
    selection: { anchor: from + insert.length },
    effects: isLast ? turnBegun.of(from) : [],
    scrollIntoView: true,
    userEvent: 'input.turn',
  };
}

/** What stands from `to` on is the person's next turn; blanks from `from` to there go. */
export function beginTurnOf(state: EditorState, from: number, to: number): TransactionSpec | null {
  const insert = nextTurn(state);
  return insert === null
    ? null
    : { changes: { from, to, insert }, effects: turnBegun.of(from), userEvent: 'input.turn' };
}

/** Line breaks that part what is put at a place from what stands below it. */
function partingBelow(state: EditorState, from: number): string {
  const blanks = /^\s*/.exec(state.sliceDoc(from, from + 200))?.[0] ?? '';
  return '\n'.repeat(Math.max(0, 3 - blanks.split('\n').length));
}

/** At the end; it may be one that the core has opened, or opens just now. */
function turnOpened(state: EditorState): TransactionSpec | null {
  const turn = turnAtEnd(state);
  return turn && { ...turn, effects: turnBegun.of(state.doc.toString().trimEnd().length) };
}

function turnBelow(state: EditorState, { textFrom }: SpeakerHere): TransactionSpec | null {
  const { head } = state.selection.main;
  const isApart = state.doc.lineAt(head).text.trim() === '' && !blockAround(state, head);
  if (!state.field(cursor).isPut || !(isApart || foldAt(state, head)?.to === head)) return null;
  return state.sliceDoc(textFrom).trim() === '' ? null : turnOpened(state);
}
