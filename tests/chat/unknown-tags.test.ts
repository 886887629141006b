import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseConversation, type TagNames } from '../../src/markdown';
import { createHouse } from './support/house';
import { says } from './support/scripted-provider';

const files = { 'Diary.md': 'PRIVATE' };

test.each([
  ...['Zed', 'Zed/fast', 'ChatGPT', 'Assistant', 'GPT-4o', '模型', 'Ze\u0301d'].map((tag) => `#${tag} : `),
  ...['#Zed: ', '#Zed：', '#Zed :\n', '- #Zed : ', '## #Zed : '],
])('what stands below %j, which nobody here has, is an answer and brings no note along', async (head) => {
  const note = `#User : a\n\n${head}MODELSAID [[Diary]]\n\n#User : b`;
  const house = createHouse({ note, files });
  await house.answer(note.length);
  expect(house.requests[0]?.messages).toMatchObject([
    { role: 'user', text: 'a' },
    { role: 'assistant', text: 'MODELSAID [[Diary]]' },
    { role: 'user', text: 'b' },
  ]);
});

test('a person’s own hashtags stay their words', async () => {
  const said =
    '#todo buy milk\n#idea\n#project/x #home\nsee #Zed : there\n#key:value\n`#a : b`\n> #Zed : quoted\n\n```\n#Zed : code\n```';
  const note = `#User : a\n${said}`;
  const house = createHouse({ note });
  await house.answer(note.length);
  expect(house.requests[0]?.messages).toMatchObject([{ role: 'user', text: `a\n${said}` }]);
});

test('who asks below a hashtag with a colon is told what it is taken for, and both ways out are ways out', async () => {
  const ask = (said: string) => createHouse({ note: `#User : buy\n${said}` });
  await expect(ask('#todo: milk').answer()).rejects.toThrow(
    /“#todo”.*take the colon away or put a backslash/s,
  );
  for (const said of ['#todo milk', '\\#todo: milk']) {
    const house = ask(said);
    await house.answer();
    expect(house.requests[0]?.messages).toMatchObject([{ role: 'user', text: `buy\n${said}` }]);
  }
});

test('in a note where nobody known speaks a tag with a colon is just text', () => {
  const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: [] };
  expect(parseConversation('# Cake\n\n#Zutaten : Mehl\n\n#Backen : lang', tags, []).turns).toEqual([]);
});

test('the tag of whoever answers is remembered before there is a word of the answer', async () => {
  const house = createHouse({ note: '#User : q' });
  const before: string[][] = [];
  house.settings.current.onChange(() => before.push([house.note.text()]));
  await house.answer();
  const tag = /\n#(\S+) : /.exec(house.note.text())?.[1];
  expect(house.settings.current.get().formerTags).toEqual([tag]);
  expect(before).toEqual([['#User : q']]);
});

test('a tag that waits within a line gets a line of its own for its answer', async () => {
  const house = createHouse({ note: '#User : what is up? #Claude :', scripts: [() => says('Much.')] });
  await house.answer();
  expect(house.note.text()).toMatch(/^#User : what is up\?\n\n#Claude : Much\./);
});

const piece = fc.oneof(
  fc.constantFrom(
    ...[
      '\n',
      '\n\n',
      '\r',
      ' ',
      '\t',
      '- ',
      '> ',
      '## ',
      '- [ ] ',
      '```',
      '`',
      '~~~',
      '    ',
      '#',
      '\\',
      '[[Diary]]',
    ],
    ...['#User', '#Me', '#Zed', '#Neu', '#我', '#todo', '#a/b', ' :', ':', '：', ' ：', ' : ', 'said', '1. '],
  ),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
);
const names = fc.subarray(['User', 'Me', '我', 'Neu', 'todo', 'a', 'NewChat', 'System', 'Local', 'Claude']);
const readers: fc.Arbitrary<TagNames> = fc
  .record({ user: names, newChat: names, system: names, assistant: names, former: names })
  // Somebody who says that the answer's own tag is theirs says so of the answer.
  .map(({ user, newChat, system, assistant, former }) => {
    const others = (list: string[]) => list.filter((name) => name !== 'Claude');
    return { ...{ user: others(user), newChat: others(newChat), system: others(system) }, assistant, former };
  });
const questions = fc.constantFrom(
  ...[
    '#User : q',
    '#我：q',
    '#User : q\n\n#Claude :',
    '#User : q #Claude :',
    '- #User : q\n- #Claude',
    'q\n\n#NewChat #User : q',
  ],
  ...[
    '#User : q\n\n> x #Claude :',
    '#NewChat #User : q #Claude :',
    '#User : q\n\n#Claude/sub：',
    '#User : ```\ncode',
  ],
);

test('no byte of an answer is in a turn of anybody else, whatever tags its reader knows', async () => {
  await fc.assert(
    fc.asyncProperty(questions, fc.array(piece, { maxLength: 14 }), readers, async (note, said, tags) => {
      const words = `MODELSAID ${said.join('')} MODELSAID`;
      const house = createHouse({ note, scripts: [() => says(words)] });
      await house.answer();
      const text = house.note.text();
      const from = text.indexOf('MODELSAID');
      const to = text.lastIndexOf('MODELSAID');
      expect(from).toBeGreaterThan(0);
      for (const turn of parseConversation(text, tags, ['memory']).turns) {
        if (turn.role !== 'assistant') expect(turn.to <= from || turn.from > to).toBe(true);
      }
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 120) },
  );
});
