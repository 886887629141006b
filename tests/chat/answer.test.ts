import { expect, test } from 'vitest';
import { AppError, type ProviderFailure } from '../../src/contract/errors';
import type { ResolvedAgent } from '../../src/core/agents';
import type { ModelEvent } from '../../src/core/providers';
import { until } from '../support/until';
import { createHouse } from './support/house';
import { catalogTool, text } from './support/scripted-mcp';
import { calls, says } from './support/scripted-provider';

const find = catalogTool();

test('an answer stands below its question, with a blank turn after it', async () => {
  const house = createHouse({ note: '#User : 1+1=?\n', scripts: [() => says('It is ', '2.')] });
  const picture = await house.answer(5);
  expect(house.note.text()).toBe('#User : 1+1=?\n\n#Claude : It is 2.\n\n#User : \n');
  expect(picture.phase).toEqual({ kind: 'finished', reason: 'stop' });
  expect(picture).toMatchObject({
    characters: 8,
    round: 1,
    cost: 0.01,
    usage: { inputTokens: 10, outputTokens: 5 },
  });
  expect(house.requests[0]?.messages).toEqual([{ role: 'user', text: '1+1=?', attachments: [] }]);
  expect(house.held()).toBe(0);
});

test('text, parallel calls, results, text: each in its place, and the model reads the results in the order asked', async () => {
  const gates: (() => void)[] = [];
  const house = createHouse({
    note: '#User : who?',
    tools: [find],
    work: {
      find: async ({ query }) => {
        await new Promise<void>((resolve) => {
          gates.push(resolve);
          // The second call ends first.
          if (gates.length === 2) [...gates].reverse().forEach((open) => void open());
        });
        return text(`found ${query}`);
      },
    },
    scripts: [
      () =>
        calls(
          'I look.',
          { id: 'a', name: 'memory__find', arguments: { query: 'Ada' } },
          { id: 'b', name: 'memory__find', arguments: { query: 'Bob' } },
        ),
      () => says('Ada and Bob.'),
    ],
  });
  const picture = await house.answer();
  const written = house.note.text();
  expect(written).toMatch(
    /^#User : who\?\n\n#Claude : I look\.\n\n> \[!tool\]- memory · find[\s\S]*found Ada[\s\S]*found Bob[\s\S]*\n\nAda and Bob\.\n\n#User : $/,
  );
  expect(house.requests[1]?.messages.slice(1)).toEqual([
    {
      role: 'assistant',
      text: 'I look.',
      toolCalls: [
        { id: 'a', name: 'memory__find', arguments: { query: 'Ada' } },
        { id: 'b', name: 'memory__find', arguments: { query: 'Bob' } },
      ],
    },
    { role: 'tool', callId: 'a', name: 'memory__find', text: 'found Ada', isError: false, images: [] },
    { role: 'tool', callId: 'b', name: 'memory__find', text: 'found Bob', isError: false, images: [] },
  ]);
  expect(picture.calls.map((call) => call.state)).toEqual(['ok', 'ok']);
});

test('a conversation that is sent again holds the calls and results that were made', async () => {
  const house = createHouse({
    note: '#User : who?',
    tools: [find],
    work: { find: ({ query }) => text(`found\n\`\`\`\n#User : ${query}`) },
    scripts: [
      () => calls('I look.', { id: 'a', name: 'memory__find', arguments: { query: 'Ada' } }),
      () => says('Ada.'),
      () => says('Yes.'),
    ],
  });
  await house.answer();
  house.note.edit('person', { from: house.note.text().length, insert: 'sure?' });
  await house.answer();
  const [question, called, result, answer, again] = house.requests[2]?.messages ?? [];
  expect(question).toMatchObject({ role: 'user', text: 'who?' });
  expect(called).toMatchObject({
    text: 'I look.',
    toolCalls: [{ name: 'memory__find', arguments: { query: 'Ada' } }],
  });
  expect(result).toMatchObject({ role: 'tool', text: 'found\n```\n#User : Ada', isError: false });
  expect(answer).toMatchObject({ role: 'assistant', text: 'Ada.' });
  expect(again).toMatchObject({ role: 'user', text: 'sure?' });
});

