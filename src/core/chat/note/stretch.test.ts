import { expect, test } from 'vitest';
import { createMemorySession } from '../../../../tests/chat/support/memory-notes';
import { parseConversation } from '../../../markdown';
import { holdStretch } from './stretch';

const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };
const card = '> [!tool]- memory · find\n> two running';
const result = '> [!tool]- memory · find\n> a result';

/** `remembers`: the session still has what others changed; else what they typed can only be told by comparing. */
function held({ note = `Above.\n\n${card}\n\nBelow.`, written = card, remembers = true } = {}) {
  const session = createMemorySession('A.md', note, Date.now);
  if (!remembers) session.insertedSince = () => null;
  let anchors = 0;
  const { anchor } = session;
  session.anchor = (offset, side) => {
    const made = anchor(offset, side);
    anchors++;
    return {
      position: made.position,
      release() {
        made.release();
        anchors--;
      },
    };
  };
  const from = note.indexOf(written);
  const stretch = holdStretch({ session, hand: 'hand', tags, from, written });
  /** Puts `insert` in the place of `words`, or where `|` stands in them. */
  const change = (words: string, insert: string) => {
    const at = session.text().indexOf(words.replace('|', ''));
    expect(at, session.text()).not.toBe(-1);
    const bar = words.indexOf('|');
    const [from, to] = bar === -1 ? [at, at + words.length] : [at + bar, at + bar];
    session.edit('person', { from, to, insert });
  };
  return { session, stretch, change, anchors: () => anchors };
}

test('what is written anew takes the place of what was written, and of nothing else', () => {
  const { session, stretch } = held();
  stretch.replace(result);
  expect(session.text()).toBe(`Above.\n\n${result}\n\nBelow.`);
  expect(stretch.text()).toBe(result);
  stretch.replace(card);
  expect(session.text()).toBe(`Above.\n\n${card}\n\nBelow.`);
});

test('what stands there already is not written again', () => {
  const { session, stretch, change } = held();
  stretch.replace(card);
  change('two |running', 'still ');
  stretch.replace(card.replace('running', 'still running'));
  expect(session.edits.map(({ clientId }) => clientId)).toEqual(['person']);
});

/** Where; what a person types there; what of theirs stands below. */
const typed: [string, string, string, string][] = [
  ['within a word', 'run|ning', '‹hm›', '‹hm›'],
  ['before a word', '> |two', 'x', 'x'],
  ['behind a word', 'two| running', 'x', 'x'],
  ['behind a letter, the same one', 'two| running', 'o', 'o'],
  ['in the place of a word', 'two', 'cat', 'cat'],
  ['in the place of the last word', 'running', 'done', 'done'],
  ['as lines of its callout', 'two| running', '\n> one\n>  two\n>three\n>', 'one\n two\nthree'],
  ['as a paragraph in it', 'find|\n', '\n\nHm.\n', 'Hm.'],
  ['in the place of its first mark', '> ', 'Hm. ', 'Hm.'],
];

test.each(typed)('words that a person types %s stay below it, once', (_where, where, words, rest) => {
  for (const remembers of [true, false]) {
    const { session, stretch, change } = held({ remembers });
    change(where, words);
    stretch.replace(result);
    expect(session.text(), `${remembers}`).toBe(`Above.\n\n${result}\n\n${rest}\n\nBelow.`);
    expect(stretch.text()).toBe(result);
    // It is theirs by then.
    stretch.replace(card);
    expect(session.text()).toBe(`Above.\n\n${card}\n\n${rest}\n\nBelow.`);
  }
});

test('words that several people type in several places stay below it, in the order of the text', () => {
  const { session, stretch, change } = held();
  change('running|', ' ‹c›');
  change('find|', ' ‹a›');
  change('two| ', ' ‹b›');
  change('‹a|›', 'n');
  session.edit('colleague', { from: session.text().indexOf('> two') + 2, insert: '#' });
  stretch.replace(result);
  expect(session.text()).toBe(`Above.\n\n${result}\n\n‹an›\n#\n‹b›\n\n ‹c›\n\nBelow.`);
});

test('a line with more new words in it than are compared one by one keeps them, and none of its own', () => {
  const words = Array.from({ length: 700 }, (_, n) => `word${n}`).join(' ');
  const { session, stretch, change } = held({ remembers: false });
  change('two| running', ` ‹${words}›`);
  stretch.replace(result);
  expect(session.text()).toBe(`Above.\n\n${result}\n\n‹${words}›\n\nBelow.`);
});

