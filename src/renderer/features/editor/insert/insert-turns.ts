import { isolateHistory } from '@codemirror/commands';
import type { EditorState, TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import {
  createTextGuard,
  linksOf,
  printForeignText,
  type TagNames,
  withoutRules,
} from '../../../../markdown';
import { noteContext } from '../context/note-context';
import { speakerAt } from '../reading/speaker';
import { holdRange, placeOf } from './held-range';
import { dispatchInserted, type Inserter, inserted, type Wanted } from './insertion';
import { placeBehind } from './place-behind';

export interface NewTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** The person wrote it, tags and all; what another hand wrote is one turn's text where it comes to stand. */
  readonly isOwn?: boolean;
}

/** Puts turns in the place that is held, as one step of undo; the cursor goes to where the person speaks next. */
export function insertTurns(view: EditorView, turns: readonly NewTurn[], assistant: string): void {
  if (!view.state.readOnly) dispatchInserted(view, turnsInserted(view.state, turns, assistant));
}

/** Puts them behind the turn that the person is in; what is selected there stays. */
export function addTurns(view: EditorView, turns: readonly NewTurn[], assistant: string): void {
  if (!view.state.readOnly) dispatchInserted(view, turnsAdded(view.state, turns, assistant));
}

export function turnsInserted(
  state: EditorState,
  turns: readonly NewTurn[],
  assistant: string,
): TransactionSpec | null {
  const { from, to } = placeOf(state);
  return turnsPut(state, turns, assistant, { held: { from, to }, places: 'here' });
}

export function turnsAdded(
  state: EditorState,
  turns: readonly NewTurn[],
  assistant: string,
): TransactionSpec | null {
  const { head } = state.selection.main;
  return turnsPut(state, turns, assistant, { held: { from: head, to: head }, places: 'apart' });
}

function turnsPut(state: EditorState, turns: readonly NewTurn[], assistant: string, options: Wanted) {
  const put =
    (print: PrintForeign): Inserter =>
    (now, place) =>
      turnsAt(now, place, turns, assistant, print);
  // Its links were looked at already, and its pictures are links; where one comes alive that was none, all are none.
  return inserted(state, options, put(guarded), put(printForeignText));
}

function turnsAt(
  state: EditorState,
  place: number,
  turns: readonly NewTurn[],
  assistant: string,
  print: PrintForeign,
): ReturnType<Inserter> {
  const behind = placeBehind(state, place);
  const from = behind ? behind.at : place;
  const { tags } = state.field(noteContext);
  const user = tags.user[0] ?? 'User';
  const speaker = speakerAt(state, from);
  const line = state.doc.lineAt(from);
  const isBehindTag = speaker?.line === line.from;
  const before = state.sliceDoc(isBehindTag ? speaker.textFrom : line.from, from).trim();
  const above = line.number > 1 ? state.doc.line(line.number - 1).text.trim() : '';
  const goesOn = turns[0]?.role === 'user' && speaker?.role === 'user';
  // An empty turn makes place for a conversation that the model begins.
  const isEmpty = isBehindTag && before === '';
  const ahead = state.sliceDoc(line.from, from);
  const isAlone = ['user', 'assistant'].includes(speaker?.role ?? '') && isTag(ahead, speaker?.tag ?? '');
  const start = isEmpty && isAlone && !goesOn ? line.from : from;
  const lead =
    goesOn && isEmpty
      ? behindTag(state.sliceDoc(line.from, from))
      : goesOn || start < from || (isEmpty && speaker.role === 'new-chat')
        ? ''
        : before !== '' || isEmpty
          ? '\n\n'
          : above !== ''
            ? '\n'
            : '';
  const isFollowed = behind !== null && /^\n[^\n]/.test(state.sliceDoc(from, from + 2));
  const tail = state.sliceDoc(from, line.to).trim() !== '' ? '\n\n' : isFollowed ? '\n' : '';
  const noteAbove = state.sliceDoc(0, start);
  let words = behind ? `${behind.closing}\n\n` : lead;
  let opened = 0;
  const open = (tag: string) => {
    words += `#${tag} : `;
    opened++;
  };
  for (const [index, { role, text, isOwn }] of turns.entries()) {
    if (index > 0) words += '\n\n';
    if (index > 0 || !goesOn) open(role === 'user' ? user : assistant);
    words += isOwn ? withoutRules(text, noteAbove + words) : print(text, tags, noteAbove + words);
  }
  if (turns.at(-1)?.role !== 'user') {
    if (turns.length > 0) words += '\n\n';
    open(user);
  }
  return {
    spec: {
      changes: { from: start, to: from, insert: words + tail },
      selection: { anchor: start + words.length },
      effects: holdRange.of(null),
      annotations: isolateHistory.of('full'),
      userEvent: 'input.prompt',
      scrollIntoView: true,
    },
    addition: {
      turns: opened,
      blocks: Number.POSITIVE_INFINITY,
      links: turns.flatMap(({ text }) => linksOf(`#${user} : ${text}`)),
      isOwn: turns.every((turn) => turn.isOwn),
    },
  };
}

/** Nothing else stands there: `#NewChat` before a tag is no part of it. */
const isTag = (text: string, tag: string) =>
  text
    .trimEnd()
    .replace(/[:：]$/, '')
    .trimEnd() === `#${tag}`;

type PrintForeign = (text: string, tags: TagNames, before: string) => string;

/** What a text may not open depends on what stands above it. */
function guarded(text: string, tags: TagNames, before: string): string {
  const guard = createTextGuard(tags, before);
  return guard.push(text) + guard.end();
}

/** What a tag needs before its text. */
function behindTag(tag: string): string {
  if (/\s$/.test(tag)) return '';
  return /[:：]$/.test(tag) ? ' ' : ' : ';
}

/** Puts a link or a few words in the place that is held. */
export function insertWords(view: EditorView, words: string): void {
  dispatchInserted(view, wordsInserted(view.state, words));
}

/** Apart from a bracket or a backtick before them where they would be another thing with it. */
export function wordsInserted(state: EditorState, words: string): TransactionSpec | null {
  const { from, to } = placeOf(state);
  const put =
    (insert: string): Inserter =>
    (_now, place) => ({
      spec: {
        changes: { from: place, to: place, insert },
        selection: { anchor: place + insert.length },
        effects: holdRange.of(null),
        annotations: isolateHistory.of('full'),
        userEvent: 'input.attach',
        scrollIntoView: true,
      },
      addition: { turns: 0, blocks: 0, links: linksOf(words) },
    });
  return inserted(state, { held: { from, to }, places: 'here' }, put(words), put(` ${words}`));
}
