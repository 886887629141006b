import { expect, test } from 'vitest';
import { createObservable } from '../foundation';
import type { SampleRequest } from '../mcp';
import { createModelSelector } from './sampling';

type Known = ReturnType<Parameters<typeof createModelSelector>[0]>;

const request: SampleRequest = {
  system: 'Be short.',
  messages: [{ role: 'user', text: 'Why?', images: [], toolCalls: [], toolResults: [] }],
  maxTokens: 100,
  hints: [],
  priorities: { cost: 0, speed: 0, intelligence: 0 },
  tools: [],
  toolChoice: 'auto',
};

/** Three providers: the default one, a dear one, a cheap one without a key and a cheap one with. */
function known(asked: unknown[] = []): Known {
  const models = { usual: 'middling-1', dear: 'Big-9', locked: 'tiny-0', cheap: 'tiny-1' };
  const prices = { 'middling-1': 5, 'Big-9': 50, 'tiny-0': 0.1, 'tiny-1': 0.5 };
  const list = Object.entries(models).map(([id, model]) => ({
    id,
    vendor: 'v',
    model,
    key: id === 'locked' ? 'missing' : 'stored',
  }));
  return {
    list: createObservable(list),
    prices: createObservable({
      date: '2026-11-21',
      prices: Object.entries(prices).map(([model, input]) => ({ vendor: 'v', model, input, output: input })),
    }),
    pick: async (id: string | null) => ({
      model: models[(id ?? 'usual') as keyof typeof models],
      async *stream(sent: unknown) {
        asked.push(sent);
        yield { kind: 'text', text: 'Because.' };
        yield { kind: 'tool-call', id: '', name: 'look', arguments: { at: 1 } };
        yield { kind: 'finish', reason: 'tool-calls' };
      },
    }),
  } as unknown as Known;
}

test.each<[string, Partial<SampleRequest>, string]>([
  ['nothing is wanted', {}, 'middling-1'],
  ['a hint names one, in whatever case', { hints: ['nobody', 'big'] }, 'Big-9'],
  ['a hint names one without a key', { hints: ['tiny-0'] }, 'middling-1'],
  ['it should cost little', { priorities: { cost: 0.9, speed: 0, intelligence: 0.2 } }, 'tiny-1'],
  ['it should be fast', { priorities: { cost: 0, speed: 0.7, intelligence: 0.2 } }, 'tiny-1'],
  ['it should be clever', { priorities: { cost: 0.1, speed: 0.1, intelligence: 0.8 } }, 'Big-9'],
  ['all matter alike', { priorities: { cost: 0.8, speed: 0, intelligence: 0.8 } }, 'middling-1'],
])('the model where %s', async (_, wanted, model) => {
  expect((await createModelSelector(() => known())({ ...request, ...wanted })).name).toBe(model);
});

test('tools go along with their calls and results, and what it calls comes back', async () => {
  const asked: unknown[] = [];
  const tools = [{ name: 'look', description: 'Looks', inputSchema: { type: 'object' } }];
  const call = { id: 'c1', name: 'look', arguments: { at: 0 } };
  const blank = { text: '', images: [], toolCalls: [], toolResults: [] };
  const messages: SampleRequest['messages'] = [
    ...request.messages,
    { ...blank, role: 'assistant', toolCalls: [call] },
    { ...blank, role: 'user', toolResults: [{ id: 'c1', text: 'nothing', isError: true }] },
  ];
  const wanted = { ...request, tools, messages, toolChoice: 'required' as const };
  const model = await createModelSelector(() => known(asked))(wanted);
  const { signal } = new AbortController();
  expect(await model.answer(wanted, signal)).toEqual({
    model: 'middling-1',
    text: 'Because.',
    toolCalls: [{ id: 'call_1', name: 'look', arguments: { at: 1 } }],
    cut: false,
  });
  expect(asked).toMatchObject([
    {
      tools,
      toolChoice: 'required',
      maxTokens: 100,
      messages: [
        { role: 'system', text: 'Be short.' },
        { role: 'user', text: 'Why?' },
        { role: 'assistant', toolCalls: [call] },
        { role: 'tool', callId: 'c1', name: 'look', text: 'nothing', isError: true },
      ],
    },
  ]);
  await model.answer({ ...wanted, toolChoice: 'none' }, signal);
  expect(asked[1]).toMatchObject({ tools: [] });
});