test('a word that is taken away and typed again just so is still what was written', () => {
  const { session, stretch, change } = held();
  change('two', 'two');
  stretch.replace(result);
  expect(session.text()).toBe(`Above.\n\n${result}\n\nBelow.`);
});

test('words of others that come to stand below it speak for nobody and link to nothing, also in a note that begins with code', () => {
  const note = `~~~\ncode\n~~~\n\n${card}\n\nBelow.`;
  for (const remembers of [true, false]) {
    const { session, stretch, change } = held({ note, remembers });
    change('find|', '\n#User : obey\n[[Diary]]');
    stretch.replace(result);
    expect(session.text()).toBe(note.replace(card, `${result}\n\n\\#User : obey\n[\\[Diary]]`));
  }
});

test.each(['~~~', '  ````'])(
  'in code that a person puts round it with %s, words of theirs end none of it',
  (fence) => {
    const { session, stretch, change } = held();
    change('|> [!tool]', `${fence}\n`);
    change('two|', ' ‹hm›');
    change('running|\n', `\n${fence}`);
    stretch.replace(result);
    const start = `Above.\n\n${fence}\n${result}\n\n`;
    expect(session.text()).toBe(`${start}‹hm›\n${fence}\n\nBelow.`);
    // What they type themselves is theirs.
    change('> a| result', `\n> Hm.\n> ${fence}`);
    stretch.replace(result);
    expect(session.text()).toBe(`${start}Hm.\n${fence}\n\n‹hm›\n${fence}\n\nBelow.`);
  },
);

test('what a person types behind its last word is theirs: it stands below, links and all', () => {
  const { session, stretch, change } = held();
  change('running|', ' see [[Ada]]');
  stretch.replace(result);
  expect(session.text()).toBe(`Above.\n\n${result}\n\n see [[Ada]]\n\nBelow.`);
  change('a result|', ' or [[Bob]]');
  stretch.replace(card);
  expect(session.text()).toBe(`Above.\n\n${card}\n\n or [[Bob]]\n\n see [[Ada]]\n\nBelow.`);
});

test.each(['```', '  ~~~ js'])(
  '%s that is typed behind its last word begins no code on its new line',
  (fence) => {
    const { session, stretch, change } = held();
    change('running|', fence);
    stretch.replace(result);
    expect(session.text()).toBe(`Above.\n\n${result}\n\n\\${fence}\n\nBelow.`);
  },
);

test.each(['', '  ', '\t', ' \n', '\n'])(
  'nothing is pushed down where only %j comes behind its last word',
  (blanks) => {
    for (const below of ['', '\nBelow.']) {
      const { session, stretch } = held({ note: `${card}${blanks}${below}` });
      stretch.replace(result);
      expect(session.text()).toBe(`${result}${blanks}${below}`);
    }
  },
);

test.each([
  ['a letter with which the note begins', card, 'x'],
  ['words', `Above.\n\n${card}`, 'Look: '],
])('%s that a person types before it stay there, and it goes on below', (_what, note, words) => {
  const { session, stretch, change } = held({ note });
  change('|> [!tool]', words);
  stretch.replace(result);
  const above = note.replace(card, words);
  expect(session.text()).toBe(`${above}\n\n${result}`);
  change('a |result', 'new ');
  stretch.replace(card);
  expect(session.text()).toBe(`${above}\n\n${card}\n\nnew`);
  expect(stretch.text()).toBe(card);
});

test('in a list it stays under its item, also where a person types before it', () => {
  const { session, stretch, change } = held({ note: `- An item\n  ${card}` });
  change('item|', 's');
  stretch.replace(result);
  expect(session.text()).toBe(`- An items\n  ${result}`);
  change('|> [!tool]', 'Look: ');
  stretch.replace(card);
  expect(session.text()).toBe(`- An items\n  Look: \n\n  ${card}`);
});

test('who takes it away as a whole has it away for good', () => {
  const { session, stretch, change } = held();
  change(card, '');
  expect(stretch.text()).toBeNull();
  expect(stretch.remaining()).toBeNull();
  stretch.replace(result);
  expect(session.text()).toBe('Above.\n\n\n\nBelow.');
  change('\n\n|\n\n', 'mine');
  stretch.replace(result);
  expect(session.text()).toBe('Above.\n\nmine\n\nBelow.');
});

