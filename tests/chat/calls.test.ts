import { expect, test } from 'vitest';
import { until } from '../support/until';
import { createHouse } from './support/house';
import { catalogTool, text } from './support/scripted-mcp';
import { calls, says } from './support/scripted-provider';

const find = catalogTool();

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
  expect(house.chat.runs.get()[0]).toMatchObject({ phase: { kind: 'calling', running: 0, asked: 1 } });
  expect(house.note.text()).toMatch(/```result running at=\S+ turn=1 asked id=a parts=0\n/);
  const id = house.tools.approvals.get()[0]?.id ?? '';
  await house.tools.decide(id, { kind: 'allow', remember: 'once', arguments: { query: 'Bob' } });
  await finished;
  expect(house.note.text()).toContain('query: Bob');
  expect(house.note.text()).not.toContain('Ada');
  expect(house.note.text()).not.toContain('asked');
});
