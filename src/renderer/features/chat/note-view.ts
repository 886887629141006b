import { closeBrackets } from '@codemirror/autocomplete';
import { defaultKeymap } from '@codemirror/commands';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state';
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightSpecialChars,
  keymap,
  placeholder,
} from '@codemirror/view';
import { escapeStops } from '../../base/keyboard/escape';
import { keyLabels } from '../../base/layout/keys';
import { isLive } from '../../base/text/run-words';
import { t } from '../../base/text/text';
import { compared } from './compare/compared';
import { answerActions } from './extensions/answer-actions';
import { apartFromCards } from './extensions/apart-from-cards';
import { apartFromHeads } from './extensions/apart-from-heads';
import { askHint } from './extensions/ask-hint';
import { cursorPlaced } from './extensions/asked-place';
import { besideDrawn } from './extensions/beside-drawn';
import { blockCheck } from './extensions/block-check';
import { blocksField } from './extensions/blocks';
import { codeColours } from './extensions/code-colours';
import { completion } from './extensions/completion';
import { entityLinks } from './extensions/entity-links';
import { fences } from './extensions/fences';
import { folds } from './extensions/folds';
import { links } from './extensions/links';
import { listEnter } from './extensions/list-enter';
import { liveCalls } from './extensions/live-calls';
import { livePreview } from './extensions/live-preview';
import { noteContext } from './extensions/note-context';
import { retryLater } from './extensions/retry-later';
import { roomAtCards } from './extensions/room-at-cards';
import { endOfNote } from './extensions/turn-behind-answer';
import { typedOnCards } from './extensions/typed-on-cards';
import { viewButtons } from './extensions/view-buttons';
import { viewPlaces } from './extensions/view-places';
import { wordsBelowQuestion } from './extensions/words-below-question';
import { writing } from './extensions/writing';
import { findWords } from './find-words';
import { heldRange } from './menus/held-range';
import { unconfirmedChanges } from './sync/unconfirmed';
import { noteUndo } from './undo/note-undo';

/** After what Escape closes, before what it deselects. */
const stopKey = keymap.of([
  {
    key: 'Escape',
    run(view) {
      const { path, actions } = view.state.field(noteContext);
      return escapeStops(path) && actions.stop();
    },
  },
]);

/** What is being written is a step of undo once it stands. */
function writingNow(state: EditorState): ReadonlySet<string> {
  const { run, loneCalls } = state.field(noteContext);
  return new Set([...(run && isLive(run) ? [run.runId] : []), ...loneCalls.map(({ callId }) => callId)]);
}

const answerKeys = Prec.high(
  keymap.of([
    {
      key: 'Mod-Enter',
      run: (view) => {
        view.state.field(noteContext).actions.answerOrRunBlock(view);
        return true;
      },
    },
  ]),
);

const name = new Compartment();
const nameOf = (label: string) =>
  EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true' });

const words = new Compartment();
const wordsOfNow = () => [
  EditorState.phrases.of(findWords()),
  placeholder(t('note.placeholder', { keys: keyLabels('Mod-Enter').join('+') })),
];

/** Draws everything again; text, cursor, undo and the place on the screen stay. */
export function translateNoteView(view: EditorView): void {
  const place = view.scrollSnapshot();
  view.dispatch({ effects: words.reconfigure(wordsOfNow()) });
  view.setState(view.state);
  view.dispatch({ effects: place });
}

export const renameNoteView = (label: string) => name.reconfigure(nameOf(label));

/** The editor of a note without a note in it yet. */
export function createNoteView(parent: HTMLElement, label: string, extra: Extension): EditorView {
  return new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        noteContext,
        heldRange,
        compared,
        blocksField,
        unconfirmedChanges,
        completion,
        answerKeys,
        listEnter,
        keymap.of(searchKeymap),
        stopKey,
        highlightSpecialChars(),
        drawSelection(),
        noteUndo(writingNow),
        keymap.of(defaultKeymap),
        closeBrackets(),
        search({ top: true }),
        highlightSelectionMatches({ minSelectionLength: 3 }),
        dropCursor(),
        words.of(wordsOfNow()),
        EditorView.lineWrapping,
        name.of(nameOf(label)),
        folds,
        cursorPlaced,
        endOfNote,
        wordsBelowQuestion,
        roomAtCards,
        besideDrawn,
        typedOnCards,
        apartFromCards,
        apartFromHeads,
        viewPlaces,
        viewButtons,
        livePreview,
        fences,
        askHint,
        codeColours,
        blockCheck,
        links,
        entityLinks,
        writing,
        liveCalls,
        retryLater,
        answerActions,
        extra,
      ],
    }),
  });
}
