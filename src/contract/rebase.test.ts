import { ChangeSet, Text } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type OwnedChange, rebase } from './rebase';

const question = Text.of(['#User : ques']);
const end = question.length;

function changesOf(
  clientId: string,
  doc: Text,
  steps: readonly { at: number; text: string }[],
): OwnedChange[] {
  let now = doc;
  let last: number | null = null;
  return steps.map(({ at, text }) => {
    const changes = ChangeSet.of({ from: at, insert: text }, now.length, '\n');
    now = changes.apply(now);
    const goesOn = last === at && { goesOn: true as const };
    last = at + text.length;
    return { clientId, changes, ...goesOn };
  });
}

/** What both come to: the core, which took `theirs` first, and the window that has `own` on its screen. */
function bothWays(doc: Text, own: readonly OwnedChange[], theirs: readonly OwnedChange[]): [string, string] {
  const apply = (text: Text, list: readonly OwnedChange[]) =>
    list.reduce((now, { changes }) => changes.apply(now), text);
  let left = [...own];
  let shown = apply(doc, own);
  for (const next of theirs) {
    const rebased = rebase(left, next);
    left = rebased.own;
    if (rebased.editorChanges) shown = rebased.editorChanges.apply(shown);
  }
  return [apply(apply(doc, theirs), left).toString(), shown.toString()];
}

const typed = (text: string) => [...text].map((letter, n) => ({ at: end + n, text: letter }));

test.for([
  ['an answer’s tag', typed('tion'), [{ at: end, text: '\n\n#Bot : ' }], '#User : question\n\n#Bot : '],
  [
    'a tag that is written in two steps',
    typed('tion'),
    [
      { at: end, text: '\n\n' },
      { at: end + 2, text: '#Bot : ' },
    ],
    '#User : question\n\n#Bot : ',
  ],
  ['a line of another program', typed('tion'), [{ at: end, text: '\nlog' }], '#User : question\nlog'],
  [
    'words with a line break',
    [{ at: end, text: 'tion\nmore' }],
    [{ at: end, text: '\n\n#Bot : ' }],
    '#User : question\nmore\n\n#Bot : ',
  ],
  [
    'lines that are typed on',
    typed('tion\nmore'),
    [{ at: end, text: '\n\n#Bot : ' }],
    '#User : question\nmore\n\n#Bot : ',
  ],
  // Where an answer grows, a turn that is begun behind it stays behind it.
  [
    'two lines, the core’s first',
    [{ at: end, text: '\n\n#User : ' }],
    [{ at: end, text: '\nmore' }],
    '#User : ques\nmore\n\n#User : ',
  ],
  [
    'two words, the core’s first',
    [{ at: end, text: ' mine' }],
    [{ at: end, text: ' theirs' }],
    '#User : ques theirs mine',
  ],
  [
    'a line that is begun where another word is put',
    [{ at: end, text: '\nmine' }],
    [{ at: end, text: 'tions' }],
    '#User : questions\nmine',
  ],
  [
    'a line that goes on with a word, which the core took first',
    [{ at: end, text: ' mine' }],
    [
      { at: end, text: ' theirs' },
      { at: end + 7, text: '\nmore' },
    ],
    '#User : ques theirs\nmore mine',
  ],
] as const)('at one place at one moment: %s', ([_, own, theirs, text]) => {
  const changes = [changesOf('window', question, own), changesOf('run', question, theirs)] as const;
  expect(bothWays(question, ...changes)).toEqual([text, text]);
});

test('what comes back confirms the first of them, and changes nothing', () => {
  const own = changesOf('window', question, typed('ti'));
  const [first] = own;
  if (!first) throw new Error('Nothing was typed.');
  expect(rebase(own, first)).toEqual({ own: own.slice(1), editorChanges: null });
});

const change = fc.record({
  from: fc.nat(12),
  length: fc.nat(3),
  text: fc.constantFrom('', 'a', 'bc', '\n', '\nd', 'e\n', '\n\n#Bot : '),
});

function anyChanges(
  clientId: string,
  doc: Text,
  steps: readonly { from: number; length: number; text: string }[],
) {
  let now = doc;
  return steps.map(({ from: wish, length, text }) => {
    const from = Math.min(wish, now.length);
    const to = Math.min(from + length, now.length);
    const changes = ChangeSet.of({ from, to, insert: text }, now.length, '\n');
    now = changes.apply(now);
    return { clientId, changes };
  });
}

test('whatever is made at one moment, core and window come to the same text', () => {
  const steps = fc.array(change, { maxLength: 5 });
  fc.assert(
    fc.property(steps, steps, (own, theirs) => {
      const doc = Text.of(['one', 'two', 'three']);
      const [core, window] = bothWays(doc, anyChanges('window', doc, own), anyChanges('run', doc, theirs));
      expect(window).toBe(core);
    }),
    { numRuns: 3_000 },
  );
});
