import { expect, test } from 'vitest';
import { codeAround, outdentBelow, partFromBelow, turnCutAt, wantedAt } from './around-answer';

const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };

/** The place is where `|` stands. */
function placed(note: string): [text: string, at: number] {
  const at = note.indexOf('|');
  return [note.replace('|', ''), at];
}

test.each([
  ['its own tag, with which the note begins', '#Claude : ', { closing: '', tag: '' }],
  ['its own words', '#User : hi\n\n#Claude : M1M', { closing: '', tag: '' }],
  ['no more than the name of its tag', '#User : hi\n\n#Claude', { closing: '', tag: ' : ' }],
  ['its tag without a blank', '#User : hi\n\n#Claude:', { closing: '', tag: ' ' }],
  ['nothing', '', { closing: '', tag: '#Claude : ' }],
  ['words of the person', '#User : hi', { closing: '', tag: '\n\n#Claude : ' }],
  ['a line of the person', '#User : hi\n', { closing: '', tag: '\n#Claude : ' }],
  ['a paragraph of the person', '#User : hi\n\n', { closing: '', tag: '#Claude : ' }],
  ['a new chat', '#Claude : A1A\n\n#NewChat', { closing: '', tag: '\n\n#Claude : ' }],
  [
    'a new chat below another one',
    '#NewChat\n\n#Claude : A1A\n\n#NewChat\n\n',
    { closing: '', tag: '#Claude : ' },
  ],
  ['its words in a new chat', '#NewChat\n\n#NewChat\n\n#Claude : M1M', { closing: '', tag: '' }],
  ['code of the person', '#User : hi\n\n~~~~\nQ1Q', { closing: '~~~~', tag: '#Claude : ' }],
  ['code of others in its turn', '#Claude : M1M\n\n```\nK1K', { closing: '```', tag: '' }],
])('below %s an answer wants what makes it its own', (_what, above, wanted) => {
  expect(wantedAt(above, { tags, tag: 'Claude', isInOwn: false })).toEqual(wanted);
});

test('in its own code it wants nothing', () => {
  const above = '#Claude : M1M\n\n```\nM2M';
  expect(wantedAt(above, { tags, tag: 'Claude', isInOwn: true })).toEqual({ closing: '', tag: '' });
});

/** What the code begins with, what ends it and whether it is the model's; null: the place is in none. */
test.each<[string, string, { begin: string; end: string | null; isModels: boolean } | null]>([
  ['within words', '#Claude : M1|M', null],
  ['with which the note begins', '```js\n|Q1Q\n```\n', { begin: '```js\n', end: '\n```', isModels: false }],
  ['of the person', '#User : hi\n\n```\nQ1Q|\n```', { begin: '```\nQ1Q', end: '\n```', isModels: false }],
  ['of the model', '#Claude : A\n\n```\nM1M|\n```', { begin: '```\nM1M', end: '\n```', isModels: true }],
  [
    'in which a tag stands',
    '#User : hi\n\n```\n#Claude : Q1Q|\n```',
    { begin: '```\n#Claude', end: '\n```', isModels: false },
  ],
  [
    'below other code',
    '```\nQ1Q\n```\n\n#Claude : A\n\n~~~\nM1M|\n~~~\n\n```\nQ2Q\n```\n',
    { begin: '~~~\nM1M', end: '\n~~~', isModels: true },
  ],
  ['that nothing ends', '#Claude : A\n\n```\nM1M|', { begin: '```\nM1M', end: null, isModels: true }],
  [
    'of which only the fence stands there',
    '#Claude : A\n\n```|',
    { begin: '```', end: null, isModels: true },
  ],
  [
    'at whose end the note has a blank line',
    '#Claude : A\n\n```\nM1M\n|',
    { begin: '```\nM1M', end: null, isModels: true },
  ],
  [
    'of which only the fence stands there, above a blank line',
    '#Claude : A\n\n```\n|',
    { begin: '```', end: null, isModels: true },
  ],
  [
    'that ends with its list',
    '#Claude : A\n\n- ```\n  M1M|\nM2M',
    { begin: '```\n  M1M', end: null, isModels: true },
  ],
  ['in front of its fence', '#Claude : A\n\n|```\nM1M\n```', null],
  ['within its fence', '#Claude : A\n\n``|`\nM1M\n```', null],
  ['behind the line that ends it', '#Claude : A\n\n```\nM1M\n```|', null],
  ['in a list that ends', '#Claude : A\n\n- ```\n  M1M\n|```\nM2M\n```', null],
])('of a place it is told in which code it lies: %s', (_what, note, expected) => {
  const [text, at] = placed(note);
  const code = codeAround(text, at, tags);
  const told = code && {
    begin: text.slice(code.from, code.from + (expected?.begin.length ?? 0)),
    end: code.end && text.slice(code.end.from, code.end.to),
    isModels: code.isModels,
  };
  expect(told).toEqual(expected);
});

