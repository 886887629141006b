import { redoDepth, undoDepth } from '@codemirror/commands';
import { type EditorState, type Extension, Prec, StateEffect, StateField } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import { noteContext } from './note-context';

interface Hand {
  readonly clientId: string;
  /** The person's own undo steps when it had written. */
  readonly depth: number;
}

interface Hands {
  readonly done: readonly Hand[];
  readonly undone: readonly Hand[];
}

/** An answer has been written (or stopped), or a version restored: from now on it is one undo step. */
export const answerDone = StateEffect.define<string>();
const moved = StateEffect.define<Hands>();

const handsField = StateField.define<Hands>({
  create: () => ({ done: [], undone: [] }),
  update(hands, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(moved)) return effect.value;
      if (effect.is(answerDone)) {
        const hand = { clientId: effect.value, depth: undoDepth(transaction.state) };
        return { done: [...hands.done, hand], undone: [] };
      }
    }
    const typed =
      transaction.docChanged && (transaction.isUserEvent('input') || transaction.isUserEvent('delete'));
    return typed && hands.undone.length > 0 ? { ...hands, undone: [] } : hands;
  },
});

/** What the next undo takes back: the person's own step, or everything that a hand wrote after it. */
function nextUndo(state: EditorState): Hand | null {
  const last = state.field(handsField).done.at(-1);
  return last && undoDepth(state) <= last.depth ? last : null;
}

function nextRedo(state: EditorState): Hand | null {
  const last = state.field(handsField).undone.at(-1);
  return last && (undoDepth(state) >= last.depth || redoDepth(state) === 0) ? last : null;
}

function undoAnswer(view: EditorView): boolean {
  const hand = nextUndo(view.state);
  if (!hand) return false;
  void revert(view, hand, ({ done, undone }, clientId) => ({
    done: done.slice(0, -1),
    undone: [...undone, { clientId, depth: hand.depth }],
  }));
  return true;
}

function redoAnswer(view: EditorView): boolean {
  const hand = nextRedo(view.state);
  if (!hand) return false;
  void revert(view, hand, ({ done, undone }, clientId) => ({
    done: [...done, { clientId, depth: hand.depth }],
    undone: undone.slice(0, -1),
  }));
  return true;
}

async function revert(
  view: EditorView,
  hand: Hand,
  after: (hands: Hands, clientId: string) => Hands,
): Promise<void> {
  const clientId = await view.state.field(noteContext).actions.revert(hand.clientId);
  if (clientId === null) return;
  view.dispatch({ effects: moved.of(after(view.state.field(handsField), clientId)) });
}

/** An answer is one step of undo, though the core wrote it. */
export const answerUndo: Extension = [
  handsField,
  Prec.high(
    keymap.of([
      { key: 'Mod-z', run: undoAnswer },
      { key: 'Mod-y', mac: 'Mod-Shift-z', run: redoAnswer },
      { linux: 'Ctrl-Shift-z', win: 'Ctrl-Shift-z', run: redoAnswer },
    ]),
  ),
];
