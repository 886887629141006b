import type { ProviderServer } from '../../tests/provider-server';
import { startProviderServer } from '../../tests/provider-server';
import { test as base } from './fixtures';

export { expect } from './fixtures';

const local = {
  ...{ id: 'local', tag: 'Local', vendor: 'openai-compatible' },
  ...{ model: 'm', format: 'openai-chat' },
};

/** Settings in which it answers by itself, and those in `more` (as `{ id, tag }`) when they are asked. */
export const settingsFor = ({ url }: ProviderServer, ...more: object[]) => ({
  providers: [{}, ...more].map((one) => ({ ...local, baseUrl: `${url}/v1`, ...one })),
  defaultProvider: local.id,
});

/** The app with a provider on this machine that says what the test wants; its tag is `Local`. */
export const test = base.extend<{ provider: ProviderServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern.
  provider: async ({}, use) => {
    await using server = await startProviderServer();
    await use(server);
  },
  settings: ({ provider }, use) => use(settingsFor(provider)),
});

const chunk = (choice: object) =>
  `data: ${JSON.stringify({
    id: 'x',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, ...choice }],
  })}\n\n`;

/** A piece of an answer, and its end, in the form of OpenAI's chat. */
export const said = (delta: object): string => chunk({ delta });
export const ended = (reason: string): string =>
  `${chunk({ delta: {}, finish_reason: reason })}data: [DONE]\n\n`;

/** A whole answer. */
export const spoken = (...words: string[]): string =>
  words.map((content) => said({ content })).join('') + ended('stop');

/** A round that ends in calls; each as the model's name of the tool and what it is given. */
export function calling(...calls: [tool: string, args: object][]): string {
  const tool_calls = calls.map(([name, args], index) => ({
    ...{ index, id: `call_${index}`, type: 'function' },
    function: { name, arguments: JSON.stringify(args) },
  }));
  return said({ tool_calls }) + ended('tool_calls');
}
