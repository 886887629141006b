import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProviderServer, startProviderServer } from '../tests/provider-server';
import { test as base, expect } from './support/fixtures';

const wires = join(import.meta.dirname, '../tests/fixtures/wire/loops');
const key = 'planted-key-7f3a91';

/** Says what a model said once: first that it wants to read two notes, of which one is missing, then the answer. */
const test = base.extend<{
  provider: ProviderServer;
  format: string;
  vendor: string;
  settings: Record<string, unknown>;
}>({
  format: ['', { option: true }],
  vendor: ['', { option: true }],
  provider: async ({ format }, use) => {
    await using server = await startProviderServer();
    const files = readdirSync(wires).filter((name) => name.startsWith(`${format}-`));
    server.answer(...files.sort().map((name) => ({ body: readFileSync(join(wires, name)), pieces: 40 })));
    await use(server);
  },
  settings: async ({ provider, vendor, format }, use) =>
    use({
      providers: [
        { id: 'replayed', vendor, tag: 'Replayed', model: 'some-model', format, baseUrl: provider.url },
      ],
      defaultProvider: 'replayed',
    }),
});

const wiresOf = {
  'openai-chat': 'openai-compatible',
  'openai-responses': 'openai',
  'anthropic-messages': 'anthropic',
  'gemini-generateContent': 'gemini',
  'ollama-chat': 'ollama',
};

for (const [format, vendor] of Object.entries(wiresOf)) {
  test.describe(format, () => {
    test.use({
      format,
      vendor,
      environment: { INTERLINEAR_API_KEY: key },
      notes: {
        'Question.md': '#User : What grows?\n',
        'Garden.md': '# Garden\n\nBeans and peas are sown.\n',
      },
    });

    test(`a note asks a provider that speaks ${format}: calls approved, results sent back, answer written`, async ({
      app,
      provider,
    }) => {
      const { page } = app;
      await app.openNote('Question');
      await page.getByText('What grows?').click();
      await page.keyboard.press('End');
      await page.keyboard.press('ControlOrMeta+Enter');
      const waiting = page.locator('.cm-content').getByText('waits for your answer');
      await expect(waiting).toHaveCount(2);
      await expect(page.locator('.approval[data-armed="true"]').first()).toBeVisible();
      await page.keyboard.press('Alt+y');
      await expect(waiting).toHaveCount(1);
      await expect(page.locator('.approval-dock')).not.toContainText('Then 1 more');
      await expect(page.locator('.approval[data-armed="true"]').first()).toBeVisible();
      await page.keyboard.press('Alt+y');
      await expect(page.locator('.cm-content')).toContainText('Beans and peas are in the ground.');
      await expect(page.locator('.cm-content')).toContainText('I look.');
      await expect(page.locator('.cm-content')).not.toContainText('tool: read_docs');

      await expect.poll(() => app.readNote('Question.md')).toContain('Beans and peas are in the ground.');
      const note = await app.readNote('Question.md');
      expect(note).toContain('#Replayed :');
      expect(note).toContain('Beans and peas are sown.');
      expect(provider.requests).toHaveLength(2);
      const [first, second] = provider.requests.map(({ body }) => JSON.stringify(body));
      expect(first).toContain('vault__read_docs');
      expect(first).not.toContain('Beans and peas are sown.');
      expect(second).toContain('Beans and peas are sown.');
      expect(second).toContain('There is no “Missing.md”');
      expect(note + first + second + (await page.content())).not.toContain(key);
    });
  });
}
