import { expect, test } from 'vitest';
import { createMemorySession } from '../../../../tests/chat/support/memory-notes';
import { openFence, parseConversation, scanBlocks } from '../../../markdown';
import { createAnswerCursor } from './answer-cursor';

const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };

/** An answer that goes on where `|` stands. */
function cursorIn(note: string, isTakenUp?: boolean) {
  const session = createMemorySession('A.md', note.replace('|', ''), Date.now);
  const cursor = createAnswerCursor({
    ...{ session, clientId: 'run', at: note.indexOf('|'), tags, tag: 'Claude' },
    ...(isTakenUp !== undefined && { isTakenUp }),
  });
  const shown = () =>
    `${session.text().slice(0, cursor.position())}|${session.text().slice(cursor.position())}`;
  return {
    ...{ session, cursor, shown },
    /** As somebody does it. */
    change(words: string, instead: string) {
      const from = session.text().indexOf(words);
      expect(from, session.text()).not.toBe(-1);
      session.edit('person', { from, to: from + words.length, insert: instead });
    },
    /** What the words are: of whom, and whether in code. */
    read(words: string) {
      const text = session.text();
      const at = text.indexOf(words);
      const turn = parseConversation(text, tags, []).turns.find(({ from, to }) => from <= at && at < to);
      const isCode = scanBlocks(text).some(
        ({ kind, from, to }) => kind === 'fence' && from <= at && at <= to,
      );
      return `${turn?.role}${isCode ? ' in code' : ''}`;
    },
  };
}

test('a new answer knows the note, in which it changes nothing; one that is taken up looks at it first', () => {
  const note = '#User : hi\n\n#Claude : |\n    #User : NEXT\n';
  for (const isTakenUp of [undefined, false]) {
    const { cursor, shown } = cursorIn(note, isTakenUp);
    expect(cursor.isSettled()).toBe(true);
    expect(cursor.settle('')).toBe(false);
    expect(shown()).toBe(note);
  }
  const { cursor, shown } = cursorIn(note, true);
  expect(cursor.isSettled()).toBe(false);
  cursor.settle('');
  expect(shown()).toBe(note.replace('    #User', '#User'));
});

test('one that is taken up in the turn of another begins its own', () => {
  const { cursor, shown } = cursorIn('#Claude : A1A\n\n#User : hi|\n', true);
  expect(cursor.settle('')).toBe(true);
  expect(shown()).toBe('#Claude : A1A\n\n#User : hi\n\n#Claude : |\n');
});

test('the note is looked at again once something is written below what others changed, and then it is known', () => {
  const { cursor, change } = cursorIn('#User : hi\n\n#Claude : |');
  change('hi', 'hi there');
  expect(cursor.isSettled()).toBe(false);
  expect(cursor.settle('')).toBe(false);
  expect(cursor.isSettled()).toBe(false);
  cursor.insert('M1M');
  expect(cursor.settle('')).toBe(false);
  expect(cursor.isSettled()).toBe(true);
});

test('an answer that others took the tag from begins anew below a tag of its own', () => {
  const { cursor, change, shown } = cursorIn('#User : hi\n\n#Claude : |\n\n#User : NEXT');
  cursor.insert('M1M');
  change('#Claude : ', '');
  expect(cursor.settle('')).toBe(true);
  expect(shown()).toBe('#User : hi\n\nM1M\n\n#Claude : |\n\n#User : NEXT');
});

test('an answer that is in its turn still goes on', () => {
  const { cursor, change, shown } = cursorIn('#User : hi\n\n#Claude : |\n\n#User : NEXT');
  cursor.insert('M1M');
  change('hi', 'hi there');
  expect(cursor.settle('')).toBe(false);
  expect(shown()).toBe('#User : hi there\n\n#Claude : M1M|\n\n#User : NEXT');
});

test('code of others that opens above it is ended, and it begins anew outside of that', () => {
  const { session, cursor, read } = cursorIn('#User : hi\n\n#Claude : |\n\n#User : NEXT');
  cursor.insert('\n\nM1M');
  session.edit('person', { from: session.text().indexOf('M1M'), insert: '```\nK1K\n\n' });
  expect(cursor.settle('')).toBe(true);
  cursor.insert('M2M');
  expect(read('M2M')).toBe('assistant');
  expect(read('NEXT')).toBe('user');
});

