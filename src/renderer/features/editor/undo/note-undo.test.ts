import { isolateHistory } from '@codemirror/commands';
import { type ChangeSet, EditorState, Transaction, type TransactionSpec } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { restoringHand, undoingHand } from '../../../../contract/notes';
import { isOfAnotherHand, noteUndo, redo, undo, writtenBy } from './note-undo';

function createWindow(name: string, text: string, live = new Set<string>()) {
  let state = EditorState.create({ doc: text, extensions: [noteUndo(() => live)] });
  const others: { receive(hand: string, changes: ChangeSet): void }[] = [];
  const dispatch = (transaction: Transaction) => {
    state = transaction.state;
    if (transaction.annotation(Transaction.remote) || !transaction.docChanged) return;
    const hand = `${transaction.annotation(isOfAnotherHand) ? undoingHand : ''}window-${name}`;
    for (const other of others) other.receive(hand, transaction.changes);
  };
  const window = {
    others,
    text: () => state.doc.toString(),
    type(spec: TransactionSpec) {
      dispatch(state.update(spec, { annotations: isolateHistory.of('full') }));
    },
    receive(hand: string, changes: ChangeSet | { from: number; to?: number; insert?: string }) {
      const annotations = [
        Transaction.remote.of(true),
        Transaction.addToHistory.of(false),
        writtenBy.of(hand),
      ];
      dispatch(state.update({ changes, annotations }));
    },
    undo: () => undo({ state, dispatch }),
    redo: () => redo({ state, dispatch }),
  };
  return window;
}

type Window = ReturnType<typeof createWindow>;

const place = fc.double({ min: 0, max: 0.999, noNaN: true });
const word = fc.stringMatching(/^[a-z]{1,6}$/);
const deed = fc.record({
  what: fc.constantFrom('type', 'type', 'delete', 'restore', 'lines', 'answer'),
  from: place,
  to: place,
  words: fc.array(word, { minLength: 1, maxLength: 3 }),
});
type Deed = typeof deed extends fc.Arbitrary<infer D> ? D : never;

/** Does it within the first `length` characters. */
function perform(window: Window, { what, words, ...at }: Deed, n: number, length: number): void {
  const [from = 0, to = 0] = [at.from, at.to].map((x) => Math.floor(x * (length + 1))).sort((a, b) => a - b);
  switch (what) {
    case 'type':
      window.type({ changes: { from, insert: words.join('') } });
      return;
    case 'delete':
      window.type({ changes: { from, to } });
      return;
    case 'restore':
      window.receive(`${restoringHand}${n}`, { from: 0, to: length, insert: words.join('\n') });
      return;
    case 'lines':
      window.receive(`${restoringHand}${n}`, { from, to, insert: words.join('\n') });
      return;
    case 'answer': {
      let end = from;
      for (const piece of words) {
        window.receive(`run ${n}`, { from: end, insert: piece });
        end += piece.length;
      }
    }
  }
}

/** After each deed; the same text twice in a row is no step. */
function performed(window: Window, deeds: readonly Deed[], head: () => string): string[] {
  const texts = [head()];
  for (const [n, deed] of deeds.entries()) {
    perform(window, deed, n, head().length);
    texts.push(head());
  }
  return texts.filter((text, at) => at === 0 || text !== texts[at - 1]);
}

/** Takes each step back, and brings each again, so many at a time. */
function walk(window: Window, texts: readonly string[], head: () => string, meanwhile: () => void): void {
  for (const text of texts.slice(0, -1).toReversed()) {
    meanwhile();
    while (head() !== text && window.undo());
    expect(head()).toBe(text);
  }
  for (const text of texts.slice(1)) {
    meanwhile();
    while (head() !== text && window.redo());
    expect(head()).toBe(text);
  }
}

test('whatever was typed, answered and restored is taken back step by step, and brought again', () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 25 }), (deeds) => {
      const window = createWindow('a', 'one line\nanother');
      const texts = performed(window, deeds, window.text);
      walk(window, texts, window.text, () => undefined);
      expect(window.redo()).toBe(false);
      walk(window, texts, window.text, () => undefined);
    }),
    { numRuns: 500 },
  );
});

test('so it is while an answer is being written below, which stays', () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 15 }), (deeds) => {
      const window = createWindow('a', 'one line\nanother|', new Set(['live']));
      let written = '';
      const answer = () => {
        const insert = `${written.length} `;
        window.receive('live', { from: window.text().length, insert });
        written += insert;
      };
      const head = () => {
        const [text = '', tail] = window.text().split('|');
        expect(tail).toBe(written);
        return text;
      };
      answer();
      const texts = performed(window, deeds, () => {
        answer();
        return head();
      });
      walk(window, texts, head, answer);
    }),
    { numRuns: 300 },
  );
});

test('an answer is one step, also where something was typed into it', () => {
  const live = new Set(['run']);
  const window = createWindow('a', 'question\n', live);
  window.receive('run', { from: 9, insert: 'It is ' });
  window.type({ changes: { from: 12, insert: 'really ' } });
  window.receive('run', { from: 22, insert: 'so.' });
  window.type({ changes: { from: 0, insert: '> ' } });
  window.undo();
  expect(window.text()).toBe('question\nIt really is so.');
  window.undo();
  expect(window.text()).toBe('question\nIt is so.');
  expect(window.undo()).toBe(false);
  live.clear();
  window.undo();
  expect(window.text()).toBe('question\n');
  for (let n = 0; n < 3; n++) window.redo();
  expect(window.text()).toBe('> question\nIt really is so.');
});

function twoWindows(text: string) {
  const [a, b] = [createWindow('a', text), createWindow('b', text)];
  a.others.push(b);
  b.others.push(a);
  const both = (hand: string, change: { from: number; to?: number; insert?: string }) => {
    for (const window of [a, b]) window.receive(hand, change);
  };
  return { a, b, both };
}

test('a restore that is taken back in one window is brought again in the other, and never twice', () => {
  const { a, b, both } = twoWindows('as it was');
  b.type({ changes: { from: 0, insert: 'just ' } });
  both('restore-1', { from: 0, to: 14, insert: 'restored' });
  a.undo();
  expect([a.text(), b.text()]).toEqual(['just as it was', 'just as it was']);
  b.redo();
  expect([a.text(), b.text()]).toEqual(['restored', 'restored']);
  b.undo();
  b.undo();
  expect([a.text(), b.text()]).toEqual(['as it was', 'as it was']);
});

test('two windows that undo and redo in turns stay equal, and what one of them restored is never doubled', () => {
  const press = fc.record({ who: fc.nat(1), what: fc.constantFrom('undo', 'redo', 'type') });
  fc.assert(
    fc.property(fc.array(press, { maxLength: 30 }), (presses) => {
      const { a, b, both } = twoWindows('old');
      both('restore-1', { from: 0, to: 3, insert: 'new' });
      for (const { who, what } of presses) {
        const window = [a, b][who] as Window;
        if (what === 'type') window.type({ changes: { from: 0, insert: '.' } });
        else window[what as 'undo' | 'redo']();
        expect(a.text()).toBe(b.text());
        expect(a.text()).toMatch(/^\.*(old|new)\.*$/);
      }
    }),
    { numRuns: 500 },
  );
});
