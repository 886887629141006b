import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProviderServer, startProviderServer } from '../tests/provider-server';
import { test as base, expect } from './support/fixtures';

const answer = readFileSync(join(import.meta.dirname, '../tests/fixtures/wire/loops/openai-chat-2.sse'));
const models = '{"data":[{"id":"beta-large"},{"id":"alpha-small"}]}';

const test = base.extend<{ provider: ProviderServer; settings: Record<string, unknown> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the braces.
  provider: async ({}, use) => {
    await using server = await startProviderServer();
    await use(server);
  },
  settings: async ({ provider }, use) =>
    use({
      providers: [
        { id: 'p1', vendor: 'openai-compatible', tag: 'Local', model: 'alpha-small', baseUrl: provider.url },
      ],
      defaultProvider: 'p1',
    }),
});

test.use({
  notes: {
    'Question.md': '#User : What grows?\n',
    '.obsidian/plugins/tars/data.json': JSON.stringify({
      providers: [
        { tag: 'Deep', vendor: 'DeepSeek', options: { apiKey: 'dk-1234', model: 'deepseek-v4-flash' } },
      ],
      promptTemplates: [{ title: 'Sum up', template: 'Sum up: {{s}}' }],
    }),
  },
});

test('a provider is edited: models listed, parameters checked and sent with the next request', async ({
  app,
  provider,
}) => {
  const { page } = app;
  provider.answer({ body: models, headers: { 'content-type': 'application/json' } });
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('button', { name: 'Providers', exact: true }).click();
  await page.getByRole('button', { name: 'Edit' }).first().click();
  await expect(page.locator('#provider-models option[value="beta-large"]')).toBeAttached();
  await page.getByLabel('Key, if it wants one').fill('local-key-123456');
  await page.getByText('More', { exact: true }).click();
  const parameters = page.getByLabel('Parameters');
  await parameters.fill('{top_p');
  await expect(page.getByText('This is not a JSON object.')).toBeVisible();
  await parameters.fill('{"top_p": 0.25}');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Add provider' })).toBeVisible();
  await page.keyboard.press('Escape');

  provider.answer({ body: answer });
  await app.openNote('Question');
  await page.getByText('What grows?').click();
  await page.keyboard.press('End');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => provider.requests.at(-1)?.body).toMatchObject({ top_p: 0.25 });
  expect(provider.requests.at(-1)?.headers.authorization).toBe('Bearer local-key-123456');
  await expect.poll(() => app.readNote('Question.md')).toContain('#Local :');

  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('button', { name: 'Usage & cost' }).click();
  await expect(page.getByRole('cell', { name: /^\d{4}-\d\d-\d\d$/ })).toBeVisible();
  await page.getByText('Prices', { exact: true }).click();
  await expect(page.getByText('claude-sonnet-5-5')).toBeVisible();
});

test('a key that is refused is told before it is kept, and another model is chosen from the note', async ({
  app,
  provider,
}) => {
  const { page } = app;
  const json = { 'content-type': 'application/json' };
  const refused = { status: 401, body: '{"error":{"message":"Incorrect API key"}}', headers: json };
  provider.answer({ body: models, headers: json }, refused);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('button', { name: 'Providers', exact: true }).click();
  await page.getByRole('button', { name: 'Edit' }).first().click();
  await expect(page.locator('#provider-models option[value="beta-large"]')).toBeAttached();
  await page.getByLabel('Key, if it wants one').fill('wrong-key-123456');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('The key is not accepted')).toBeVisible();
  await page.getByRole('button', { name: 'Save anyway' }).click();
  await expect(page.getByRole('button', { name: 'Add provider' })).toBeVisible();
  await page.keyboard.press('Escape');

  provider.answer({ body: models, headers: json });
  await app.openNote('Question');
  await page.getByRole('button', { name: /^Who answers/ }).click();
  await page.getByRole('menuitem', { name: 'Another model for Local' }).click();
  await page.getByRole('option', { name: 'beta-large' }).click();
  await expect(page.getByRole('button', { name: /^Who answers/ })).toContainText('beta-large');
});

test('what TARS has set up is offered and taken over', async ({ app }) => {
  const { page } = app;
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('button', { name: 'Agents & prompts' }).click();
  await expect(page.getByText('This vault has settings of TARS')).toBeVisible();
  await page.getByRole('button', { name: 'Choose…' }).click();
  await page.getByRole('button', { name: 'Take over', exact: true }).click();
  await expect(page.getByText('Taken over from TARS')).toBeVisible();
  await expect(page.getByText('Sum up', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Providers', exact: true }).click();
  await expect(page.getByText('#Deep')).toBeVisible();
  await expect.poll(() => app.readNote('.interlinear/prompts/Sum up.md')).toContain('Sum up: {{s}}');
});
