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

/** A whole answer in the form of OpenAI's chat. */
export function spoken(...words: string[]): string {
  const chunk = (choice: object) =>
    `data: ${JSON.stringify({
      id: 'x',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, ...choice }],
    })}\n\n`;
  return [
    ...words.map((content) => chunk({ delta: { content } })),
    chunk({ delta: {}, finish_reason: 'stop' }),
    'data: [DONE]\n\n',
  ].join('');
}
