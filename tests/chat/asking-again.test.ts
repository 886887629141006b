import { expect, test } from 'vitest';
import { AppError, type ProviderFailure } from '../../src/contract/errors';
import type { ResolvedAgent } from '../../src/core/agents';
import type { ModelEvent } from '../../src/core/providers';
import { parseConversation } from '../../src/markdown';
import { until } from '../support/until';
import { createHouse } from './support/house';
import { catalogTool, text } from './support/scripted-mcp';
import { type Script, says } from './support/scripted-provider';

const names = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };
const poet: ResolvedAgent = {
  ...{ name: 'Poet', tag: 'Poet', path: '.interlinear/agents/Poet.md', instructions: '', problem: null },
  ...{ provider: null, model: null, tools: null, temperature: null, maxTokens: null },
  ...{ approval: null, reasoning: null, webSearch: null, parameters: null },
};

// biome-ignore lint/correctness/useYield: it fails before it says anything.
function* failing(failure: ProviderFailure): Generator<ModelEvent> {
  const details = { provider: 'Claude', failure, status: null, retryAfterMs: null };
  throw new AppError('provider.failed', `It failed: ${failure}.`, details);
}

const answeredBefore = (script: Script) =>
  createHouse({
    note: '#User : hi\n\n#Claude : Old words.\n\n#User : next',
    agents: [poet],
    scripts: [script],
  });

test('a provider that fails keeps the text and says what happened and what to do', async () => {
  const house = createHouse({
    note: '#User : hi',
    scripts: [
      function* () {
        yield { kind: 'text', text: 'Half an ans' } as const;
        throw new AppError('provider.failed', 'The provider is overloaded. Try again in a moment.', {
          provider: 'Claude',
          failure: 'overloaded',
          status: 529,
          retryAfterMs: null,
        });
      },
    ],
  });
  const picture = await house.answer();
  expect(picture.phase).toMatchObject({ kind: 'failed', error: { code: 'provider.failed' } });
  expect(house.note.text()).toMatch(
    /^#User : hi\n\n#Claude : Half an ans\n\n> \[!failure\][\s\S]*overloaded[\s\S]*Try again in a moment/,
  );
});

test('asking again behind a failure without text takes its place', async () => {
  const house = createHouse({
    note: '#User : hi\n',
    scripts: [() => failing('overloaded'), () => says('Hello.')],
  });
  await house.answer();
  await house.answer(house.note.text().indexOf('[!failure]'));
  expect(house.note.text()).toBe('#User : hi\n\n#Claude : Hello.\n\n#User : \n');
});

test('not a word that somebody put into what the app tells of an attempt is lost by asking again', async () => {
  const thinks = async function* () {
    yield { kind: 'reasoning', text: 'Hm.\nWell.' } as const;
    yield* failing('overloaded');
  };
  const first = createHouse({ note: '#User : hi\n', scripts: [thinks] });
  await first.answer();
  const note = first.note.text();
  const begin = note.indexOf('#Claude');
  const lines = note.slice(begin).split('\n');
  for (const [at, line] of lines.entries())
    for (const words of line.startsWith('>') ? [`${line} K1K`, `> K1K\n${line}`, `${line}\n> K1K`] : []) {
      const changed = lines.with(at, words).join('\n');
      const house = createHouse({ note: note.slice(0, begin) + changed, scripts: [() => says('Better.')] });
      const failure = house.note.text().indexOf('[!failure]');
      await house.answer(failure === -1 ? begin + 2 : failure, { again: true }).catch(() => undefined);
      expect(house.note.text()).toContain('K1K');
    }
});

test('asking again behind a failure with text keeps the text and answers below it', async () => {
  const house = createHouse({
    note: '#User : hi\n\n#Claude : Half an ans\n\n> [!failure] No answer\n> The network failed.\n',
    scripts: [() => says('Hello.')],
  });
  const before = house.note.text().trimEnd();
  await house.answer(before.indexOf('[!failure]'));
  expect(house.note.text()).toBe(`${before}\n\n#Claude : Hello.\n\n#User : \n`);
  expect(house.requests[0]?.messages.at(-1)).toMatchObject({ role: 'user', text: 'hi' });
});

