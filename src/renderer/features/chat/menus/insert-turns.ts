import { isolateHistory } from '@codemirror/commands';
import type { EditorState, TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { createTextGuard, type TagNames, withoutRules } from '../../../../markdown';
import { noteContext } from '../extensions/note-context';
import { speakerAt } from '../extensions/speaker';
import { behindBlock } from '../extensions/tool-block';
import { holdRange, placeOf } from './held-range';

export interface NewTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** The person wrote it, tags and all; what another hand wrote is one turn's text where it comes to stand. */
  readonly isOwn?: boolean;
}

/** Puts turns in the place that is held, as one step of undo; the cursor goes to where the person speaks next. */
export function insertTurns(view: EditorView, turns: readonly NewTurn[], assistant: string): void {
  if (view.state.readOnly) return;
  view.dispatch(turnsInserted(view.state, turns, assistant));
  view.focus();
}

export function turnsInserted(
  state: EditorState,
  turns: readonly NewTurn[],
  assistant: string,
): TransactionSpec {
  const place = placeOf(state);
  const behind = behindBlock(state, place.from);
  const { from, to } = behind ? { from: behind.at, to: behind.at } : place;
  const { tags } = state.field(noteContext);
  const user = tags.user[0] ?? 'User';
  const speaker = speakerAt(state, from);
  const line = state.doc.lineAt(from);
  const isBehindTag = speaker?.line === line.from;
  const before = state.sliceDoc(isBehindTag ? speaker.textFrom : line.from, from).trim();
  const above = line.number > 1 ? state.doc.line(line.number - 1).text.trim() : '';
  const goesOn = turns[0]?.role === 'user' && speaker?.role === 'user';
  // An empty turn makes place for a conversation that the model begins.
  const start = isBehindTag && before === '' && !goesOn ? speaker.line : from;
  const lead = goesOn || start < from ? '' : before !== '' ? '\n\n' : above !== '' ? '\n' : '';
  const tail = state.sliceDoc(to, state.doc.lineAt(to).to).trim() === '' ? '' : '\n\n';
  const noteAbove = state.sliceDoc(0, start);
  let words = behind ? `${behind.closing}\n\n` : lead;
  for (const [index, { role, text, isOwn }] of turns.entries()) {
    if (index > 0) words += '\n\n';
    if (index > 0 || !goesOn) words += `#${role === 'user' ? user : assistant} : `;
    words += isOwn ? withoutRules(text, noteAbove + words) : guarded(text, tags, noteAbove + words);
  }
  if (turns.at(-1)?.role !== 'user') words += `${turns.length > 0 ? '\n\n' : ''}#${user} : `;
  return {
    changes: { from: start, to, insert: words + tail },
    selection: { anchor: start + words.length },
    effects: holdRange.of(null),
    annotations: isolateHistory.of('full'),
    userEvent: 'input.prompt',
    scrollIntoView: true,
  };
}

/** What a text may not open depends on what stands above it. */
function guarded(text: string, tags: TagNames, before: string): string {
  const guard = createTextGuard(tags, before);
  return guard.push(text) + guard.end();
}

/** Puts a link or a few words in the place that is held. */
export function insertWords(view: EditorView, words: string): void {
  const { from, to } = placeOf(view.state);
  view.dispatch({
    changes: { from, to, insert: words },
    selection: { anchor: from + words.length },
    effects: holdRange.of(null),
    annotations: isolateHistory.of('full'),
    userEvent: 'input.attach',
    scrollIntoView: true,
  });
  view.focus();
}
