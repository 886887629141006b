import { type OllamaServer, startOllamaServer } from '../tests/ollama-server';
import { test as base, expect } from './support/fixtures';
import { dialog, section } from './support/settings-dialog';

const late = { timeout: 30_000 };
const embeds = { contextLength: 2_048, capabilities: ['embedding'] };

const test = base.extend<{ ollama: OllamaServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern.
  ollama: async ({}, use) => {
    await using server = await startOllamaServer({ 'nomic-embed-text:latest': embeds });
    await use(server);
  },
  settings: ({ ollama }, use) =>
    use({
      providers: [{ id: 'o', tag: 'Own', vendor: 'ollama', model: 'small', baseUrl: ollama.url }],
    }),
});

test('an Ollama with nothing but a model for embeddings says so, and what to do', async ({ app }) => {
  await section(app, 'Providers');
  const form = dialog(app).locator('form');
  await dialog(app).locator('li', { hasText: '#Own' }).getByRole('button', { name: 'Edit' }).click(late);
  await form.getByRole('button', { name: 'Check' }).click(late);
  await expect(form.getByText('It has no model that can chat.')).toBeVisible(late);
  await expect(form.getByRole('button', { name: 'Pull' })).toBeVisible(late);

  await form.getByLabel('Model', { exact: true }).fill('nomic-embed-text:latest');
  await expect(form.getByText('is a model for embeddings: it cannot chat')).toBeVisible(late);
  await expect(form.getByText('does not have')).toHaveCount(0);
  await expect(form.getByRole('button', { name: 'Pull' })).toHaveCount(0);
  await expect(form.getByRole('button', { name: 'Save anyway' })).toBeVisible();

  await form.getByLabel('Model', { exact: true }).fill('qwen3:4b');
  await expect(form.getByText('Ollama does not have “qwen3:4b” yet.')).toBeVisible(late);
});