test.each([
  ['behind its last word', 'And you?'],
  ['in a line of its own in it', '\n> And you?'],
  ['below it', '\nAnd you?'],
  ['further below it', '\n\nAnd you?'],
])('what a person wrote at a failure, %s, is no wish to ask again', async (_name, words) => {
  const note = `#User : hi\n\n#Claude : \n\n> [!failure] No answer\n> Why.\n> <!-- internal -->${words}\n`;
  const house = createHouse({ note, scripts: [() => says('Hello.')] });
  await expect(house.answer()).rejects.toMatchObject({
    code: 'chat.nothing-to-answer',
    message: expect.stringContaining('This message is an answer.'),
  });
  expect(house.requests).toHaveLength(0);
  expect(house.note.text()).toBe(note);
  // Whoever presses the failure's own button wishes it.
  await house.answer(note.indexOf('[!failure]'), { again: true });
  expect(house.note.text()).toBe(`${note.trimEnd()}\n\n#Claude : Hello.\n\n#User : \n`);
  expect(house.requests[0]?.messages).toMatchObject([{ role: 'user', text: 'hi' }]);
});

test.each([
  ['where an answer is waited for', '#Claude : \n\nK1K\n', '#Claude : Better.\n\nK1K\n'],
  ['within a line', 'x #Claude :\nK1K\n', '\n\n#Claude : Better.\n\nK1K\n'],
  [
    'below a failure',
    '#Claude : \n\n> [!failure] No\n> Why.\n\nK1K\n',
    '> [!failure] No\n> Why.\n\nK1K\n\n#Claude : Better.\n',
  ],
  [
    'below what the model had thought',
    '#Claude : \n\n> [!thinking]- 3.2 s\n> Hm.\n\nK1K\n\n#User : next\n',
    '> Hm.\n\nK1K\n\n#Claude : Better.\n\n#User : next\n',
  ],
  [
    'above a failure',
    '#Claude : \n\nK1K\n\n> [!failure] No\n> Why.\n',
    'K1K\n\n> [!failure] No\n> Why.\n\n#Claude : Better.\n',
  ],
])("a person's callouts stay when an answer comes, %s", async (_where, below, after) => {
  for (const kind of ['note', 'todo', 'warning', 'info', 'thinking', 'tool']) {
    const mine = `> [!${kind}] my remark\n> more of it`;
    const note = `#User : hi\n\n${below.replace('K1K', mine)}`;
    const house = createHouse({ note, scripts: [() => says('Better.')] });
    const at = note.indexOf('[!failure]');
    await house.answer(at === -1 ? note.indexOf('#Claude') + 2 : at, { again: true });
    expect(house.note.text()).toContain(after.replace('K1K', mine));
  }
});

