import { type EditorState, type Extension, type Range, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, type ViewUpdate, WidgetType } from '@codemirror/view';
import { type ToolTurn, turnsOfTools, wordsOfLine } from '../../../../markdown';
import { t } from '../../../base/text/text';
import { noteContext } from '../context/note-context';
import { icon } from '../drawing/icons';
import { button, element } from '../drawing/widgets';
import { conversationOf } from '../reading/conversation';
import { roleTagsAt } from '../reading/role-tag';
import { speakerAt } from '../reading/speaker';
import { toolTurnWords } from './tool-turn-words';

const setTurns = StateEffect.define<readonly ToolTurn[]>();

/** The turns in the person's name that tools wrote, as they stood when they were last read. */
const toolTurnsField = StateField.define<readonly ToolTurn[]>({
  create: () => [],
  update(turns, { effects, docChanged, changes }) {
    for (const effect of effects) if (effect.is(setTurns)) return effect.value;
    if (!docChanged || turns.length === 0) return turns;
    return turns.map((turn) => ({ ...turn, from: changes.mapPos(turn.from, 1) }));
  },
  provide: (field) => EditorView.decorations.compute([field, noteContext], (state) => marksOf(state, field)),
});

function readTurns(state: EditorState): readonly ToolTurn[] {
  const { toolLines } = state.field(noteContext);
  if (toolLines.length === 0) return [];
  const tools = new Map(toolLines.map(({ words, server, tool }) => [words, { server, tool }]));
  const toolOf = (line: string) => tools.get(wordsOfLine(line)) ?? null;
  return turnsOfTools(state.doc.toString(), conversationOf(state).turns, toolOf);
}

/** Milliseconds after the last change in which a note with such turns is read anew. */
const restMs = 200;

/** Reads them whenever it is told other lines of tools, and once whoever writes has paused. */
const follow = ViewPlugin.fromClass(
  class {
    private timer: ReturnType<typeof setTimeout> | undefined;
    constructor(private readonly view: EditorView) {
      this.readAfter(0);
    }
    update({ startState, state, docChanged }: ViewUpdate) {
      const [before, { toolLines, tags }] = [startState.field(noteContext), state.field(noteContext)];
      if (toolLines !== before.toolLines || tags !== before.tags) this.readAfter(0);
      else if (docChanged && toolLines.length > 0) this.readAfter(restMs);
    }
    destroy() {
      clearTimeout(this.timer);
    }
    private readAfter(ms: number) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        const { state } = this.view;
        const turns = readTurns(state);
        if (JSON.stringify(turns) !== JSON.stringify(state.field(toolTurnsField)))
          this.view.dispatch({ effects: setTurns.of(turns) });
      }, ms);
    }
  },
);

export const toolTurns: Extension = [toolTurnsField, follow];

/** The turn at a place, where a tool wrote it; null: it is the person's own, or an answer. */
export function toolTurnAt(state: EditorState, at: number): ToolTurn | null {
  const turns = state.field(toolTurnsField, false) ?? [];
  const here = turns.length === 0 ? null : speakerAt(state, at);
  return turns.find(({ from }) => here && from >= here.line && from <= here.textFrom) ?? null;
}

export function acceptTurn(view: EditorView, { lines }: ToolTurn): void {
  view.state.field(noteContext).actions.acceptLines(lines);
  view.focus();
}

/** Milliseconds: what has only just come was not looked at, and a press was meant for what stood there before. */
const unseenMs = 500;

/** At a tag: who wrote what stands below it, and the person's yes to it. */
class ToolMark extends WidgetType {
  private readonly key: string;
  constructor(
    private readonly turn: ToolTurn,
    private readonly standsBeforeWords: boolean,
  ) {
    super();
    const { from: _from, ...facts } = turn;
    this.key = JSON.stringify([facts, standsBeforeWords]);
  }
  override eq(other: ToolMark): boolean {
    return other.key === this.key;
  }
  toDOM(view: EditorView): HTMLElement {
    const comesAt = performance.now();
    const accept = button(
      'cm-tool-accept',
      t('note.toolTurn.acceptWhy'),
      () => performance.now() - comesAt >= unseenMs && acceptTurn(view, this.turn),
      t('note.toolTurn.accept'),
    );
    const label = element('span', 'cm-tool-said', icon('pencil', 12), toolTurnWords(this.turn));
    label.title = t('note.toolTurn.why');
    const mark = element('span', 'cm-tool-mark', label, accept);
    mark.setAttribute('role', 'note');
    if (this.standsBeforeWords) mark.classList.add('cm-tool-mark-above');
    return mark;
  }
  override ignoreEvent(): boolean {
    return true;
  }
}

function marksOf(state: EditorState, field: StateField<readonly ToolTurn[]>) {
  const marks = state.field(field).flatMap((turn): Range<Decoration>[] => {
    const line = state.doc.lineAt(turn.from);
    const tag = roleTagsAt(state, line).find(({ from }) => line.from + from === turn.from);
    if (!tag) return [];
    const widget = new ToolMark(turn, line.length > tag.to);
    return [Decoration.widget({ widget, side: -1 }).range(line.from + tag.to)];
  });
  return Decoration.set(marks, true);
}
