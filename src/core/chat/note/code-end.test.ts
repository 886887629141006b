import { expect, test } from 'vitest';
import { createMemorySession } from '../../../../tests/chat/support/memory-notes';
import { codeAround } from './around-answer';
import { createCodeEnd, endBelow } from './code-end';
import { createInsertionPoint } from './insertion-point';

const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };

/** What stands above may not matter: nothing that is read as code with one letter less, or more. */
const starts = ['', '~~~\nQ0Q\n~~~\n\n', '#User : hi\n\n'];

/**
 * Code of the model, in which it goes on where `|` stands. `isEnd`: the line that ends the code as the note stands ends it also
 * then. `put`: the end that the answer put there itself.
 */
const verdicts: { what: string; code: string; isEnd: boolean; put?: string }[] = [
  { what: 'directly below it', code: '```js\nM1M|\n```', isEnd: true },
  { what: 'below a blank line', code: '```js\nM1M|\n\n```\n\n#User : NEXT', isEnd: true },
  { what: 'on the line of the place', code: '```js\nM1M\n|```\n\n#User : NEXT', isEnd: true },
  { what: 'on the line of the place, further in', code: '```js\nM1M\n | ```\n', isEnd: true },
  { what: 'the line in which the place is', code: '```js\nM1M\n``|`\n\n#User : NEXT', isEnd: false },
  { what: 'below words of the code', code: '```js\nM1M|\nK1K\n```\n', isEnd: true },
  {
    what: 'its own, below words that the person puts before it',
    code: '```js\nM1M|\nK1K\n```\n\n#User : NEXT',
    put: '\n```',
    isEnd: false,
  },
  {
    what: 'below words behind which a turn would be code',
    code: '```js\nM1M|\nK1K\n```\n\n#User : NEXT',
    isEnd: true,
  },
  {
    what: 'where without it what stands between would be left open',
    code: '```js\nM1M|\n`\n```\n',
    isEnd: true,
  },
  { what: 'the longer line below what looks like one', code: '```js\nM1M|\n`\n`````', isEnd: true },
  { what: 'a line below what looks like a fence', code: '````js\nM1M|\n```\nM2M\n````\n', isEnd: true },
  { what: 'the first of two, a pair of its own', code: '```js\nM1M|\n\n```\n```\n', isEnd: false },
  {
    what: 'the first line of code that the person puts before its own end',
    code: '```js\nM1M|\n\n```\nK1K\n```\n```\n\n#User : NEXT',
    put: '\n```\n\n#',
    isEnd: false,
  },
  {
    what: 'a line behind a tag on the line of the place',
    code: '```js\nM1M| #User : Q9Q\n```',
    isEnd: false,
  },
  {
    what: 'the first line of code of the person below their turn',
    code: '```js\nM1M|\n\n#User : Q9Q\n\n```\nQ8Q',
    isEnd: false,
  },
  {
    what: 'a line above a turn that would be code with another end',
    code: '```js\nM1M|\n#User : Q1Q\n```\n#User : NEXT\n```\n',
    isEnd: true,
  },
  {
    what: 'a line below a turn that has come up to the end that the answer put there',
    code: '```js\nM1M|\n```#User : NEXT\n\n```js\nQ1Q\n```\n',
    put: '\n```',
    isEnd: false,
  },
  {
    what: 'a line of others above the one that the answer put there',
    code: '```js\nM1M|\nM2M\n```\nK1K\n```\n\n#User : NEXT',
    put: '\n```\n\n#',
    isEnd: true,
  },
];

for (const start of starts)
  test.each(verdicts)(`below ${JSON.stringify(start)}, whether this ends the code: $what`, (verdict) => {
    const note = `${start}#Claude : A1A\n\n${verdict.code}`;
    const at = note.indexOf('|');
    const text = note.replace('|', '');
    const code = codeAround(text, at, tags);
    if (!code?.end) throw new Error('It is no code with an end.');
    const from = verdict.put === undefined ? -1 : text.indexOf(verdict.put, at);
    const put = verdict.put === undefined ? null : { from, to: from + '\n```'.length };
    const end = endBelow(text, at, { fence: code.fence, end: code.end, tags, put, isWithin: true });
    expect(end).toEqual(verdict.isEnd ? code.end : null);
  });

/** An answer at `|`, which has put an end there where `fence` is given. */
function codeIn(note: string, fence = '') {
  const session = createMemorySession('A.md', note.replace('|', ''), Date.now);
  const point = createInsertionPoint(session, 'hand', note.indexOf('|'));
  const codeEnd = createCodeEnd(session, point, tags);
  codeEnd.become(fence);
  const shown = () =>
    `${session.text().slice(0, point.position())}|${session.text().slice(point.position())}`;
  return {
    ...{ session, point, codeEnd, shown },
    type(there: string, words: string) {
      const at = session.text().indexOf(there.replace('|', ''));
      expect(at).not.toBe(-1);
      session.edit('person', { from: at + there.indexOf('|'), insert: words });
    },
    takeAway(words: string) {
      const from = session.text().indexOf(words);
      expect(from).not.toBe(-1);
      session.edit('person', { from, to: from + words.length, insert: '' });
    },
    takeOver() {
      const code = codeAround(session.text(), point.position(), tags);
      if (!code?.end) throw new Error('It is no code with an end.');
      codeEnd.takeOver(code.end, code.fence);
    },
    held() {
      const { from, to } = codeEnd.place() ?? { from: 0, to: 0 };
      return session.text().slice(from, to);
    },
  };
}