test('stopping in the middle of the text keeps it and adds nothing', async () => {
  const house = createHouse({
    note: '#User : tell',
    scripts: [
      async function* (_request, signal) {
        yield { kind: 'text', text: 'Once upon a time' };
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        throw new AppError('provider.failed', 'Cancelled.', {
          provider: 'Claude',
          failure: 'cancelled',
          status: null,
          retryAfterMs: null,
        });
      },
    ],
  });
  const { runId, finished } = await house.ask();
  await until(() => house.note.text().includes('Once'));
  house.chat.stop(runId);
  expect((await finished).phase).toEqual({ kind: 'finished', reason: 'cancelled' });
  expect(house.note.text()).toBe('#User : tell\n\n#Claude : Once upon a time');
});

test('stopping before the first word leaves the note as it was', async () => {
  const house = createHouse({
    note: '#User : tell\n',
    scripts: [
      async function* (_request, signal) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        yield* says('too late');
      },
    ],
  });
  const { runId, finished } = await house.ask(3);
  await until(() => house.requests.length === 1);
  house.chat.stop(runId);
  await finished;
  expect(house.note.text()).toBe('#User : tell\n');
});

test('stopping in the middle of a call cancels it at once, keeps the text and says so', async () => {
  let cancelledAtServer = false;
  const house = createHouse({
    note: '#User : go',
    tools: [find],
    work: {
      find: (_args, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            cancelledAtServer = true;
            reject(new AppError('request.cancelled', 'Cancelled.', {}));
          });
        }),
    },
    scripts: [() => calls('I look.', { id: 'a', name: 'memory__find', arguments: {} })],
  });
  const { runId, finished } = await house.ask();
  await until(() => house.made.length === 1);
  expect(house.note.text()).toContain('running');
  house.chat.stop(runId);
  const picture = await finished;
  expect(cancelledAtServer).toBe(true);
  expect(picture.phase).toEqual({ kind: 'finished', reason: 'cancelled' });
  expect(picture.calls[0]?.state).toBe('cancelled');
  expect(house.note.text()).toContain('I look.');
  expect(house.note.text()).toContain('result cancelled');
  expect(house.note.text()).not.toContain('running');
});

test('one call is stopped alone; the model is told and goes on', async () => {
  const house = createHouse({
    note: '#User : go',
    tools: [find],
    work: {
      find: (_args, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new AppError('request.cancelled', 'Cancelled.', {})));
        }),
    },
    scripts: [() => calls('', { id: 'a', name: 'memory__find', arguments: {} }), () => says('Then without.')],
  });
  const { finished } = await house.ask();
  await until(() => house.made.length === 1);
  house.chat.stopCall(house.chat.runs.get()[0]?.calls[0]?.callId ?? '');
  expect((await finished).phase).toEqual({ kind: 'finished', reason: 'stop' });
  expect(house.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', isError: true });
  expect(house.note.text()).toContain('Then without.');
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
    note: '#User : hi\n\n#Claude : \n\n> [!failure] No answer\n> The network failed.\n',
    scripts: [() => says('Hello.')],
  });
  await house.answer();
  expect(house.note.text()).toBe('#User : hi\n\n#Claude : Hello.\n\n#User : \n');
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

const poet: ResolvedAgent = {
  ...{ name: 'Poet', path: '.interlinear/agents/Poet.md', instructions: '', problem: null },
  ...{ provider: null, model: null, tools: null, temperature: null, maxTokens: null },
  ...{ approval: null, reasoning: null, webSearch: null, parameters: null },
};

// biome-ignore lint/correctness/useYield: it fails before it says anything.
function* failing(failure: ProviderFailure): Generator<ModelEvent> {
  const details = { provider: 'Claude', failure, status: null, retryAfterMs: null };
  throw new AppError('provider.failed', `It failed: ${failure}.`, details);
}

