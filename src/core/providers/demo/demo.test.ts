import { expect, test } from 'vitest';
import { ask, collect, testProviders } from '../../../../tests/providers/support';
import type { NeutralMessage, NeutralTool } from '../provider';

const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const tools: NeutralTool[] = [
  {
    name: 'vault__list_workspaces',
    description: 'Lists the workspaces of the vault',
    inputSchema: object({}),
  },
  {
    name: 'vault__list_files',
    description: 'Lists the files of the vault',
    inputSchema: object({ glob: { type: 'string' } }),
  },
  {
    name: 'vault__read_docs',
    description: 'Reads notes',
    inputSchema: object({ paths: { type: 'array', items: { type: 'string' } } }, ['paths']),
  },
  {
    name: 'vault__update_doc',
    description: 'Writes a note',
    inputSchema: object(
      { path: { type: 'string' }, content: { type: 'string' }, create: { type: 'boolean' } },
      ['path'],
    ),
  },
];

const notes: Record<string, string> = {
  'Garden/Overview.md':
    '---\nstatus: open\n---\n# Garden\n\nA garden for the street.\n\n- [ ] Ask for a water tap\n- [x] Measure it\n',
  'Garden/Decisions/001 Beds.md': '# Beds\n\nDecided: raised beds, because of the soil.\n',
  'Garden/Milestones/Spring.md': '# Spring\n\n- [ ] Buy soil\n',
  'Recipes/Soup.md': '# Soup\n\nWith leeks.\n',
};

/** Answers as the vault server does. */
function run(name: string, input: Readonly<Record<string, unknown>>): string {
  if (name === 'vault__list_files')
    return JSON.stringify({ files: Object.keys(notes).map((path) => ({ path, size: 10, title: path })) });
  if (name === 'vault__read_docs') {
    const paths = input.paths as string[];
    return JSON.stringify({ docs: paths.map((path) => ({ path, text: notes[path], hash: 'h' })) });
  }
  return JSON.stringify({ ok: true, input });
}

/** Plays a whole turn as the app does: runs what is called, until the demo only answers. */
async function converse(question: string, offered: readonly NeutralTool[] = tools, result = run) {
  const provider = await testProviders().pick(null);
  const messages: NeutralMessage[] = [{ role: 'user', text: question, attachments: [] }];
  const rounds: string[][] = [];
  let inputs: unknown[] = [];
  for (let round = 0; round < 6; round++) {
    const outcome = await collect(
      provider.stream(
        ask('', { messages, tools: offered, parameters: { pace: 0 } }),
        new AbortController().signal,
      ),
    );
    expect(outcome.error).toBeNull();
    if (outcome.calls.length === 0) return { text: outcome.text, rounds, inputs };
    expect(outcome.finish).toBe('tool-calls');
    rounds.push(outcome.calls.map(({ name }) => name));
    inputs = [...inputs, ...outcome.calls.map((call) => call.arguments)];
    messages.push({
      role: 'assistant',
      text: outcome.text,
      toolCalls: outcome.calls.map((call) => ({
        id: call.id,
        name: call.name,
        arguments: call.arguments ?? {},
      })),
    });
    for (const call of outcome.calls)
      messages.push({
        role: 'tool',
        callId: call.id,
        name: call.name,
        text: result(call.name, call.arguments ?? {}),
        isError: false,
        images: [],
      });
  }
  throw new Error('The demo never came to an end.');
}

test('asked what is open it lists the notes, reads the fitting ones side by side and answers in their lines', async () => {
  const { text, rounds } = await converse('What is still open in the garden project?');
  expect(rounds).toEqual([
    ['vault__list_files'],
    ['vault__read_docs', 'vault__read_docs', 'vault__read_docs'],
  ]);
  expect(text).toContain('- [ ] Ask for a water tap ([[Garden/Overview]])');
  expect(text).toContain('- [ ] Buy soil');
  expect(text).toContain('raised beds, because of the soil');
  expect(text).not.toContain('Measure it');
  expect(text).not.toContain('leeks');
});

test('a note is created with the name and the words asked for', async () => {
  const { text, inputs } = await converse(
    'Create a note called "Water plan" with the text: Tap first, then hoses.',
  );
  expect(inputs).toEqual([
    { path: 'Water plan.md', content: '# Water plan\n\nTap first, then hoses.\n', create: true },
  ]);
  expect(text).toContain('[[Water plan]]');
});

