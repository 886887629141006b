import { expect, test } from 'vitest';
import type { ResolvedAgent } from '../../src/core/agents';
import { createLog } from '../../src/core/foundation';
import { createSettings } from '../../src/core/settings';
import { createHouse } from './support/house';

const agent = {
  ...{ name: 'New agent', tag: 'New-agent', path: '.interlinear/agents/New agent.md', instructions: '' },
  ...{ problem: null, provider: null, model: null, tools: null, temperature: null, maxTokens: null },
  ...{ approval: null, reasoning: null, webSearch: null, parameters: null },
} satisfies ResolvedAgent;

test('an agent that is asked by a name with a blank answers under a tag that is read as its own', async () => {
  const house = createHouse({ note: '#User : q', agents: [agent] });
  await house.answer(5, { tag: 'New agent' });
  expect(house.note.text()).toContain('\n#New-agent : ');
  expect(house.note.text()).not.toContain('#New agent');
  expect(house.settings.current.get().formerTags).toContain('New-agent');
});

test('what a model said stays its own when its provider is removed, and its tag is nobody else’s', () => {
  const { settings } = createHouse({
    settings: { providers: [{ id: 'p', vendor: 'ollama', tag: 'MyBox', model: 'm' }] },
  });
  settings.change({ providers: [] });
  expect(settings.current.get().formerTags).toEqual(['MyBox']);
  expect(() => settings.change({ tags: { user: ['mybox'] } })).toThrow(
    expect.objectContaining({ code: 'settings.tag-taken' }),
  );
  settings.change({ providers: [{ id: 'q', vendor: 'ollama', tag: 'MyBox', model: 'm' }] });
  settings.change({ tags: { user: ['Me'] } });
});

test('what a model said stays its own when its provider goes from the file itself, or its entry is damaged', () => {
  const box = { id: 'p', vendor: 'ollama', tag: 'MyBox', model: 'm' };
  let stored: unknown = { providers: [box] };
  const told: string[] = [];
  const open = () =>
    createSettings({
      settingsFile: {
        path: 'memory',
        read: () => stored,
        write: (settings) => {
          stored = settings;
        },
      },
      log: createLog(() => undefined),
      onTrouble: ({ state }) => told.push(state),
    });
  const settings = open();
  stored = { providers: [] };
  settings.change({ providers: [box] });
  stored = { version: 1, providers: [] };
  expect(settings.change({ fontSize: 15 }).formerTags).toEqual(['MyBox']);
  stored = { providers: [{ ...box, model: 7 }] };
  expect(open().current.get().formerTags).toEqual(['MyBox']);
  expect(told).toEqual(['damaged']);
});

test('an answer of a model that is gone is sent as an answer', async () => {
  const note = '#User : q\n\n#MyBox : said by a model\n\n#User : r';
  const house = createHouse({ note, settings: { formerTags: ['MyBox'] } });
  await house.answer(note.length);
  expect(house.requests[0]?.messages).toMatchObject([
    { role: 'user', text: 'q' },
    { role: 'assistant', text: 'said by a model' },
    { role: 'user', text: 'r' },
  ]);
});