test('an answer is written anew in its place, by whoever is asked for; undone, it is the old one', async () => {
  const house = createHouse({
    note: '#User : hi\n\n#Claude : Old words.\n\n#User : next',
    agents: [poet],
    scripts: [() => says('New words.')],
  });
  const before = house.note.text();
  await expect(house.answer(before.indexOf('Old'))).rejects.toMatchObject({ code: 'chat.nothing-to-answer' });
  await house.answer(before.indexOf('Old'), { replace: true, tag: 'Poet' });
  expect(house.note.text()).toBe('#User : hi\n\n#Poet : New words.\n\n#User : next');
  expect(house.requests[0]?.messages).toHaveLength(1);
});

test('a second answer stands below the first one, which it does not know', async () => {
  const house = createHouse({
    note: '#User : hi\n\n#Claude : Old words.\n\n#User : next',
    agents: [poet],
    scripts: [() => says('Other words.')],
  });
  await house.answer(house.note.text().indexOf('Old'), { beside: true, tag: 'Poet' });
  expect(house.note.text()).toBe(
    '#User : hi\n\n#Claude : Old words.\n\n#Poet : Other words.\n\n#User : next',
  );
  expect(house.requests[0]?.messages).toMatchObject([{ role: 'user', text: 'hi' }]);
});

test('an answer that was to be written anew stays where nothing came in its place', async () => {
  const house = createHouse({
    note: '#User : hi\n\n#Claude : Old words.\n\n#User : next',
    agents: [poet],
    scripts: [() => failing('overloaded')],
  });
  await house.answer(house.note.text().indexOf('Old'), { replace: true, tag: 'Poet' });
  expect(house.note.text()).toMatch(
    /^#User : hi\n\n#Claude : Old words\.\n\n> \[!failure\][\s\S]*<!-- overloaded provider=\S+ model=\S+ -->\n\n#User : next$/,
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
  await house.answer(house.note.text().length, { trim: 1 });
  expect(house.requests[1]?.messages).toMatchObject([{ role: 'user', text: 'last' }]);
  expect(house.note.text()).toMatch(
    /#Claude :\s+> \[!info\]- Left out to make room\n> Not sent: 2 older messages\.\n\nShort\.\n\n#User : $/,
  );
  expect(house.note.text()).not.toContain('[!failure]');
});

test('a person types above and below while the answer streams; nothing is lost on either side', async () => {
  const steps: (() => void)[] = [];
  const house = createHouse({
    note: '# Notes\n\n#User : tell\n',
    scripts: [
      async function* () {
        for (const word of ['one ', 'two ', 'three']) {
          yield { kind: 'text', text: word };
          await new Promise<void>((resolve) => steps.push(resolve));
        }
        yield { kind: 'finish', reason: 'stop' };
      },
    ],
  });
  const { finished } = await house.ask(12);
  for (let index = 0; index < 3; index++) {
    await until(() => steps.length > index);
    house.note.edit('person', { from: 2, insert: `${index}` });
    house.note.edit('person', { from: house.note.text().length, insert: `below ${index}\n` });
    house.clock.advance(50);
    steps[index]?.();
  }
  await finished;
  expect(house.note.text()).toBe(
    '# 210Notes\n\n#User : tell\n\n#Claude : one two three\nbelow 0\nbelow 1\nbelow 2\n',
  );
});

test('text reaches the note in at most 30 changes a second', async () => {
  const house = createHouse({
    note: '#User : go',
    scripts: [
      async function* () {
        for (let index = 0; index < 1000; index++) {
          yield { kind: 'text', text: `w${index} ` };
          house.clock.advance(1);
        }
        yield { kind: 'finish', reason: 'stop' };
      },
    ],
  });
  await house.answer();
  expect(house.note.edits.length).toBeLessThanOrEqual(34);
  expect(house.note.text()).toContain('w998 w999\n');
});

test('reasoning is folded away and never sent again', async () => {
  const house = createHouse({
    note: '#User : go',
    scripts: [
      () => [{ kind: 'reasoning', text: 'First\n' }, { kind: 'reasoning', text: 'then' }, ...says('Done.')],
      () => says('Again.'),
    ],
  });
  await house.answer();
  expect(house.note.text()).toBe(
    '#User : go\n\n#Claude : \n\n> [!thinking]- 0.0 s\n> First\n> then\n\nDone.\n\n#User : ',
  );
  house.note.edit('person', { from: house.note.text().length, insert: 'more' });
  await house.answer();
  expect(house.requests[1]?.messages[1]).toEqual({ role: 'assistant', text: 'Done.', toolCalls: [] });
});

test('one run a note at a time', async () => {
  const house = createHouse({
    note: '#User : go',
    scripts: [
      async function* (_request, signal) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        yield* says('');
      },
    ],
  });
  const { runId, finished } = await house.ask();
  await expect(house.ask(3)).rejects.toMatchObject({ code: 'chat.busy', details: { runId } });
  house.chat.stop(runId);
  await finished;
});

