import { EditorState, type TransactionSpec } from '@codemirror/state';
import { expect, test } from 'vitest';
import type { SeenState } from '../../../../contract/notes';
import { createOutbox, type PushRequest } from './outbox';
import { join, receive, unconfirmed, unconfirmedChanges } from './unconfirmed';

function createTyped() {
  let state = EditorState.create({ extensions: [unconfirmedChanges] });
  const editor = {
    get state() {
      return state;
    },
    dispatch(...specs: TransactionSpec[]) {
      state = state.update(...specs).state;
    },
  };
  editor.dispatch({ effects: join(0, 'me') });
  const requests: PushRequest[] = [];
  const note = { seen: { sessionId: 's', version: 0 } as SeenState | null };
  const outbox = createOutbox({
    editor,
    clientId: 'me',
    seen: () => note.seen,
    push: (request) => requests.push(request),
  });
  const type = (insert: string) => {
    editor.dispatch({ changes: { from: editor.state.doc.length, insert } });
    outbox.pushPending();
  };
  /** As the first of what was sent comes back through the stream. */
  const comeBack = () => {
    const [first] = unconfirmed(editor.state);
    if (first) editor.dispatch(receive(editor.state, [first]));
    outbox.settle();
  };
  return { note, outbox, requests, type, comeBack };
}

test('the next batch waits until the last was acknowledged and has come back', () => {
  const { outbox, requests, type, comeBack } = createTyped();
  type('a');
  type('b');
  expect(requests.map(({ updates }) => updates.length)).toEqual([1]);
  outbox.acknowledged(1, 1);
  expect(requests).toHaveLength(1);
  comeBack();
  expect(requests.map(({ attempt, updates }) => [attempt, updates.length])).toEqual([
    [1, 1],
    [2, 1],
  ]);
});

test('an answer to another batch than the one on its way changes nothing', () => {
  const { outbox, requests, type, comeBack } = createTyped();
  type('a');
  outbox.forget();
  type('b');
  expect(requests.map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(outbox.refused(1)).toBe(false);
  outbox.acknowledged(1, 1);
  comeBack();
  expect(requests).toHaveLength(2);
  expect(outbox.refused(2)).toBe(true);
});

test('what was sent counts as sent until it is confirmed, also where it is sent once more', () => {
  const { note, outbox, type } = createTyped();
  type('a');
  note.seen = null;
  outbox.forget();
  type('b');
  expect(outbox.sent()).toBe(1);
  outbox.confirmed(2);
  expect(outbox.sent()).toBe(0);
});
