import { type EditorState, type Extension, type Line, type Range, RangeSet } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import { isLive } from '../../../base/text/run-words';
import { t } from '../../../base/text/text';
import { colouringChanged, noteContext } from '../context/note-context';
import { icon } from '../drawing/icons';
import { button, element } from '../drawing/widgets';
import { roleTagsAt } from '../reading/role-tag';
import { speakerAt } from '../reading/speaker';
import { answerSteps, canRestore, takeStep } from './answer-steps';

class Actions extends WidgetType {
  constructor(
    private readonly visible: boolean,
    private readonly writes: boolean,
    private readonly restores: boolean,
  ) {
    super();
  }
  override eq(other: Actions): boolean {
    return other.visible === this.visible && other.writes === this.writes && other.restores === this.restores;
  }
  toDOM(view: EditorView): HTMLElement {
    // The cursor behind the line's last letter is drawn where this stands; the buttons hang elsewhere.
    const place = element('span', 'cm-answer-place');
    const row = element('span', this.visible ? 'cm-answer-actions cm-answer-shown' : 'cm-answer-actions');
    row.setAttribute('role', 'toolbar');
    row.setAttribute('aria-label', t('reply.actions'));
    for (const step of answerSteps) {
      if ((step.writes && !this.writes) || (step.restores && !this.restores)) continue;
      const act = () => takeStep(view, step, view.posAtDOM(place));
      row.append(button('cm-card-action', t(step.words), act, icon(step.icon, 13)));
    }
    place.append(row);
    return place;
  }
  override ignoreEvent(): boolean {
    return true;
  }
}

/** Over each answer that is on the screen: copy, write anew, and so on. Those of the one at the cursor are always seen. */
export const answerActions: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = decorate(view);
    }
    update(update: ViewUpdate) {
      const { startState, state } = update;
      const busy = isBusy(startState) !== isBusy(state);
      const isSame = startState.field(noteContext).restorable === state.field(noteContext).restorable;
      if (
        busy ||
        !isSame ||
        update.docChanged ||
        update.viewportChanged ||
        update.selectionSet ||
        colouringChanged(startState, state)
      )
        this.decorations = decorate(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

const isBusy = (state: EditorState) => isLive(state.field(noteContext).run);

function decorate(view: EditorView): DecorationSet {
  const { state } = view;
  // While an answer is written there is nothing to do with it but to stop it.
  if (isBusy(state)) return Decoration.none;
  const decorations: Range<Decoration>[] = [];
  const here = speakerAt(state, state.selection.main.head);
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = state.doc.lineAt(at);
      const tag = roleTagsAt(state, line).at(-1);
      if (tag?.role === 'assistant') {
        const widget = new Actions(here?.line === line.from, !state.readOnly, restores(state, line));
        decorations.push(Decoration.widget({ widget, side: 2 }).range(line.to));
      }
      at = line.to + 1;
    }
  }
  return RangeSet.of(decorations, true);
}

/** Lines of an answer that are looked at for a call. */
const mostLooked = 400;

function restores(state: EditorState, { number }: Line): boolean {
  if (state.field(noteContext).restorable.length === 0) return false;
  const calls: number[] = [];
  const last = Math.min(state.doc.lines, number + mostLooked);
  for (let at = number + 1; at <= last; at++) {
    const line = state.doc.line(at);
    const time = /^>\s?`{3,}result\b.*\sat=(\S+)/.exec(line.text)?.[1];
    if (time !== undefined) calls.push(Date.parse(time));
    if (roleTagsAt(state, line).length > 0) break;
  }
  return canRestore(state, calls);
}
