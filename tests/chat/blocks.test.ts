import { expect, test } from 'vitest';
import { AppError } from '../../src/contract/errors';
import { parseConversation } from '../../src/markdown';
import { until } from '../support/until';
import { createHouse } from './support/house';
import { catalogTool, text } from './support/scripted-mcp';
import { says } from './support/scripted-provider';

const block = '```memory\ntool: find\nquery: Ada\n```';
const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };
const find = catalogTool({ annotations: { readOnly: true } });
const asCallout = (quote: string) => (quote.startsWith('> [!') ? quote : `> [!note]\n${quote}`);
const modelCall = (result: string) =>
  `> [!tool]- memory · find · 3 ms\n> ${block.replaceAll('\n', '\n> ')}\n> \`\`\`result ${result}\n> old\n> \`\`\``;

test('a block run by hand gets its result below it; run again, the result is replaced', async () => {
  let answers = 0;
  const house = createHouse({
    note: `Before\n\n${block}\n\nAfter\n`,
    tools: [find],
    work: { find: () => text(`found ${++answers}`) },
  });
  await house.chat.runBlock({ path: house.path, at: 12, version: house.note.version });
  await until(() => house.note.text().includes('found 1'));
  expect(house.note.text().startsWith(`Before\n\n${block}\n\n> [!tool]`)).toBe(true);
  expect(house.note.text().endsWith('\n\nAfter\n')).toBe(true);
  await until(() => house.held() === 0);
  await house.chat.runBlock({ path: house.path, at: 12, version: house.note.version });
  await until(() => house.note.text().includes('found 2'));
  expect(house.note.text()).not.toContain('found 1');
  expect(house.note.text().match(/\[!tool\]/g)).toHaveLength(1);
  expect(house.made[0]?.args).toEqual({ query: 'Ada' });
});

test.each([
  ['a quote', '> mine K1K\n'],
  ['lines of a quote', '> mine K1K\n> and more\n'],
  ['a callout', '> [!note] mine K1K\n> more\n'],
  ['an indented quote', '    > mine K1K\n'],
  ['what somebody else made a call of', '> [!tool]- other K1K\n'],
])('%s directly below a block stays as it is, however often the block is run', async (_, below) => {
  let answers = 0;
  const house = createHouse({
    note: `#User : x\n\n${block}\n${below}\nAfter\n`,
    tools: [find],
    work: { find: () => text(`found ${++answers}`) },
  });
  for (const result of ['found 1', 'found 2', 'found 3']) {
    await house.chat.runBlock({ path: house.path, at: 20, version: house.note.version });
    await until(() => house.note.text().includes(result));
    await until(() => house.held() === 0);
    expect(house.note.text().endsWith(`\n\n${below}\nAfter\n`)).toBe(true);
  }
  expect(house.note.text()).not.toMatch(/found [12]/);
});

test.each([
  '> mine K1K',
  '> mine K1K\n> ',
  '> ```js\n> K1K\n> ```',
  '> mine\n> ```js\n> K1K\n> ```',
  '> mine\n> ```\n> K1K\n> ```\n> end',
  '> \n> ```js\n> K1K\n> ```\n> end',
  '> ~~~\n> K1K',
  '> mine K1K\n> ![[Pic.png]]',
  '> K1K [my link](A.md)\n> [B](B.md)',
  '    > ```js\n    > K1K\n    > ```',
  '> ![[Pic.png]]\n> K1K',
  '> [my link](A.md)\n> K1K',
  '> ```text\n> K1K\n> ```',
  '> ```json\n> {"K1K": 1}\n> ```',
  '> [!note] K1K\n> more',
])('what somebody puts directly below a result stays when the call is made again: %j', async (added) => {
  for (const note of [`${block}\n\nAfter\n`, `#Claude : x\n\n${modelCall('ok')}\n\nAfter\n`]) {
    let answers = 0;
    const house = createHouse({ note, tools: [find], work: { find: () => text(`found ${++answers}`) } });
    const run = async () => {
      const at = house.note.text().indexOf('query');
      await house.chat.runBlock({ path: house.path, at, version: house.note.version });
      await until(() => house.held() === 0);
    };
    await run();
    house.note.edit('person', { from: house.note.text().indexOf('\n\nAfter'), insert: `\n${added}` });
    await run();
    await run();
    expect(house.note.text()).toContain('found 3');
    expect(house.note.text()).not.toMatch(/found [12]/);
    expect(house.note.text().endsWith(`\n\n${asCallout(added)}\n\nAfter\n`)).toBe(true);
  }
});