test('the limit of rounds ends the answer in plain sight; with one round no tool runs', async () => {
  const house = createHouse({
    note: '#User : go',
    tools: [find],
    work: { find: () => text('x') },
    scripts: [() => calls('I look.', { id: 'a', name: 'memory__find', arguments: {} })],
  });
  const picture = await house.answer(undefined, { rounds: 1 });
  expect(picture.phase).toEqual({ kind: 'finished', reason: 'rounds' });
  expect(house.made).toEqual([]);
  expect(house.note.text()).toContain('> [!failure] Stopped after 1 round');
  expect(house.note.text()).toContain('memory · find');
});

test('arguments that are no JSON object go back to the model as an error', async () => {
  const house = createHouse({
    note: '#User : go',
    tools: [find],
    scripts: [
      () => calls('', { id: 'a', name: 'memory__find', arguments: null, raw: '{"query": ' }),
      () => says('Sorry.'),
    ],
  });
  await house.answer();
  expect(house.made).toEqual([]);
  expect(house.requests[1]?.messages.at(-1)).toMatchObject({
    role: 'tool',
    isError: true,
    text: expect.stringContaining('{"query": '),
  });
});

test('a tool that does not exist is answered with the nearest names', async () => {
  const house = createHouse({
    note: '#User : go',
    tools: [find],
    scripts: [() => calls('', { id: 'a', name: 'memory__fnd', arguments: {} }), () => says('Oh.')],
  });
  await house.answer();
  expect(house.requests[1]?.messages.at(-1)).toMatchObject({
    isError: true,
    text: expect.stringContaining('memory__find'),
  });
});

test('native state goes back to the provider within the run only', async () => {
  const native = { format: 'demo', value: 'signature' };
  const house = createHouse({
    note: '#User : go',
    tools: [find],
    work: { find: () => text('x') },
    scripts: [
      () => [
        { kind: 'native', state: native },
        ...calls('', { id: 'a', name: 'memory__find', arguments: {} }),
      ],
      () => says('Done.'),
      () => says('Again.'),
    ],
  });
  await house.answer();
  expect(house.requests[1]?.messages[1]).toMatchObject({ native });
  house.note.edit('person', { from: house.note.text().length, insert: 'more' });
  await house.answer();
  expect(JSON.stringify(house.requests[2]?.messages)).not.toContain('signature');
});

test('all that a run writes is by its own hand', async () => {
  const house = createHouse({ note: '#User : go', scripts: [() => says('Yes.')] });
  const { runId, finished } = await house.ask();
  await finished;
  expect(new Set(house.note.edits.map((edit) => edit.clientId))).toEqual(new Set([runId]));
});

test('a note that cannot be written ends the run, not the app', async () => {
  const house = createHouse({
    note: '#User : go',
    scripts: [
      function* () {
        yield { kind: 'text', text: 'a' } as const;
        house.note.breakWith(new AppError('vault.read-only', 'Read-only.', { path: 'Talk.md' }));
        yield* says('b');
      },
    ],
  });
  const picture = await house.answer();
  expect(picture.phase).toMatchObject({ kind: 'failed', error: { code: 'vault.read-only' } });
  expect(house.held()).toBe(0);
});

