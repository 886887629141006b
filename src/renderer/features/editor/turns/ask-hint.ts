import { type Extension, RangeSet } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView } from '@codemirror/view';
import { keyLabels } from '../../../base/keyboard/keys';
import { t } from '../../../base/text/text';
import { drawn } from '../drawing/drawn';
import { speakerAt } from '../reading/speaker';

/** In an empty turn of the person, what to do there. */
export const askHint: Extension = drawn(decorate);

function decorate({ state }: EditorView): DecorationSet {
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  const speaker = main.empty && !state.readOnly ? speakerAt(state, main.head) : null;
  const waits = speaker?.role === 'user' && speaker.line === line.from;
  if (!waits || state.sliceDoc(speaker.textFrom, line.to).trim() !== '') return RangeSet.empty;
  const keys = keyLabels('Mod-Enter').join('+');
  const hint = { class: 'cm-ask-hint', attributes: { 'data-hint': t('note.askHere', { keys }) } };
  return RangeSet.of(Decoration.line(hint).range(line.from));
}