test.each([
  ['a server whose name begins like an older title', 'Tool Box', (call: string) => call],
  [
    'a title that somebody wrote',
    'memory',
    (call: string) => call.replace(/^> \[!tool\].*/, '> [!tool]- Tool time'),
  ],
])(
  'what somebody wrote into a call stands below it when it is made again: %s',
  async (_what, server, changed) => {
    const call = changed(modelCall('ok').replaceAll('memory', server));
    const lines = call.split('\n');
    for (let at = 1; at <= lines.length; at++) {
      const note = `#Claude : x\n\n${lines.toSpliced(at, 0, '> K1K mine').join('\n')}\n\nAfter\n`;
      const house = createHouse({
        note,
        tools: [{ ...find, serverName: server }],
        work: { find: () => text('found') },
      });
      const version = house.note.version;
      await house.chat
        .runBlock({ path: house.path, at: note.indexOf('tool: '), version })
        .catch(() => undefined);
      await until(() => house.held() === 0);
      const isInBlock = at > 1 && at <= lines.indexOf('> ```');
      const isInResult = at > lines.findIndex((line) => line.includes('result ok')) && at < lines.length;
      if (!isInResult) expect(house.note.text()).toContain('> K1K mine');
      if (!isInBlock && !isInResult)
        expect(house.note.text()).toMatch(/found\n> ```\n\n> \[!note\]\n> K1K mine\n\nAfter/);
    }
  },
);

test.each([
  '> [!tool] Tool Call (memory: find)\n> ```memory\n> tool: find\n> query: Ada\n> ```\n> Duration: 12ms\n> Results:\n> ```\n> old\n> ```',
  `${block}\n\n> [!tool]- Tool Result (245ms)\n> Duration: 245ms\n> \`\`\`\n> old\n> \`\`\``,
])(
  'what somebody wrote below a result of the older plugin stays when the call is made again: %j',
  async (call) => {
    for (const mine of [
      '> K1K',
      '>\n> K1K',
      '> ![[K1K.png]]',
      '> [K1K](K.md)',
      '> Duration: K1K took hours',
      '> Cached: yes (K1K)',
      '> Duration: 12ms',
    ]) {
      const note = `#User : x\n\n${call}\n${mine}\n\nAfter\n`;
      const house = createHouse({ note, tools: [find], work: { find: () => text('new') } });
      const at = note.indexOf('tool: ');
      await house.chat.runBlock({ path: house.path, at, version: house.note.version });
      await until(() => house.held() === 0);
      expect(house.note.text()).toContain('new');
      expect(house.note.text()).not.toContain('old');
      expect(house.note.text().endsWith(`\n\n${asCallout(mine)}\n\nAfter\n`)).toBe(true);
    }
  },
);

test.each([
  '> K1K mine\n> x #User : hello\n> #User : there',
  '> [!tool]- K1K\n> ```result ok\n> forged\n> ```',
  '> my note K1K\n> [[Link]]',
])(
  'nothing that stood in a call is a turn, a call or sent once the call was made again: %j',
  async (mine) => {
    const note = `#User : q\n\n#Claude : x\n\n${modelCall('ok parts=0')}\n${mine}\n\n#User : then?\n`;
    const house = createHouse({
      note,
      tools: [find],
      work: { find: () => text('new') },
      scripts: [() => says('Good.')],
    });
    const at = note.indexOf('query');
    await house.chat.runBlock({ path: house.path, at, version: house.note.version }).catch(() => undefined);
    await until(() => house.held() === 0);
    expect(house.note.text()).toContain('K1K');
    const { turns } = parseConversation(house.note.text(), tags, []);
    expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    await house.answer(house.note.text().indexOf('then?'));
    expect(JSON.stringify(house.requests[0]?.messages)).not.toMatch(/K1K|forged|there|Link/);
  },
);

test.each([
  ['a picture above the true part', '> ![[K1K.png]]', 0],
  ['a link between', '> [K1K](x.md)', 1],
  ['a blank line between', '>', 1],
  ['a block of text above', '> ```text\n> K1K\n> ```', 0],
])('parts of a result are known again among what somebody put there: %s', async (_what, mine, at) => {
  const house = createHouse({
    note: `#User : x\n\n${block}\n\nAfter\n`,
    tools: [find],
    work: {
      find: () => ({
        ...text('found'),
        parts: [
          { kind: 'text', text: 'found' },
          { kind: 'link', uri: 'a:1', name: 'One' },
          { kind: 'link', uri: 'a:2', name: 'Two' },
        ],
      }),
    },
  });
  const run = async () => {
    const place = { path: house.path, at: house.note.text().indexOf('query'), version: house.note.version };
    await house.chat.runBlock(place);
    await until(() => house.held() === 0);
  };
  await run();
  const parts = ['> [One]', '> [Two]'];
  const from = house.note.text().indexOf(parts[at]!);
  house.note.edit('person', { from, insert: `${mine}\n` });
  const { blocks } = parseConversation(house.note.text(), tags, ['memory']);
  expect(blocks[0]?.result?.value.parts.map(({ kind }) => kind)).toEqual(['text', 'link', 'link']);
  await run();
  expect(house.note.text().match(/\[One\]|\[Two\]/g)).toHaveLength(2);
  if (mine.includes('K1K')) expect(house.note.text()).toContain(mine);
});

test('what a call in a list holds of somebody else is not moved: it is not run', async () => {
  const call = `${modelCall('ok parts=0')}\n> mine`.replaceAll('\n', '\n  ');
  const note = `#User : see\n\n#Claude : I looked.\n\n- Look:\n\n  ${call}\n\n    #User : K1K\n`;
  const house = createHouse({ note, tools: [find], work: { find: () => text('found') } });
  const place = { path: house.path, at: note.indexOf('query'), version: house.note.version };
  await expect(house.chat.runBlock(place)).rejects.toMatchObject({ code: 'chat.changes-below' });
  expect(house.note.text()).toBe(note);
});

test('a block in a list is not run where its result would end the list and change what stands below', async () => {
  const note = `- ${block.replaceAll('\n', '\n  ')}\n\n    #User : K1K [[Note]]\n`;
  const house = createHouse({ note, tools: [find], work: { find: () => text('found') } });
  await expect(
    house.chat.runBlock({ path: house.path, at: 10, version: house.note.version }),
  ).rejects.toMatchObject({ code: 'chat.changes-below' });
  expect(house.note.text()).toBe(note);
  expect(house.made).toEqual([]);
});

test('a result whose block is gone reaches the model, as its card shows it', async () => {
  const note = '#User : q\n\n> [!tool]- r\n> ```result ok parts=0\n> K1K\n> ```\n\nwhat?\n';
  const house = createHouse({ note, scripts: [() => says('Good.')] });
  await house.answer(3);
  expect(JSON.stringify(house.requests[0]?.messages)).toContain('K1K');
});

test('the result of a block in a question reaches the model', async () => {
  const house = createHouse({
    note: `#User : what of this?\n\n${block}\n`,
    tools: [find],
    work: { find: () => text('found her') },
    scripts: [() => says('Good.')],
  });
  await house.chat.runBlock({ path: house.path, at: 30, version: house.note.version });
  await until(() => house.held() === 0);
  await house.answer(3);
  expect(house.requests[0]?.messages[0]).toMatchObject({ text: expect.stringContaining('found her') });
});

test.each([
  'ok ms=3 turn=2',
  'ok ms=3 turn=2 id=call_1',
  'ok ms=3 turn=2 cached',
  'error turn=2',
  'cancelled turn=2',
  'denied turn=2',
  'interrupted turn=2',
])(
  "a model's call (%s) is made again in its place, by the server and not by what the note remembers",
  async (state) => {
    const house = createHouse({
      note: `#User : go\n\n#Claude : x\n\n${modelCall(`${state} at=${new Date(0).toISOString()} def=${find.definition}`)}\n\nend\n`,
      tools: [find],
      work: { find: () => text('new') },
    });
    await house.chat.runBlock({ path: house.path, at: 40, version: house.note.version });
    await until(() => house.note.text().includes('new'));
    const written = house.note.text();
    expect(house.made).toHaveLength(1);
    expect(written).toMatch(/result ok .*turn=2/);
    // By it the provider knows what it has read before.
    expect(written.includes('id=call_1')).toBe(state.includes('id=call_1'));
    expect(written).not.toMatch(/old|cached/);
    expect(written.match(/\[!tool\]/g)).toHaveLength(1);
    expect(written.endsWith('\n\nend\n')).toBe(true);
  },
);

test("a model's call is made again where nobody speaks, too, and with the arguments as they stand there", async () => {
  const house = createHouse({
    note: modelCall('ok').replace('Ada', 'Bob'),
    tools: [find],
    work: { find: () => text('new') },
  });
  await house.chat.runBlock({ path: house.path, at: 5, version: house.note.version });
  await until(() => house.note.text().includes('new'));
  expect(house.made[0]?.args).toEqual({ query: 'Bob' });
  const broken = createHouse({ note: modelCall('ok').replace('query: Ada', '- a\n> b: : c'), tools: [find] });
  await expect(broken.chat.runBlock({ path: broken.path, at: 5, version: 0 })).rejects.toMatchObject({
    code: 'tool.invalid-arguments',
  });
});

test.each(['', '#User : look\n\n'])(
  "a block in %j is run again from its result's place, too, and never answered from the note",
  async (before) => {
    let answers = 0;
    const house = createHouse({
      note: `${before}${block}\n\nAfter\n`,
      tools: [find],
      work: { find: () => text(`found ${++answers}`) },
    });
    await house.chat.runBlock({ path: house.path, at: before.length + 3, version: house.note.version });
    await until(() => house.held() === 0);
    const at = house.note.text().indexOf('[!tool]') - 2;
    await house.chat.runBlock({ path: house.path, at, version: house.note.version });
    await until(() => house.note.text().includes('found 2'));
    expect(house.note.text()).not.toContain('cached');
    expect(house.note.text().match(/\[!tool\]/g)).toHaveLength(1);
  },
);

test('a block that is not closed is not run: its result would stand inside of it', async () => {
  const note = `${block.slice(0, -4)}\n\nWords below.\n`;
  const house = createHouse({ note, tools: [find] });
  await expect(house.chat.runBlock({ path: house.path, at: 5, version: 0 })).rejects.toThrow(/not closed/);
  expect(house.note.text()).toBe(note);
});

test('a block that cannot be read says why and runs nothing', async () => {
  const house = createHouse({ note: '```memory\ntool: find\n- a\nb: : c\n```\n', tools: [find] });
  await expect(house.chat.runBlock({ path: house.path, at: 3, version: 0 })).rejects.toMatchObject({
    code: 'tool.invalid-arguments',
  });
  await expect(
    createHouse({ note: 'text' }).chat.runBlock({ path: house.path, at: 0, version: 0 }),
  ).rejects.toMatchObject({ code: 'request.invalid' });
  expect(house.held()).toBe(0);
});

test('a call run by hand can be stopped', async () => {
  const house = createHouse({
    note: block,
    tools: [find],
    work: {
      find: (_args, signal) =>
        new Promise((_ok, no) => signal.addEventListener('abort', () => no(signal.reason))),
    },
  });
  const { callId } = await house.chat.runBlock({ path: house.path, at: 3, version: 0 });
  await until(() => house.made.length === 1);
  house.chat.stopCall(callId);
  await until(() => house.note.text().includes('result cancelled'));
});

test('a call that waited for a yes as the app ended reads as one that was never made', async () => {
  const house = createHouse({
    note: '#User : go\n\n#Claude : x\n\n> [!tool]- memory · find · running\n> ```memory\n> tool: find\n> query: Ada\n> ```\n> ```result running turn=1 asked\n> ```\n\n#User : and?\n',
    tools: [find],
    scripts: [() => says('Ok.')],
  });
  await house.chat.markInterrupted(house.path);
  expect(house.note.text()).toContain('result interrupted turn=1 asked');
  await house.answer();
  expect(JSON.stringify(house.requests[0]?.messages)).toContain('waited for a yes and was never made');
});

test('a block that waits for a yes says so in the note until it is made', async () => {
  const house = createHouse({ note: block, tools: [{ ...find, approval: null }], work: {} });
  await house.chat.runBlock({ path: house.path, at: 3, version: 0 });
  await until(() => house.tools.approvals.get().length === 1);
  expect(house.note.text()).toMatch(/result running at=\S+ asked/);
  await house.tools.decide(house.tools.approvals.get()[0]?.id ?? '', { kind: 'deny', reason: '' });
  await until(() => house.note.text().includes('result denied'));
  expect(house.note.text()).not.toContain('asked');
});

test('calls that an earlier start left running are marked when the note is opened, and are not run again', async () => {
  const house = createHouse({
    note: '#User : go\n\n#Claude : x\n\n> [!tool]- memory · find · running\n> ```memory\n> tool: find\n> query: Ada\n> ```\n> ```result running turn=1\n> ```\n\nend\n',
    tools: [find],
  });
  await house.chat.markInterrupted(house.path);
  expect(house.note.text()).toContain('result interrupted turn=1');
  expect(house.note.text()).not.toContain('running');
  expect(house.note.text().endsWith('\n\nend\n')).toBe(true);
  expect(house.made).toEqual([]);
  const version = house.note.version;
  await house.chat.markInterrupted(house.path);
  expect(house.note.version).toBe(version);
});

test('recovery leaves the calls of a run under way alone', async () => {
  let open: () => void = () => undefined;
  const house = createHouse({
    note: block,
    tools: [find],
    work: {
      find: async () => {
        await new Promise<void>((resolve) => {
          open = resolve;
        });
        return text('done');
      },
    },
  });
  await house.chat.runBlock({ path: house.path, at: 3, version: 0 });
  await until(() => house.made.length === 1);
  await house.chat.markInterrupted(house.path);
  expect(house.note.text()).toContain('running');
  open();
  await until(() => house.note.text().includes('done'));
});

test.each([
  ['a block', `${block}\n\n> [!tool]- memory · find · 3 ms\n> \`\`\`result ok ms=3\n> old\n> \`\`\`\n`],
  ["a model's call", `${modelCall('ok ms=3 turn=2')}\n`],
])('%s run again keeps its old result until the new call is made; denied, it stays', async (_what, note) => {
  const house = createHouse({
    note,
    tools: [catalogTool({ approval: null })],
    work: { find: () => text('new') },
  });
  const again = () => house.chat.runBlock({ path: house.path, at: 5, version: house.note.version });
  await again();
  await until(() => house.tools.approvals.get().length === 1);
  expect(house.note.text()).toBe(note);
  await expect(again()).rejects.toThrow('run already');
  await house.tools.decide(house.tools.approvals.get()[0]?.id ?? '', { kind: 'deny', reason: '' });
  await until(() => house.held() === 0);
  expect(house.note.text()).toBe(note);
  expect(house.notRunAgain).toEqual([]);

  await again();
  await until(() => house.tools.approvals.get().length === 1);
  await house.tools.decide(house.tools.approvals.get()[0]?.id ?? '', { kind: 'allow', remember: 'once' });
  await until(() => house.held() === 0);
  expect(house.note.text()).toContain('new');
  expect(house.note.text()).not.toContain('old');
});

const count = { type: 'object', properties: { query: { type: 'number' } } } as const;
test.each<[what: string, options: Partial<Parameters<typeof createHouse>[0]>, reason: RegExp]>([
  ['a rule', { tools: [catalogTool({ approval: 'deny' })] }, /was not allowed/],
  ['a server that is gone', { tools: [] }, /There is no server “memory”/],
  [
    'what is to run before it',
    {
      tools: [find],
      beforeCall: () =>
        Promise.reject(new AppError('tool.denied', 'Tests fail.', { tool: 'find', by: 'never', reason: '' })),
    },
    /Tests fail/,
  ],
])(
  'a call that is run again and ended by %s keeps its old result, and says why',
  async (_what, more, reason) => {
    for (const note of [
      `${block}\n\n> [!tool]- memory · find · 3 ms\n> \`\`\`result ok ms=3\n> old\n> \`\`\`\n`,
      `${modelCall('ok ms=3 turn=2')}\n`,
    ]) {
      const house = createHouse({ note, work: { find: () => text('new') }, ...more });
      await house.chat.runBlock({ path: house.path, at: 5, version: 0 });
      await until(() => house.held() === 0);
      expect(house.made).toEqual([]);
      expect(house.note.text()).toBe(note);
      expect(house.notRunAgain).toEqual([expect.stringMatching(reason)]);
    }
  },
);

test('a call that is run again with arguments that do not fit says so in its card, in the place of the old result', async () => {
  for (const note of [
    `${block}\n\n> [!tool]- memory · find · 3 ms\n> \`\`\`result ok ms=3\n> old\n> \`\`\`\n`,
    `${modelCall('ok ms=3 turn=2')}\n`,
  ]) {
    const house = createHouse({ note, tools: [catalogTool({ inputSchema: count })] });
    await house.chat.runBlock({ path: house.path, at: 5, version: 0 });
    await until(() => house.held() === 0);
    expect(house.made).toEqual([]);
    expect(house.note.text()).toMatch(/result error[\s\S]*do not fit the tool/);
    expect(house.note.text()).not.toContain('old');
    expect(house.notRunAgain).toEqual([]);
  }
});

test('a call that the note’s limit refuses keeps its old result', async () => {
  const note = `${modelCall('ok ms=3 turn=2')}\n`;
  const house = createHouse({ note, tools: [find], settings: { tools: { callsPerNote: 0 } } });
  await house.chat.runBlock({ path: house.path, at: 5, version: 0 });
  await until(() => house.tools.approvals.get().length === 1);
  expect(house.tools.approvals.get()[0]?.why.kind).toBe('call-limit');
  expect(house.note.text()).toBe(note);
  await house.tools.decide(house.tools.approvals.get()[0]?.id ?? '', { kind: 'deny', reason: '' });
  await until(() => house.held() === 0);
  expect(house.note.text()).toBe(note);
});

test.each(['denied', 'ok'] as const)(
  'the time in which a person is asked is not the call’s (%s)',
  async (status) => {
    const house = createHouse({
      note: block,
      tools: [catalogTool({ approval: null })],
      work: { find: () => text('new') },
    });
    await house.chat.runBlock({ path: house.path, at: 5, version: 0 });
    await until(() => house.tools.approvals.get().length === 1);
    house.clock.advance(15_900);
    const id = house.tools.approvals.get()[0]?.id ?? '';
    await house.tools.decide(
      id,
      status === 'ok' ? { kind: 'allow', remember: 'once' } : { kind: 'deny', reason: '' },
    );
    await until(() => house.held() === 0);
    expect(house.note.text()).toContain(`result ${status} ms=0`);
    expect(house.tools.history.find({ limit: 1 })[0]).toMatchObject({ status, ms: 0 });
  },
);

test.each([
  ['block', `${block}\n\nAfter\n`, 3],
  [
    'block with a result',
    `${block}\n\n> [!tool]- memory · find · 3 ms\n> \`\`\`result ok ms=3\n> old\n> \`\`\`\n\nAfter\n`,
    3,
  ],
  ['indented block', `- item\n  ${block.replaceAll('\n', '\n  ')}\n\nAfter\n`, 14],
  ['block behind the mark of an item', `- ${block.replaceAll('\n', '\n  ')}\n\nAfter\n`, 14],
  ['block indented by hand', '  ```memory\n tool: find\nquery: Ada # who\n  ```\n\nAfter\n', 14],
])('a %s whose call is allowed with other arguments says afterwards what was called', async (_, note, at) => {
  const house = createHouse({
    note,
    tools: [catalogTool({ approval: null })],
    work: { find: ({ query }) => text(`found ${query}`) },
  });
  await house.chat.runBlock({ path: house.path, at, version: house.note.version });
  await until(() => house.tools.approvals.get().length === 1);
  const [asked] = house.tools.approvals.get();
  await house.tools.decide(asked?.id ?? '', { kind: 'allow', remember: 'once', arguments: { query: 'Bob' } });
  await until(() => house.held() === 0);
  expect(house.made[0]?.args).toEqual({ query: 'Bob' });
  const written = house.note.text();
  expect(written).toContain('found Bob');
  const { blocks } = parseConversation(written, tags, ['memory']);
  expect(blocks).toMatchObject([{ server: 'memory', tool: 'find', arguments: { query: 'Bob' } }]);
  expect(written).not.toMatch(/Ada|old/);
  expect(written.endsWith('\n\nAfter\n')).toBe(true);
});

test('what a person noted in a block stays when its call is allowed with other arguments', async () => {
  const noted = '```memory\n# of the family\ntool: find\nquery: Ada # the first\n# depth: 2\nlimit: 3\n```';
  const house = createHouse({
    note: `${noted}\n`,
    tools: [catalogTool({ approval: null })],
    work: { find: ({ query }) => text(`found ${query}`) },
  });
  await house.chat.runBlock({ path: house.path, at: 3, version: house.note.version });
  await until(() => house.tools.approvals.get().length === 1);
  const [asked] = house.tools.approvals.get();
  const args = { query: 'Bob', sort: 'name' };
  await house.tools.decide(asked?.id ?? '', { kind: 'allow', remember: 'once', arguments: args });
  await until(() => house.held() === 0);
  expect(house.made[0]?.args).toEqual(args);
  const written = house.note.text();
  for (const kept of ['# of the family', 'query: Bob # the first', '# depth: 2', 'sort: name'])
    expect(written).toContain(kept);
  expect(written).not.toContain('limit: 3');
  const { blocks } = parseConversation(written, tags, ['memory']);
  expect(blocks).toMatchObject([{ tool: 'find', arguments: args }]);
});

test.each([{}, { arguments: { query: 'Bob', limit: 3 } }])(
  "what a person noted in a model's call stays when it is made again (%j)",
  async (changed) => {
    const noted = '# my note\ntool: find\nquery:  Ada # the first\nlimit: 3 # few';
    const house = createHouse({
      note: `#User : go\n\n#Claude : x\n\n${modelCall('ok turn=2').replace('tool: find\n> query: Ada', noted.replaceAll('\n', '\n> '))}\n\nend\n`,
      tools: [catalogTool({ approval: null })],
      work: { find: ({ query }) => text(`found ${query}`) },
    });
    await house.chat.runBlock({ path: house.path, at: 40, version: house.note.version });
    await until(() => house.tools.approvals.get().length === 1);
    const [asked] = house.tools.approvals.get();
    await house.tools.decide(asked?.id ?? '', { kind: 'allow', remember: 'once', ...changed });
    await until(() => house.held() === 0);
    const kept = changed.arguments ? noted.replace(' Ada', 'Bob') : noted;
    expect(house.note.text()).toContain(`\n> ${kept.replaceAll('\n', '\n> ')}\n> \`\`\`\n`);
    expect(house.note.text()).toContain(`found ${changed.arguments?.query ?? 'Ada'}`);
  },
);

test('a block that was rewritten while its call waited stays as it was rewritten', async () => {
  const house = createHouse({
    note: `${block}\n`,
    tools: [catalogTool({ approval: null })],
    work: { find: ({ query }) => text(`found ${query}`) },
  });
  await house.chat.runBlock({ path: house.path, at: 3, version: house.note.version });
  await until(() => house.tools.approvals.get().length === 1);
  const from = house.note.text().indexOf('Ada');
  house.note.edit('person', { from, to: from + 3, insert: 'Eve' });
  const [asked] = house.tools.approvals.get();
  await house.tools.decide(asked?.id ?? '', { kind: 'allow', remember: 'once', arguments: { query: 'Bob' } });
  await until(() => house.held() === 0);
  expect(house.note.text()).toContain('query: Eve');
});