test('an answer goes on above the end of another, on whose line it puts nothing', () => {
  const { shown, takeOver, held, codeEnd } = codeIn('#Claude : A1A\n\n```js\nM1M|\n\n````\n\n#User : NEXT');
  takeOver();
  expect(shown()).toBe('#Claude : A1A\n\n```js\nM1M\n|\n````\n\n#User : NEXT');
  expect(held()).toBe('\n````');
  codeEnd.become('');
  expect(shown()).toBe('#Claude : A1A\n\n```js\nM1M\n|\n\n#User : NEXT');
});

test('directly above the end of another it goes on where it is', () => {
  const { shown, takeOver, held, session } = codeIn('#Claude : A1A\n\n```js\nM1M|\n```\n\n#User : NEXT');
  takeOver();
  expect(shown()).toBe('#Claude : A1A\n\n```js\nM1M|\n```\n\n#User : NEXT');
  expect(held()).toBe('\n```');
  expect(session.edits).toEqual([]);
});

test.each(['|```', '  |```', '| ```'])(
  'at the beginning of the line that ends its code it goes on above that line: %s',
  (line) => {
    const { shown, takeOver, held, codeEnd } = codeIn(`#Claude : A1A\n\n\`\`\`js\n${line}\n\n#User : NEXT`);
    takeOver();
    const end = line.replace('|', '');
    expect(shown()).toBe(`#Claude : A1A\n\n\`\`\`js\n|\n${end}\n\n#User : NEXT`);
    expect(held()).toBe(`\n${end}`);
    codeEnd.become('');
    expect(shown()).toBe('#Claude : A1A\n\n```js\n|\n\n#User : NEXT');
  },
);

test('its own end stays the one that it holds, also where somebody puts a blank line before it', () => {
  const { shown, takeOver, held, type } = codeIn('#Claude : A1A\n\n```js\nM1M|\n\n#User : NEXT', '```');
  type('\n|```\n', '\n');
  takeOver();
  expect(shown()).toBe('#Claude : A1A\n\n```js\nM1M|\n\n```\n\n#User : NEXT');
  expect(held()).toBe('\n\n```');
});

test('the end of another that it takes over makes its own go', () => {
  const { shown, takeOver, type } = codeIn('#Claude : A1A\n\n```js\nM1M|\n\n#User : NEXT', '```');
  type('M1M|', '\n\n````');
  takeOver();
  expect(shown()).toBe('#Claude : A1A\n\n```js\nM1M\n|\n````\n\n#User : NEXT');
});

for (const start of starts) {
  const above = `${start}#Claude : A1A\n\n`;

  test(`below ${JSON.stringify(start)}, an end that ends nothing of others goes when it is left`, () => {
    const { shown, type, codeEnd } = codeIn(`${above}\`\`\`js\nM1M|\n\n#User : NEXT`, '```');
    type('M1M|', '\nK1K');
    codeEnd.leave();
    expect(shown()).toBe(`${above}\`\`\`js\nM1M|\nK1K\n\n#User : NEXT`);
    expect(codeEnd.place()).toBeNull();
  });

  test(`below ${JSON.stringify(start)}, an end that goes at the end of the note leaves no code there`, () => {
    const { shown, type, codeEnd } = codeIn(`${above}\`\`\`js\nM1M|`, '```');
    type('M1M|', '\nK1K');
    codeEnd.leave();
    expect(shown()).toBe(`${above}\`\`\`js\nM1M|\nK1K`);
  });

  test(`below ${JSON.stringify(start)}, an end by which code of others ends by now is theirs when it is left`, () => {
    const { shown, type, codeEnd } = codeIn(`${above}\`\`\`js\nM1M|\n\n#User : NEXT`, '```');
    type('M1M|', '\n\n#User : Q9Q\n\n```js\nQ8Q');
    const before = shown();
    codeEnd.leave();
    expect(shown()).toBe(before);
    expect(codeEnd.place()).toBeNull();
  });

  test(`below ${JSON.stringify(start)}, so it is where the code above has come to be none`, () => {
    const { shown, type, takeAway, codeEnd } = codeIn(`${above}\`\`\`js\nM1M|\n\n#User : NEXT`, '```');
    takeAway('```js\n');
    type('M1M|', '\n\n#User : Q9Q\n\n```js\nQ8Q');
    const before = shown();
    codeEnd.leave();
    expect(shown()).toBe(before);
  });
}

test('an end directly behind the place goes in any case: nobody has put anything between', () => {
  const note = '#Claude : A1A\n\n- a\n  ```js\n  M1M|\n    #User : NEXT';
  const { shown, codeEnd, takeAway } = codeIn(note, '  ```');
  takeAway('```js\n');
  codeEnd.leave();
  expect(shown()).toBe('#Claude : A1A\n\n- a\n    M1M|\n    #User : NEXT');
});