test('text is added to a note that is named', async () => {
  const { inputs } = await converse('Add "buy leeks" to [[Recipes/Soup]]');
  expect(inputs).toEqual([{ path: 'Recipes/Soup.md', append: '\nbuy leeks\n' }]);
});

test('a note that is named is read', async () => {
  const { text, rounds } = await converse('Summarise Recipes/Soup.md please');
  expect(rounds).toEqual([['vault__read_docs']]);
  expect(text).toContain('With leeks.');
});

test('notes are listed', async () => {
  const { text } = await converse('List all my notes');
  expect(text).toContain('There are 4 notes');
  expect(text).toContain('[[Recipes/Soup]]');
  const one = await converse('List all my notes', tools, () => '["Soup.md"]');
  expect(one.text).toContain('There is 1 note:');
});

const others: NeutralTool[] = [
  {
    name: 'sums__add',
    description: 'Adds two numbers',
    inputSchema: object({ a: { type: 'integer' }, b: { type: 'integer' } }, ['a', 'b']),
  },
  {
    name: 'sums__multiply',
    description: 'Multiplies two numbers',
    inputSchema: object({ a: { type: 'integer' }, b: { type: 'integer' } }, ['a', 'b']),
  },
  {
    name: 'weather__get_weather',
    description: 'The current weather of a place',
    inputSchema: object(
      { location: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'kelvin'] } },
      ['location'],
    ),
  },
  {
    name: 'echo__echo',
    description: 'Echoes',
    inputSchema: object({ message: { type: 'string' } }, ['message']),
  },
];

test.each([
  [
    'Add and multiply 2 and 3',
    [['sums__add', 'sums__multiply']],
    [
      { a: 2, b: 3 },
      { a: 2, b: 3 },
    ],
  ],
  [
    'What is the weather in Rome and Paris?',
    [['weather__get_weather', 'weather__get_weather']],
    [{ location: 'Rome' }, { location: 'Paris' }],
  ],
  ['Echo "good morning"', [['echo__echo']], [{ message: 'good morning' }]],
  [
    'Use get_weather with location: Oslo, unit: kelvin',
    [['weather__get_weather']],
    [{ location: 'Oslo', unit: 'kelvin' }],
  ],
])('any tool is found by its words: %s', async (question, rounds, inputs) => {
  const turn = await converse(question, [...tools, ...others], (name) => `result of ${name}`);
  expect(turn.rounds).toEqual(rounds);
  expect(turn.inputs).toEqual(inputs);
  expect(turn.text).toContain('result of');
});

test('an argument that the words do not give is asked for', async () => {
  const { text, rounds } = await converse('Use get_weather', others);
  expect(rounds).toEqual([]);
  expect(text).toContain('`location`');
});

test('without anything to do it says what it is and what to configure', async () => {
  const { text } = await converse('Why is the sky blue?', []);
  expect(text).toContain('Demo (no model)');
  expect(text).toContain('Settings → Providers');
});

test('a failed call is told, not hidden', async () => {
  const provider = await testProviders().pick('demo');
  const outcome = await collect(
    provider.stream(
      ask('', {
        tools,
        messages: [
          { role: 'user', text: 'List all notes', attachments: [] },
          { role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'vault__list_files', arguments: {} }] },
          {
            role: 'tool',
            callId: 'a',
            name: 'vault__list_files',
            text: 'Denied by the person.',
            isError: true,
            images: [],
          },
        ],
        parameters: { pace: 0 },
      }),
      new AbortController().signal,
    ),
  );
  expect(outcome.text).toContain('Denied by the person.');
});

test('a long story can be stopped half-way', async () => {
  const provider = await testProviders().pick('Demo');
  const stop = new AbortController();
  let pieces = 0;
  const error = await (async () => {
    for await (const event of provider.stream(
      ask('Tell me a long story', { parameters: { pace: 1 } }),
      stop.signal,
    ))
      if (event.kind === 'text' && ++pieces === 20) stop.abort();
  })().catch((thrown: unknown) => thrown);
  expect(pieces).toBe(20);
  expect(error).toMatchObject({ code: 'provider.failed', details: { failure: 'cancelled' } });
});
