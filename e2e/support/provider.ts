import type { ProviderServer } from '../../tests/provider-server';
import { startProviderServer } from '../../tests/provider-server';
import { test as base } from './fixtures';

export { expect } from './fixtures';

/** The app with a provider on this machine that says what the test wants; its tag is `Local`. */
export const test = base.extend<{ provider: ProviderServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern.
  provider: async ({}, use) => {
    await using server = await startProviderServer();
    await use(server);
  },
  settings: async ({ provider }, use) => {
    const local = {
      id: 'local',
      vendor: 'openai-compatible',
      tag: 'Local',
      model: 'm',
      format: 'openai-chat',
    };
    await use({ providers: [{ ...local, baseUrl: `${provider.url}/v1` }], defaultProvider: 'local' });
  },
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