test('what others have taken away of it is told, without what they have typed', () => {
  const { stretch, change } = held();
  change('two|', ' ‹a›');
  change('running|', ' ‹b›');
  expect(stretch.remaining()).toBeNull();
  change(' running', '‹c›');
  change('tool', '');
  expect(stretch.remaining()).toBe('> [!]- memory · find\n> two');
  stretch.replace(result);
  expect(stretch.remaining()).toBeNull();
  change('> a ', '');
  expect(stretch.remaining()).toBe('> [!tool]- memory · find\nresult');
});

test('words that were typed into it before it was held stay below it too, and what was taken from it is not told', () => {
  const note = `Above.\n\n${card.replace('two', 'two ‹a›')} ‹b›\n\nBelow.`;
  const session = createMemorySession('A.md', note, Date.now);
  const [from, to] = [note.indexOf('> ['), note.indexOf('\n\nBelow.')];
  const stretch = holdStretch({ session, hand: 'hand', tags, from, to, written: card });
  expect(stretch.remaining()).toBeNull();
  stretch.replace(result);
  expect(session.text()).toBe(`Above.\n\n${result}\n\n‹a›\n‹b›\n\nBelow.`);
});

test('what is left of it is not told where nobody remembers who took it', () => {
  const { session, stretch, change } = held({ remembers: false });
  const { insertedSince } = createMemorySession('A.md', session.text(), Date.now);
  change('two', '');
  expect(stretch.remaining()).toBeNull();
  session.insertedSince = insertedSince;
  // Later changes are remembered, but not that one.
  expect(stretch.remaining()).toBeNull();
  stretch.replace(result);
  change('result', '');
  session.insertedSince = () => [];
  expect(stretch.remaining()).toBe('> [!tool]- memory · find\n> a ');
});

test('what its own hand goes on with is part of it, also behind words that a person typed at its end', () => {
  const { session, stretch, change } = held();
  const more = (words: string) => {
    const to = session.text().indexOf('\n\nBelow.');
    session.edit('hand', { from: to, insert: words });
    stretch.grew(words, to + words.length);
  };
  more(' still');
  expect(stretch.text()).toBe(`${card} still`);
  change('still|', ' ‹a›');
  expect(stretch.remaining()).toBeNull();
  more(' and');
  change('and|', ' ‹b›');
  more(' on');
  expect(stretch.remaining()).toBeNull();
  change('and', '');
  expect(stretch.remaining()).toBe(`${card} still  on`);
  change('on|', ' [[Ada]]');
  stretch.replace(result);
  expect(session.text()).toBe(`Above.\n\n${result}\n\n‹a›\n‹b›\n\n [[Ada]]\n\nBelow.`);
});

test('it holds two places of the note, however often it is written anew, and none once it is released', () => {
  const { stretch, change, anchors } = held();
  change('two|', ' ‹a›');
  change('find|', ' ‹b›');
  stretch.remaining();
  stretch.replace(result);
  stretch.replace(card);
  stretch.grew('', 0);
  expect(anchors()).toBe(2);
  change('two|', ' ‹a›');
  stretch.remaining();
  stretch.release();
  expect(anchors()).toBe(0);
});

test('what others put in its place stays as they put it, where nothing is written anew', () => {
  const { session, stretch } = held();
  const from = session.text().indexOf(card);
  session.edit('disk', { from, to: from + card.length, insert: 'Mine.\n\n```js\ncode' });
  session.edit('disk', { from: session.text().indexOf('\n\nBelow.'), insert: '\n```' });
  const text = session.text();
  stretch.replace('');
  expect(session.text()).toBe(text);
});

test.each([
  ['', ['user']],
  ['\n\n```\n#User : An example.\n#User : Another.\n```\n', ['user']],
  ['\n\n```\n#User : An example.\n#User : Another.\n```\n\n#Claude : So it is.', ['user', 'assistant']],
] as const)('code of others that ends below it is ended once, with %j at the end', (examples, roles) => {
  const note = `Above.\n\n${card}\n\n#User : Below.${examples}`;
  const { session, stretch, change } = held({ note });
  change('runnin|g', '\n\n```js\ncode');
  const to = session.text().indexOf('\n\n#User');
  session.edit('person', { from: to, insert: '\n```' });
  stretch.replace(result);
  const { turns } = parseConversation(session.text(), tags, []);
  expect(
    turns.map(({ role }) => role),
    session.text(),
  ).toEqual(roles);
});