test('an answer that failed is followed by the person’s next turn, once, however often it is asked for again', async () => {
  const house = createHouse({
    note: '#User : hi',
    scripts: [() => failing('overloaded'), () => failing('timeout'), () => says('Hello.')],
  });
  await house.answer();
  for (let round = 0; round < 2; round++) {
    expect(house.note.text()).toMatch(/^#User : hi\n\n#Claude : \s*> \[!failure\][\s\S]*-->\n\n#User : $/);
    await house.answer(house.note.text().indexOf('[!failure]'), { again: true });
  }
  expect(house.note.text()).toBe('#User : hi\n\n#Claude : Hello.\n\n#User : ');
});

test('who answered last in the note answers also where the place is above the answer', async () => {
  const note = '#User : hi\n\n#Poet : \n\n> [!failure] No answer\n> Why.\n\n#User : ';
  const house = createHouse({ note, agents: [poet], scripts: [() => says('Hello.')] });
  const place = { path: house.path, version: house.note.version, at: note.indexOf('hi') };
  expect(await house.chat.answerer(place)).toMatchObject({ tag: 'Poet' });
  await house.answer(place.at);
  expect(house.note.text()).toContain('#User : hi\n\n#Poet : Hello.');
});

test('an answer is written anew in its place, by whoever is asked for; undone, it is the old one', async () => {
  const house = answeredBefore(() => says('New words.'));
  const before = house.note.text();
  await expect(house.answer(before.indexOf('Old'))).rejects.toMatchObject({ code: 'chat.nothing-to-answer' });
  await house.answer(before.indexOf('Old'), { replace: true, tag: 'Poet' });
  expect(house.note.text()).toBe('#User : hi\n\n#Poet : New words.\n\n#User : next');
  expect(house.requests[0]?.messages).toHaveLength(1);
});

test('a second answer stands below the first one, which it does not know', async () => {
  const house = answeredBefore(() => says('Other words.'));
  await house.answer(house.note.text().indexOf('Old'), { beside: true, tag: 'Poet' });
  expect(house.note.text()).toBe(
    '#User : hi\n\n#Claude : Old words.\n\n#Poet : Other words.\n\n#User : next',
  );
  expect(house.requests[0]?.messages).toMatchObject([{ role: 'user', text: 'hi' }]);
});

test.each([
  ['is empty', [{ kind: 'finish', reason: 'stop', usage: null }]],
  [
    'is blank',
    [
      { kind: 'text', text: ' \n' },
      { kind: 'finish', reason: 'stop', usage: null },
    ],
  ],
  [
    'is only thought of',
    [
      { kind: 'reasoning', text: 'Hm.' },
      { kind: 'finish', reason: 'stop', usage: null },
    ],
  ],
  ['is cut off at once', [{ kind: 'finish', reason: 'length', usage: null }]],
  ['fails after it was thought of', [{ kind: 'reasoning', text: 'Hm.' }, 'failing']],
])('an answer that was to be written anew stays where the new one %s', async (_how, events) => {
  const script = function* (): Generator<ModelEvent> {
    for (const event of events as (ModelEvent | 'failing')[])
      if (event === 'failing') yield* failing('overloaded');
      else yield event;
  };
  const house = answeredBefore(script);
  await house.answer(house.note.text().indexOf('Old'), { replace: true, tag: 'Poet' });
  expect(house.note.text()).toMatch(/^#User : hi\n\n#Claude : Old words\./);
});

/** Says the first half, and the second when it is told to. */
function inHalves(first: readonly ModelEvent[], second: () => Iterable<ModelEvent>) {
  const halves = Promise.withResolvers<void>();
  return {
    goOn: halves.resolve,
    async *script(): AsyncGenerator<ModelEvent> {
      yield* first;
      await halves.promise;
      yield* second();
    },
  };
}

const isOldThere = ({ note }: ReturnType<typeof createHouse>) => note.text().includes('OLD');

test('the old answer goes in the moment in which words of the new one are there', async () => {
  const { goOn, script } = inHalves([{ kind: 'reasoning', text: 'Hm.' }], () => says('New.'));
  const house = createHouse({ note: '#User : hi\n\n#Claude : OLD\n\n#User : next', scripts: [script] });
  const { edit } = house.note;
  const texts: string[] = [];
  house.note.edit = (...change) => {
    edit(...change);
    texts.push(house.note.text());
  };
  const finished = house.answer(house.note.text().indexOf('OLD'), { replace: true });
  await until(() => house.note.text().includes('Hm.'));
  expect(house.note.text()).toMatch(/^#User : hi\n\n#Claude : OLD\n\n#Claude : \s+> \[!thinking\]/);
  goOn();
  await finished;
  expect(texts.length).toBeGreaterThan(3);
  for (const text of texts) expect(text).toMatch(/OLD|New/);
  expect(house.note.text()).toMatch(
    /^#User : hi\n\n#Claude : \s+> \[!thinking\][\s\S]*\n\nNew\.\n\n#User : next$/,
  );
});

test.each([
  ['the tag is gone', '#Claude : OLD', 'My own words, OLD'],
  ['the tag is the person’s', '#Claude : OLD', '#User : My own words, OLD'],
  ['the person goes on in it', 'OLD', 'OLD, and mine'],
  ['the person takes something out of it', 'OLD [[Secret]]', 'OLD'],
])('an old answer stays where somebody has written into it by then: %s', async (_what, from, to) => {
  const { goOn, script } = inHalves([], () => says('New.'));
  const note = '#User : hi\n\n#Claude : OLD [[Secret]]\n\n#User : later';
  const house = createHouse({ note, scripts: [script] });
  const finished = house.answer(note.indexOf('OLD'), { replace: true });
  await until(() => house.requests.length === 1);
  const at = house.note.text().indexOf(from);
  house.note.edit('person', { from: at, to: at + from.length, insert: to });
  goOn();
  await finished;
  const after = note.replace(from, to).replace('\n\n#User : later', '');
  expect(house.note.text()).toBe(`${after}\n\n#Claude : New.\n\n#User : later`);
});

test.each([
  ['ends in the middle of code', '#User : hi\n\n#Claude : OLD\n\n```js\nlet a', ''],
  ['stands behind its question, in its line', '#User : hi #Claude : OLD', '\n\n#User : next'],
  ['stands directly below its question', '#User : hi\n#Claude : OLD', '\n#User : next'],
  ['is the last thing in the note', '#User : hi\n\n#Claude : OLD', ''],
  ['is a list', '#User : hi\n\n#Claude : - OLD\n  - one', '\n\n#NewChat\n\n#User : other'],
])('the new answer alone is there where the old one %s', async (_what, above, below) => {
  const house = createHouse({ note: above + below, scripts: [() => says('- New\n  - two')] });
  await house.answer(above.indexOf('OLD'), { replace: true });
  const { turns } = parseConversation(house.note.text(), names, []);
  expect(isOldThere(house)).toBe(false);
  expect(house.note.text()).not.toContain('```');
  expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(house.note.text()).toMatch(/^#User : hi\n{1,2}#Claude : \n\n- New\n {2}- two\n/);
  expect(house.note.text().endsWith(below.trimStart() || '#User : ')).toBe(true);
});

test('an attempt to write an answer anew that failed takes its place once it is tried again and has words', async () => {
  const scripts = [() => failing('overloaded'), () => failing('overloaded'), () => says('New.')];
  const house = createHouse({ note: '#User : hi\n\n#Claude : OLD\n\n#User : next', scripts });
  await house.answer(house.note.text().indexOf('OLD'), { replace: true });
  for (let time = 0; time < 2; time++) {
    expect(house.note.text()).toMatch(/^#User : hi\n\n#Claude : OLD\n\n#Claude : \s*> \[!failure\]/);
    await house.answer(house.note.text().indexOf('[!failure]'), { again: true });
  }
  expect(house.note.text()).toBe('#User : hi\n\n#Claude : New.\n\n#User : next');
});

test.each(['length', 'content-filter'] as const)(
  'an answer that was cut short (%s) is written anew like any other',
  async (reason) => {
    const cut: ModelEvent[] = [
      { kind: 'text', text: 'OLD' },
      { kind: 'finish', reason },
    ];
    const house = createHouse({ note: '#User : hi', scripts: [() => cut, () => says('New.')] });
    await house.answer();
    expect(house.note.text()).toContain('[!failure]');
    await house.answer(house.note.text().indexOf('OLD'), { replace: true });
    expect(house.note.text()).toBe('#User : hi\n\n#Claude : New.\n\n#User : ');
  },
);

test('tried again, it leaves an answer alone that somebody has gone on writing in', async () => {
  const scripts = [() => failing('overloaded'), () => says('New.')];
  const house = createHouse({ note: '#User : hi\n\n#Claude : OLD\n\n#User : next', scripts });
  await house.answer(house.note.text().indexOf('OLD'), { replace: true });
  house.note.edit('person', { from: house.note.text().indexOf('OLD') + 3, insert: ', and mine' });
  await house.answer(house.note.text().indexOf('[!failure]'), { again: true });
  expect(house.note.text()).toBe('#User : hi\n\n#Claude : OLD, and mine\n\n#Claude : New.\n\n#User : next');
});

test('an answer in which a call is being made again stays, and so does what the call brings', async () => {
  const result = Promise.withResolvers<void>();
  const block = '```memory\ntool: find\n```';
  const note = `#User : hi\n\n#Claude : OLD\n\n> [!tool]- memory · find\n${`${block}\n\`\`\`result ok parts=0\nbefore\n\`\`\``.replace(/^/gm, '> ')}\n\n#User : next`;
  const house = createHouse({
    note,
    tools: [catalogTool({ annotations: { readOnly: true } })],
    work: { find: () => result.promise.then(() => text('found it')) },
    scripts: [() => says('New.')],
  });
  await house.chat.runBlock({ path: house.path, at: note.indexOf('find'), version: house.note.version });
  await until(() => house.note.text().includes('```result running'));
  await house.answer(note.indexOf('OLD'), { replace: true });
  result.resolve();
  await until(() => house.note.text().includes('found it'));
  expect(house.note.text()).toMatch(
    /OLD\n\n> \[!tool\][\s\S]*found it[\s\S]*\n\n#Claude : New\.\n\n#User : next$/,
  );
});

test("a person's callout under a tag stays where nothing comes that was to be written anew", async () => {
  const note = '#User : hi\n\n#Claude : \n> [!note] MINE\n> a draft\n\n#User : later\n';
  const house = createHouse({ note, scripts: [() => failing('overloaded')] });
  await house.answer(note.indexOf('MINE'), { replace: true });
  expect(house.note.text()).toContain('#Claude : \n> [!note] MINE\n> a draft\n');
});

test('an answer that was to be written anew stays where nothing came in its place', async () => {
  const house = answeredBefore(() => failing('overloaded'));
  await house.answer(house.note.text().indexOf('Old'), { replace: true, tag: 'Poet' });
  expect(house.note.text()).toMatch(
    /^#User : hi\n\n#Claude : Old words\.\n\n#Poet : \s*> \[!failure\][\s\S]*<!-- overloaded provider=\S+ model=\S+ old=\S+ sum=\S+ -->\n\n#User : next$/,
  );
});

test('the answer that stays, and its tag, stand where they stood in what was typed around them meanwhile', async () => {
  const house = answeredBefore(async function* () {
    const note = house.note.text();
    house.note.edit('person', { from: note.indexOf('next'), insert: 'my ' });
    house.note.edit('person', { from: note.indexOf('hi'), insert: 'oh, and by the way, ' });
    yield* failing('overloaded');
  });
  await house.answer(house.note.text().indexOf('Old'), { replace: true, tag: 'Poet' });
  expect(house.note.text()).toMatch(
    /^#User : oh, and by the way, hi\n\n#Claude : Old words\.\n\n#Poet : \s*> \[!failure\][\s\S]*-->\n\n#User : my next$/,
  );
});

test('a conversation that was too long is asked again without its oldest part, and the note says what that was', async () => {
  const long = 'words and more words '.repeat(200);
  const house = createHouse({
    note: `#User : first ${long}\n\n#Claude : ${long}\n\n#User : last`,
    scripts: [() => failing('context-overflow'), () => says('Short.')],
  });
  await house.answer();
  expect(house.note.text()).toContain('<!-- context-overflow ');
  await house.answer(house.note.text().indexOf('[!failure]'), { trim: 1, again: true });
  expect(house.requests[1]?.messages).toMatchObject([{ role: 'user', text: 'last' }]);
  expect(house.note.text()).toMatch(
    /#Claude :\s+> \[!info\]- Left out to make room\n> Not sent: 2 older messages\.\n\nShort\.\n\n#User : $/,
  );
  expect(house.note.text()).not.toContain('[!failure]');
});

test.each([
  ['written anew', { replace: true }, '#User : hi\n\n#Claude : One.\n\n#Claude : Three.\n\n#User : next'],
  [
    'compared',
    { beside: true },
    '#User : hi\n\n#Claude : One.\n\n#Claude : Two.\n\n#Claude : Three.\n\n#User : next',
  ],
])('an answer below another answer to the same question is %s like any other', async (_name, how, after) => {
  const house = createHouse({
    note: '#User : hi\n\n#Claude : One.\n\n#Claude : Two.\n\n#User : next',
    scripts: [() => says('Three.')],
  });
  await house.answer(house.note.text().indexOf('Two'), how);
  expect(house.note.text()).toBe(after);
  expect(house.requests[0]?.messages).toMatchObject([{ role: 'user', text: 'hi' }]);
});
