import type { Extension } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import { blockAround } from '../reading/blocks';

const item = /^(\s*)(?:([-*+])|(\d+)([.)]))(\s+)(\[[ xX]\]\s+)?/;

/** Enter in a callout stays in it, at the same depth; on an empty line it leaves it. */
function continueCallout(view: EditorView): boolean {
  const { state } = view;
  const { main } = state.selection;
  if (!main.empty || state.selection.ranges.length > 1) return false;
  if (blockAround(state, main.head)?.value.shape.kind !== 'callout') return false;
  const line = state.doc.lineAt(main.head);
  const mark = /^>(?: |$)/.exec(line.text)?.[0];
  if (mark === undefined || main.head < line.from + mark.length) return false;
  if (line.text.trim() === '>') {
    view.dispatch({ changes: { from: line.from, to: line.to }, userEvent: 'delete' });
    return true;
  }
  const indent = /^>( *)/.exec(line.text.slice(0, main.head - line.from))?.[1] ?? ' ';
  const insert = `\n>${indent || ' '}`;
  view.dispatch({
    changes: { from: main.head, insert },
    selection: { anchor: main.head + insert.length },
    scrollIntoView: true,
    userEvent: 'input',
  });
  return true;
}

/** Enter goes on with a list; on an empty item it ends it. */
function continueList(view: EditorView): boolean {
  const { state } = view;
  const { main } = state.selection;
  if (!main.empty || state.selection.ranges.length > 1 || blockAround(state, main.head)) return false;
  const line = state.doc.lineAt(main.head);
  const match = item.exec(line.text);
  if (!match || main.head < line.from + match[0].length) return false;
  const [whole, indent = '', bullet, number, dot, space, task] = match;
  if (line.text.length === whole.length) {
    view.dispatch({ changes: { from: line.from, to: line.to }, userEvent: 'delete' });
    return true;
  }
  const mark = bullet ?? `${Number(number) + 1}${dot}`;
  const insert = `\n${indent}${mark}${space}${task ? '[ ] ' : ''}`;
  view.dispatch({
    changes: { from: main.head, insert },
    selection: { anchor: main.head + insert.length },
    scrollIntoView: true,
    userEvent: 'input',
  });
  return true;
}

export const listEnter: Extension = keymap.of([
  { key: 'Enter', run: continueCallout },
  { key: 'Enter', run: continueList },
]);
