import { expect, test } from 'vitest';
import { createHouse } from './support/house';
import { catalogTool } from './support/scripted-mcp';
import { says } from './support/scripted-provider';

test('a turn that the provider paused goes on with all that it had said', async () => {
  const native = {
    format: 'anthropic-messages',
    value: { content: [{ type: 'server_tool_use', id: 's1' }] },
  };
  const house = createHouse({
    note: '#User : Search',
    scripts: [
      () => [
        { kind: 'text', text: 'Looking. ' },
        { kind: 'native', state: native },
        { kind: 'finish', reason: 'pause' },
      ],
      () => says('Found.'),
    ],
  });
  await house.answer();
  expect(house.requests).toHaveLength(2);
  expect(house.requests[1]?.messages.at(-1)).toEqual({
    role: 'assistant',
    text: 'Looking. ',
    toolCalls: [],
    native,
  });
  expect(house.note.text()).toContain('Found.');
});

test('pages that the provider’s search quotes stand below the answer, once, unless it links them itself', async () => {
  const house = createHouse({
    note: '---\nweb_search: true\nparameters:\n  top_p: 0.5\n---\n#User : Search',
    scripts: [
      () => [
        { kind: 'text', text: 'See [a](https://a.example/).' },
        { kind: 'source', url: 'https://a.example/', title: 'A' },
        { kind: 'source', url: 'https://b.example/x_(y)', title: 'B [news]' },
        { kind: 'source', url: 'https://b.example/x_(y)', title: 'B [news]' },
        { kind: 'finish', reason: 'stop' },
      ],
    ],
  });
  await house.answer();
  expect(house.note.text()).toContain('Sources: [B  news](https://b.example/x_%28y%29)');
  expect(house.requests[0]).toMatchObject({ webSearch: true, parameters: { top_p: 0.5 } });
});

test.each([
  [
    'by the note',
    'never',
    '---\nweb_search: true\n---\n',
    false,
    [],
    /^Claude has no search of the web in the format/,
  ],
  ['by the provider’s settings', 'never', '', true, [], /^Claude has no search of the web in the format/],
  [
    'beside tools',
    'without-tools',
    '',
    true,
    [catalogTool()],
    /^scripted-1 does not search the web beside tools/,
  ],
  ['without tools', 'without-tools', '', true, [], null],
  ['where the note wants none', 'never', '---\nweb_search: false\n---\n', true, [], null],
] as const)(
  'a search of the web that is wanted %s and cannot be had is said: %s',
  async (...[, can, front, isOn, tools, words]) => {
    const house = createHouse({
      note: `${front}#User : News?`,
      tools: [...tools],
      scripts: [() => says('None.')],
      provider: { search: { can, isOn, format: 'openai-chat' } },
    });
    const said = words === null ? [] : [expect.stringMatching(words)];
    const at = house.note.text().length;
    expect((await house.chat.answerer({ path: house.path, at, version: 0 }))?.unavailable).toEqual(said);
    expect((await house.answer()).notices ?? []).toEqual(said);
  },
);
