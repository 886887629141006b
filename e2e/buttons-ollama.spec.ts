import { type OllamaServer, startOllamaServer } from '../tests/ollama-server';
import { type ButtonState, pressAll } from './support/buttons';
import { type AppUnderTest, test as base, expect } from './support/fixtures';
import { dialog, section } from './support/settings-dialog';

const test = base.extend<{ ollama: OllamaServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern.
  ollama: async ({}, use) => {
    await using server = await startOllamaServer({ there: { contextLength: 8_192 } });
    await use(server);
  },
  settings: ({ ollama }, use) =>
    use({
      providers: [{ id: 'o', tag: 'Own', vendor: 'ollama', model: 'small', baseUrl: ollama.url }],
    }),
});

const form = (app: AppUnderTest) => dialog(app).locator('form');
const pulled = (app: AppUnderTest) =>
  form(app).locator('.settings-line', { hasText: /does not have|pulling/ });

async function show(app: AppUnderTest): Promise<void> {
  if (await form(app).isVisible()) {
    await form(app)
      .locator('.settings-actions')
      .getByRole('button', { name: /^(Cancel|Discard changes)$/ })
      .click();
  } else await section(app, 'Providers');
  await dialog(app).locator('li', { hasText: '#Own' }).getByRole('button', { name: 'Edit' }).click();
}

test('a model that Ollama lacks is fetched, given up half-way, or told to be unknown', async ({
  app,
  ollama,
}) => {
  const offered: ButtonState = {
    async show() {
      await show(app);
      return pulled(app);
    },
    buttons: {
      async Pull(pull) {
        await pull.click();
        await expect.poll(() => ollama.seen).toContain('POST /api/pull small');
        await expect(form(app).getByText(/^pulling/)).toBeVisible();
      },
    },
  };
  const underWay: ButtonState = {
    async show() {
      await expect(form(app).getByText(/^pulling [0-9a-f]+/)).toBeVisible();
      ollama.step(400);
      await expect(form(app).getByRole('progressbar')).toHaveJSProperty('value', 400);
      return pulled(app);
    },
    buttons: {
      async Cancel(cancel) {
        await cancel.click();
        await ollama.left;
        await expect(form(app).getByRole('button', { name: 'Pull' })).toBeVisible();
        expect(ollama.models.has('small')).toBe(false);
      },
    },
  };
  await pressAll(app, 'a model that is not there', offered);
  await pressAll(app, 'a model on its way', underWay);

  await form(app).getByLabel('Model', { exact: true }).fill('missing');
  await form(app).getByRole('button', { name: 'Pull' }).click();
  await expect(form(app).locator('.ui-callout-bad')).toContainText('file does not exist');

  await pressAll(app, 'a model that is not there', offered);
  // Nothing is said of it any more once it is there.
  ollama.step(1_000);
  await expect(pulled(app)).toHaveCount(0);
  expect(ollama.models.has('small')).toBe(true);
});