test.each([
  ['opens code above that ends nowhere', 'hi', 'hi\n\n~~~~\nK1K'],
  ['takes the tag away', '#Claude : ', ''],
  ['asks above it', '#Claude : ', '#Claude : A1A\n\n#User : Q9Q\n\n'],
])('its own code goes on as code of its own where somebody %s', (_what, words, instead) => {
  const { session, cursor, change, read } = cursorIn('#User : hi\n\n#Claude : |');
  cursor.insert('\n\n```js\nM1M', '```');
  change(words, instead);
  // It goes on in the middle of its text, though in a new turn.
  expect(cursor.settle('```')).toBe(false);
  cursor.insert('M2M', '```');
  expect(read('M2M'), session.text()).toBe('assistant in code');
  cursor.insert('\n```\nM3M');
  expect(read('M3M'), session.text()).toBe('assistant');
  expect(openFence(session.text())).toBe('');
});

test('its own code goes on where it is though somebody took away the line that ends it', () => {
  const { cursor, change, shown } = cursorIn('#User : hi\n\n#Claude : |\n\n#User : NEXT');
  cursor.insert('\n\n```js\nM1M', '```');
  change('\n```\n\n#User', '\n\n#User');
  expect(cursor.settle('```')).toBe(false);
  cursor.insert('\nM2M', '```');
  expect(shown()).toBe('#User : hi\n\n#Claude : \n\n```js\nM1M\nM2M|\n```\n\n#User : NEXT');
});

test('its own code goes on where it is though somebody took away its last line with the end of the note', () => {
  const { cursor, change, shown } = cursorIn('#User : hi\n\n#Claude : |');
  cursor.insert('\n\n```js\nM1M', '```');
  change('M1M\n```', '');
  expect(cursor.settle('```')).toBe(false);
  cursor.insert('M2M', '```');
  expect(shown()).toBe('#User : hi\n\n#Claude : \n\n```js\nM2M|\n```');
});

test('code with which it begins is its own, where it was taken up without a tag above it', () => {
  const { cursor, change, shown } = cursorIn('#User : hi\n\n#Claude : A1A\n\n|\n\n#User : NEXT');
  cursor.insert('```js\nM1M', '```');
  change('hi', 'hi there');
  expect(cursor.settle('```')).toBe(false);
  cursor.insert('\nM2M', '```');
  expect(shown()).toBe('#User : hi there\n\n#Claude : A1A\n\n```js\nM1M\nM2M|\n```\n\n#User : NEXT');
});

/** Takes out what stands from `OLD` up to the tag of the new answer. */
function takesOut(note: string, old: { insert?: string; parting?: number } = {}) {
  const { session, cursor } = cursorIn(note);
  const from = session.text().indexOf('#Claude : OLD');
  const to = session.text().lastIndexOf('#Claude');
  cursor.takeOut({ from, to, insert: '', parting: 0, ...old });
  return session;
}

test('an old answer goes where the new one stands in its place then', () => {
  const session = takesOut('#User : hi\n\n#Claude : OLD\n\n#Claude : M1M|\n');
  expect(session.text()).toBe('#User : hi\n\n#Claude : M1M\n');
  // Whoever finds the note after a crash looks where that hand wrote last.
  expect(session.insertedSince(0, 'person')?.at(-1)).toMatchObject({ to: session.text().length - 1 });
});

test('line breaks come in its place where it stood in the line of its question', () => {
  const note = '#User : hi #Claude : OLD\n\n#Claude : M1M|\n';
  expect(takesOut(note, { insert: '\n\n' }).text()).toBe('#User : hi \n\n#Claude : M1M\n');
});

test.each([
  [
    'somebody asks between',
    '#User : hi\n\n#Claude : OLD\n\n#Claude : A1A\n\n#User : Q9Q\n\n#Claude : M1M|\n',
    'A1A',
  ],
  [
    'the new words stand in another turn',
    '#User : hi\n\n#Claude : OLD\n\n#Claude : \n\n#User : M1M|\n',
    '#User : M',
  ],
  [
    'the new words stand in the code that it began',
    '#User : hi\n\n```\nQ1Q\n```\n\n#Claude : OLD\n\n```\n\n#Claude : M1M|\n',
    '',
  ],
])(
  'an old answer stays where without it the new one would not stand in its place: %s',
  (_what, note, before) => {
    const { session, cursor } = cursorIn(note);
    const from = session.text().indexOf('#Claude : OLD');
    const to =
      before === '' ? session.text().lastIndexOf('#Claude') : session.text().indexOf('#Claude', from + 3);
    cursor.takeOut({ from, to, insert: '', parting: 0 });
    expect(session.text()).toBe(note.replace('|', ''));
  },
);