test('a result above the limit is kept whole beside the note and cut in it', async () => {
  const house = createHouse({
    note: '#User : go',
    tools: [find],
    work: { find: () => text('line of text\n'.repeat(200)) },
    settings: { tools: { resultLimit: 512 } },
    scripts: [() => calls('', { id: 'a', name: 'memory__find', arguments: {} }), () => says('Long.')],
  });
  await house.answer();
  expect(house.note.text().length).toBeLessThan(1500);
  expect(house.note.text()).toContain('truncated');
  const file = /attachments\/find-[\w-]+\.txt/.exec(house.note.text())?.[0] ?? '';
  expect((await house.vault.read(file)).text).toBe('line of text\n'.repeat(200));
  expect(house.requests[1]?.messages.at(-1)).toMatchObject({ text: expect.stringContaining(file) });
});

test('a picture in a result becomes a file and reaches a model that takes pictures', async () => {
  const base64 = Buffer.from('not really a picture').toString('base64');
  const house = createHouse({
    note: '#User : go',
    tools: [find],
    work: {
      find: () => ({
        isError: false,
        parts: [{ kind: 'image', mediaType: 'image/png', base64 }],
        structured: null,
      }),
    },
    scripts: [() => calls('', { id: 'a', name: 'memory__find', arguments: {} }), () => says('Nice.')],
  });
  await house.answer();
  expect(house.note.text()).toMatch(/!\[\[attachments\/find-[\w-]+\.png\]\]/);
  expect(house.requests[1]?.messages.at(-1)).toMatchObject({ images: [{ mediaType: 'image/png', base64 }] });
});

test('stop does not wait for a provider that goes on regardless', async () => {
  const house = createHouse({
    note: '#User : tell',
    scripts: [
      async function* () {
        yield { kind: 'text', text: 'One' };
        await new Promise(() => undefined);
      },
    ],
  });
  const { runId, finished } = await house.ask();
  await until(() => house.note.text().includes('One'));
  house.chat.stop(runId);
  expect((await finished).phase).toEqual({ kind: 'finished', reason: 'cancelled' });
});

test('an equal call is answered from the note, in the same answer and in a later one', async () => {
  const again = () => calls('', { id: 'a', name: 'memory__find', arguments: { query: 'Ada', n: 1 } });
  const house = createHouse({
    note: '#User : go',
    tools: [catalogTool({ annotations: { readOnly: true } })],
    work: { find: () => text('found') },
    scripts: [again, again, () => says('Twice.'), again, () => says('Thrice.')],
  });
  await house.answer();
  expect(house.note.text().match(/ cached/g)).toHaveLength(1);
  house.note.edit('person', { from: house.note.text().length, insert: 'and again' });
  await house.answer();
  expect(house.made).toHaveLength(1);
  expect(house.note.text().match(/ cached/g)).toHaveLength(2);
  expect(house.requests[4]?.messages.at(-1)).toMatchObject({ role: 'tool', text: 'found', isError: false });
});

test('arguments that were edited at the question stand in the note and are what the model is told of later', async () => {
  const house = createHouse({
    note: '#User : go',
    tools: [catalogTool({ approval: null })],
    work: { find: ({ query }) => text(`found ${query}`) },
    scripts: [
      () => calls('', { id: 'a', name: 'memory__find', arguments: { query: 'Ada' } }),
      () => says('x'),
      () => says('y'),
    ],
  });
  const { finished } = await house.ask();
  await until(() => house.tools.approvals.get().length === 1);
  expect(house.chat.runs.get()[0]?.phase).toEqual({ kind: 'calling', running: 0, asked: 1 });
  const id = house.tools.approvals.get()[0]?.id ?? '';
  house.tools.decide(id, { kind: 'allow', remember: 'once', arguments: { query: 'Bob' } });
  await finished;
  expect(house.note.text()).toContain('query: Bob');
  expect(house.note.text()).not.toContain('Ada');
});

test('an answer that reached its greatest length says so', async () => {
  const house = createHouse({
    note: '#User : go',
    scripts: [
      () => [
        { kind: 'text', text: 'Long' },
        { kind: 'finish', reason: 'length' },
      ],
    ],
  });
  expect((await house.answer()).phase).toEqual({ kind: 'finished', reason: 'length' });
  expect(house.note.text()).toContain('Long\n\n> [!failure] Cut off');
});
