import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import type { SaveState } from '../../../../contract/notes';
import { createMissingNote } from './missing-note';

function createWords(hasPending: boolean, keptAs: string | null) {
  const told = {
    saves: [] as SaveState[],
    texts: [] as string[],
    problem: null as string | null,
    locked: false,
  };
  const missing = createMissingNote({
    editor: { state: EditorState.create({ doc: 'typed' }), dispatch: () => undefined },
    hasPending: () => hasPending,
    keep: async (text) => {
      told.texts.push(text);
      return keptAs;
    },
    onReady: (readOnly) => {
      told.locked = readOnly;
    },
    onProblem: (problem) => {
      told.problem = problem;
    },
    tellSave: (save) => told.saves.push(save),
    onKept: () => undefined,
  });
  return { missing, told };
}

test('words that only this window may have are kept once, and said to be', async () => {
  const { missing, told } = createWords(true, 'kept 1');
  await missing.gone('not there');
  await missing.gone('not there');
  expect(told.texts).toEqual(['typed']);
  expect(told.saves).toEqual([{ kind: 'deleted', keptAs: 'kept 1' }]);
  expect(told.locked).toBe(true);
  expect(missing.isKept()).toBe(true);
});

test('where they cannot be kept, the editor takes keys again and says what is wrong', async () => {
  const { missing, told } = createWords(true, null);
  await missing.gone('not there');
  expect(told).toMatchObject({ saves: [], problem: 'not there', locked: false });
  expect([missing.isGone(), missing.isKept()]).toEqual([false, false]);
});

test('with nothing to keep it is said once that the note is gone, until it is back', async () => {
  const { missing, told } = createWords(false, 'kept 1');
  await missing.gone('not there');
  await missing.gone('not there');
  expect(told.saves).toEqual([{ kind: 'deleted' }]);
  missing.back();
  await missing.gone('not there');
  expect(told.saves).toHaveLength(2);
  expect(told.texts).toEqual([]);
});