test.each([
  ['in the name of a tag', '#User : hi\n\n#Cl|aude : A1A', true],
  ['in the name of the person’s tag', 'Hm.\n\n#Us|er : hi', true],
  ['between the person’s tag and their words', 'Hm.\n\n#User :| hi', true],
  ['in front of a tag', '#User : hi\n\n|#Claude : A1A', false],
  ['in front of the person’s tag', 'Hm.\n\n|#User : hi', false],
  ['between a model’s tag and its words', '#User : hi\n\n#Claude :| A1A', false],
  ['behind a tag of the person that waits', 'Hm.\n\n#User :|  ', false],
  ['in the words', '#User : h|i', false],
])('a place cuts a turn where words there would take it apart: %s', (_what, note, isCut) => {
  const [text, at] = placed(note);
  expect(turnCutAt(text, at, tags)).toBe(isCut ? text.lastIndexOf('#') : null);
});

test.each([
  ['a turn that would be code in a list', '#Claude : A\n\n- a|\n\n    #User : NEXT', '#User : NEXT'],
  ['code in which a tag stands', '#User : hi|\n\n    #User : x\n', '    #User : x\n'],
  ['code that begins with that mark', '#User : hi|\n\n    #include <x>\n', '    #include <x>\n'],
  ['a turn at the start of its line', '#Claude : M1M|\n\n#User : NEXT', '#User : NEXT'],
])('only what is a turn is moved to the start of its line: %s', (_what, note, below) => {
  const [text, at] = placed(note);
  const { from = 0, to = 0 } = outdentBelow(text, at, tags) ?? {};
  const after = text.slice(0, from) + text.slice(to);
  expect(after.slice(after.indexOf('\n\n', at) + 2)).toBe(below);
});

test.each([
  ['nothing', '#Claude : M1M|\n\n#User : NEXT', null],
  ['a tag', '#Claude : M1M|#User : NEXT', '#Claude : M1M|\n\n#User : NEXT'],
  ['a tag further in', '#Claude : M1M|     #User : NEXT', '#Claude : M1M|\n\n#User : NEXT'],
  ['words', '#Claude : M1M| K1K', '#Claude : M1M|\n\n K1K'],
  ['the rest of a fence', '#Claude : A\n\n``|`\nK1K', '#Claude : A\n\n```\n\n|\nK1K'],
  ['the rest of the fence with which the note begins', '``|`\nK1K', '```\n\n|\nK1K'],
  ['the rest of a fence with words behind it', '~|~~ K1K\nK2K', '~~~ K1K\n\n|\nK2K'],
])('what others put behind the answer gets a line of its own, whole: %s', (_what, note, after) => {
  const [text, at] = placed(note);
  const parting = partFromBelow(text, at, at);
  if (!parting) {
    expect(after).toBeNull();
    return;
  }
  const { from, to = from, insert } = parting.change;
  const changed = text.slice(0, from) + insert + text.slice(to);
  expect(`${changed.slice(0, parting.at)}|${changed.slice(parting.at)}`).toBe(after);
});

test('a line of others that ends code is not made longer by an answer', () => {
  const [text, at] = placed('#Claude : M1M\n\n```\nK1K\n```|');
  const below = { change: { from: at, insert: '\n\n' }, at: at + 2 };
  expect(partFromBelow(text, at, '#Claude : M1M'.length)).toEqual(below);
  // It wrote that line itself.
  expect(partFromBelow(text, at, at)).toBeNull();
});
