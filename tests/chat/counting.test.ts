import { expect, test } from 'vitest';
import type { NeutralMessage } from '../../src/core/providers';
import { toRequest as toChat } from '../../src/core/providers/openai-chat/to-request';
import { usual } from '../../src/core/providers/quirks';
import { createHouse } from './support/house';
import { catalogTool, text as textOf } from './support/scripted-mcp';
import { calls, says } from './support/scripted-provider';

test.each(['toolu_01A09q90qw90lq917835lq9', 'functions.find:0', '0'])(
  'the provider’s id of a call, %s, stands in the note and goes back with the next question',
  async (id) => {
    const house = createHouse({
      note: '#User : Read it',
      tools: [catalogTool()],
      work: { find: () => textOf('Done') },
      scripts: [
        () => calls('', { id, name: 'memory__find', arguments: { query: 'x' } }),
        () => says('It says so.'),
        () => says('Yes.'),
      ],
    });
    await house.answer();
    const text = house.note.text();
    expect(text).toContain(`id=${id}`);
    house.note.edit('me', { from: text.length, to: text.length, insert: 'Sure?' });
    await house.answer();
    const during = house.requests[1]?.messages ?? [];
    const later = house.requests[2]?.messages.slice(0, during.length) ?? [];
    const sent = (messages: readonly NeutralMessage[]) =>
      toChat(
        { model: 'm', messages: messages.map((one) => ({ ...one, native: undefined })), tools: [] },
        usual,
      ).messages;
    expect(sent(later)).toEqual(sent(during));
    expect(JSON.stringify(sent(later))).toContain(JSON.stringify(id));
  },
);

test('an answer that is stopped or breaks off is counted as far as it came', async () => {
  const stopped = createHouse({
    note: '#User : Tell me about the weather in all the places you know',
    scripts: [
      async function* (_request, signal) {
        yield { kind: 'usage-so-far', usage: { inputTokens: 900, outputTokens: 1 } };
        yield { kind: 'text', text: 'It rains in a great many places. ' };
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        signal.throwIfAborted();
      },
    ],
  });
  const { runId, finished } = await stopped.ask();
  await expect.poll(() => stopped.note.text()).toContain('many places');
  stopped.chat.stop(runId);
  const run = await finished;
  expect(run.phase).toMatchObject({ reason: 'cancelled' });
  expect(run.usage?.inputTokens).toBe(900);
  expect(run.usage?.outputTokens).toBeGreaterThan(4);
  expect(run.cost).toBe(0.01);

  const broken = createHouse({
    note: '#User : Tell me',
    scripts: [
      async function* () {
        yield { kind: 'text', text: 'It rains.' };
        throw new Error('gone');
      },
    ],
  });
  const failed = await broken.answer();
  expect(failed.phase.kind).toBe('failed');
  expect(failed.usage?.inputTokens).toBeGreaterThan(0);
  expect(failed.usage?.outputTokens).toBeGreaterThan(1);
});

test('what a provider says that an answer cost is what it cost, round by round', async () => {
  const house = createHouse({
    note: '#User : Read it',
    tools: [catalogTool()],
    work: { find: () => textOf('Done') },
    scripts: [
      () => [
        { kind: 'usage', usage: { inputTokens: 10, outputTokens: 5 }, cost: 0.25 },
        ...calls('', { id: 'a', name: 'memory__find', arguments: {} }),
      ],
      () => says('Of two rounds, only the first one told.'),
    ],
  });
  expect((await house.answer()).cost).toBe(0.26);
});
