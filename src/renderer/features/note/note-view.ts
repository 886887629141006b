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
import { keyLabels } from '../../base/keyboard/keys';
import { isLive } from '../../base/text/run-words';
import { t } from '../../base/text/text';
import { compared } from '../conversation/compare/compared';
import { completion } from '../editor/completion/completion';
import { noteContext } from '../editor/context/note-context';
import { heldRange } from '../editor/insert/held-range';
import { apartFromCards } from '../editor/preview/apart-from-cards';
import { apartFromHeads } from '../editor/preview/apart-from-heads';
import { besideDrawn } from '../editor/preview/beside-drawn';
import { codeColours } from '../editor/preview/code-colours';
import { entityLinks } from '../editor/preview/entity-links';
import { fences } from '../editor/preview/fences';
import { findWords } from '../editor/preview/find-words';
import { folds } from '../editor/preview/folds';
import { links } from '../editor/preview/links';
import { listEnter } from '../editor/preview/list-enter';
import { livePreview } from '../editor/preview/live-preview';
import { blocksField } from '../editor/reading/blocks';
import { blockCheck } from '../editor/tool-blocks/block-check';
import { liveCalls } from '../editor/tool-blocks/live-calls';
import { retryLater } from '../editor/tool-blocks/retry-later';
import { viewButtons } from '../editor/tool-blocks/view-buttons';
import { viewPlaces } from '../editor/tool-blocks/view-places';
import { answerActions } from '../editor/turns/answer-actions';
import { askHint } from '../editor/turns/ask-hint';
import { cursorPlaced } from '../editor/turns/asked-place';
import { roomAtCards } from '../editor/turns/room-at-cards';
import { toolTurns } from '../editor/turns/tool-turns';
import { endOfNote } from '../editor/turns/turn-behind-answer';
import { typedOnCards } from '../editor/turns/typed-on-cards';
import { wordsBelowQuestion } from '../editor/turns/words-below-question';
import { writing } from '../editor/turns/writing';
import { noteUndo } from '../editor/undo/note-undo';
import { unconfirmedChanges } from './sync/unconfirmed';

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
        toolTurns,
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
