import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProviderCheck, ProviderEntry } from '../src/contract/providers';
import { type ProviderServer, startProviderServer } from '../tests/provider-server';
import { type ButtonState, type Press, pressAll } from './support/buttons';
import { type AppUnderTest, test as base, expect } from './support/fixtures';
import { dialog, section } from './support/settings-dialog';

type Key = ProviderEntry['key'];

/** Every way in which a provider can stand with its key: what its row says, and what its form shows beyond what all forms do. */
const table = {
  missing: {
    words: 'no key',
    vendor: 'OpenAI',
    tag: 'Missing',
    more: ['Programming interface', 'Search the web'],
  },
  stored: {
    ...{ words: 'key stored', vendor: 'OpenAI', tag: 'Stored' },
    more: ['Programming interface', 'Search the web', 'Remove the key'],
  },
  environment: {
    ...{ words: 'key from the environment', vendor: 'Claude', tag: 'Environment' },
    more: ['Search the web'],
  },
  'not-needed': {
    words: 'needs no key',
    vendor: 'Ollama',
    tag: 'Local',
    more: ['Programming interface'],
  },
} satisfies Record<Key, { words: string; vendor: string; tag: string; more: string[] }>;
const kinds = Object.keys(table) as Key[];
const everywhere = [
  'Vendor',
  'Get a key',
  'Check',
  'Thinking',
  'Show answers as they are written',
  'Cancel',
  'Save',
];

const json = { 'content-type': 'application/json' };
const models = { body: '{"data":[{"id":"m"},{"id":"beta"}]}', headers: json };
const refused = {
  status: 401,
  body: '{"error":{"message":"Incorrect API key","code":"invalid_api_key"}}',
  headers: json,
};
const checks = {
  ok: { answer: models, key: 'right-key-1234', words: 'It works' },
  failed: { answer: refused, key: 'wrong-key-1234', words: 'The key is not accepted' },
} satisfies Record<ProviderCheck['kind'], object>;

const test = base.extend<{ server: ProviderServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern.
  server: async ({}, use) => {
    await using server = await startProviderServer();
    await use(server);
  },
  settings: async ({ server }, use) => {
    const there = { model: 'm', baseUrl: `${server.url}/v1`, parameters: { top_p: 0.9 } };
    const openai = { vendor: 'openai', format: 'openai-chat', ...there };
    await use({
      providers: [
        { id: 'missing', tag: 'Missing', ...openai },
        { id: 'stored', tag: 'Stored', ...openai },
        { id: 'environment', tag: 'Environment', vendor: 'anthropic', ...there },
        // Nobody listens there.
        { id: 'not-needed', tag: 'Local', vendor: 'ollama', ...there, baseUrl: 'http://127.0.0.1:9' },
      ],
      defaultProvider: 'stored',
    });
  },
});
test.use({ environment: { ANTHROPIC_API_KEY: 'planted-key-of-environment' } });

const row = (app: AppUnderTest, kind: Key) =>
  dialog(app).locator('li', { has: app.page.locator('.settings-tag', { hasText: `#${table[kind].tag}` }) });
const form = (app: AppUnderTest) => dialog(app).locator('form');
const button = (app: AppUnderTest, name: string) => form(app).getByRole('button', { name, exact: true });
const settings = async (app: AppUnderTest) =>
  JSON.parse(await readFile(join(app.data, 'settings.json'), 'utf8'));
const entry = async (app: AppUnderTest, kind: Key) =>
  (await settings(app)).providers.find(({ id }: { id: string }) => id === kind);

async function edit(app: AppUnderTest, kind: Key): Promise<void> {
  await row(app, kind).getByRole('button', { name: 'Edit' }).click();
  await expect(form(app).getByLabel('Tag', { exact: true })).toHaveValue(table[kind].tag);
}

async function save(app: AppUnderTest): Promise<void> {
  await button(app, 'Save').click();
  await expect(form(app)).toHaveCount(0);
}

/** The button says what becomes of changes. */
async function leaveForm(app: AppUnderTest): Promise<void> {
  await form(app)
    .getByRole('button', { name: /^(Cancel|Discard changes)$/ })
    .click();
}

async function storeKey(app: AppUnderTest, server: ProviderServer): Promise<void> {
  server.answer(models);
  await section(app, 'Providers');
  await edit(app, 'stored');
  await form(app).getByLabel('Key', { exact: true }).fill('right-key-1234');
  await save(app);
  await expect(row(app, 'stored')).toContainText(table.stored.words);
}

function formOf(kind: Key, server: ProviderServer): ButtonState {
  const presses: Record<string, Press> = {
    async Vendor(choice, app) {
      await choice.click();
      await app.page.getByRole('option', { name: 'DeepSeek', exact: true }).click();
      await expect(choice).toHaveText('DeepSeek');
    },
    async Check(check, app) {
      if (kind === 'not-needed') {
        await check.click();
        await expect(form(app).locator('.ui-callout-bad')).toContainText('The address cannot be reached');
        return;
      }
      for (const { answer, key, words } of Object.values(checks)) {
        server.answer(answer);
        await form(app).getByLabel('Key', { exact: true }).fill(key);
        await check.click();
        await expect(form(app).locator('.ui-callout')).toContainText(words);
        const { authorization, 'x-api-key': other } = server.requests.at(-1)?.headers ?? {};
        expect(other ?? authorization).toContain(key);
      }
      server.answer(models);
    },
    async 'Get a key'(get, app) {
      const tag = form(app).getByLabel('Tag', { exact: true });
      await tag.fill('Typed');
      const asks = app.page.getByRole('alertdialog');
      const away = [
        () => asks.getByRole('button', { name: 'Cancel' }).click(),
        () => app.page.keyboard.press('Escape'),
      ];
      for (const leave of away) {
        await get.click();
        await expect(asks).toContainText(/https:\/\//);
        await expect(asks.getByRole('button', { name: 'Cancel' })).toBeFocused();
        await leave();
        await expect(asks).toBeHidden();
        await expect(tag).toHaveValue('Typed');
      }
    },
    async 'Remove the key'(_remove, app) {
      const key = form(app).getByLabel('Key', { exact: true });
      await button(app, 'Remove the key').click();
      await expect(form(app)).toContainText('The stored key is removed when you save.');
      await button(app, 'Keep the key').click();
      await expect(form(app)).toContainText('Leave empty to keep it.');
      await save(app);
      await expect(row(app, kind)).toContainText(table.stored.words);
      await edit(app, kind);
      await button(app, 'Remove the key').click();
      await save(app);
      await expect(row(app, kind)).toContainText(table.missing.words);
      await edit(app, kind);
      await expect(button(app, 'Remove the key')).toHaveCount(0);
      await key.fill('right-key-1234');
      await save(app);
      await expect(row(app, kind)).toContainText(table.stored.words);
    },
    async 'Programming interface'(choice, app) {
      if (kind === 'not-needed') {
        // Nobody could fetch a model where nothing answers.
        await expect(form(app)).toContainText('Ollama cannot be reached');
        await choice.click();
        await app.page.getByRole('option', { name: 'Chat Completions, as OpenAI’s', exact: true }).click();
        await save(app);
        return expect.poll(() => entry(app, kind)).toMatchObject({ format: 'openai-chat' });
      }
      // What the chosen format cannot do is off and says why.
      const search = form(app).getByLabel('Search the web');
      await expect(search).toBeDisabled();
      await expect(form(app)).toContainText('this vendor searches in the other one');
      await choice.click();
      await app.page.getByRole('option', { name: 'Responses, as OpenAI’s', exact: true }).click();
      await expect(search).toBeEnabled();
    },
    async Thinking(choice, app) {
      await choice.click();
      await app.page.getByRole('option', { name: 'Low', exact: true }).click();
      await save(app);
      await expect.poll(() => entry(app, kind)).toMatchObject({ reasoningEffort: 'low' });
    },
    async 'Search the web'(toggle, app) {
      if (kind !== 'environment') {
        await form(app).getByLabel('Programming interface').click();
        await app.page.getByRole('option', { name: 'Responses, as OpenAI’s', exact: true }).click();
      }
      await expect(toggle).not.toBeChecked();
      await toggle.click();
      await save(app);
      await expect.poll(() => entry(app, kind)).toMatchObject({ webSearch: true });
    },
    async 'Show answers as they are written'(toggle, app) {
      await expect(toggle).toBeChecked();
      await toggle.click();
      await save(app);
      await expect.poll(() => entry(app, kind)).toMatchObject({ stream: false });
      await edit(app, kind);
      await expect(toggle).not.toBeChecked();
    },
    async Cancel(cancel, app) {
      const before = await entry(app, kind);
      await form(app).getByLabel('Tag', { exact: true }).fill('Changed');
      await cancel.click();
      await expect(row(app, kind)).toBeVisible();
      // What is saved next brings nothing of it along.
      await edit(app, kind);
      await form(app).getByLabel('Model', { exact: true }).fill('after');
      await save(app);
      await expect.poll(() => entry(app, kind)).toMatchObject({ tag: before.tag, model: 'after' });
    },
    async Save(_save, app) {
      await form(app).getByLabel('Model', { exact: true }).fill(`${kind}-model`);
      await save(app);
      await expect(row(app, kind)).toContainText(`${kind}-model`);
      await expect.poll(() => entry(app, kind)).toMatchObject({ model: `${kind}-model` });
      await expect(row(app, kind)).toContainText(table[kind].words);
    },
  };
  const names = [...everywhere, ...table[kind].more];
  return {
    async show(app) {
      if (await form(app).isVisible()) await leaveForm(app);
      await edit(app, kind);
      return form(app);
    },
    buttons: Object.fromEntries(names.map((name) => [name, presses[name] as Press])),
  };
}

test('whatever its key, the buttons of a provider’s form are known and do what they say', async ({
  app,
  server,
}) => {
  // A busy machine is slow, not wrong.
  test.setTimeout(240_000);
  await storeKey(app, server);
  for (const kind of kinds) await pressAll(app, `the form of a provider, ${kind}`, formOf(kind, server));
});

test('a form without a vendor offers nothing but to choose one', async ({ app }) => {
  await section(app, 'Providers');
  await pressAll(app, 'the form of a new provider', {
    async show() {
      if (await form(app).isVisible()) await leaveForm(app);
      await dialog(app).getByRole('button', { name: 'Add provider' }).click();
      return form(app);
    },
    buttons: {
      async Vendor(choice) {
        await choice.click();
        await app.page.getByRole('option', { name: 'DeepSeek', exact: true }).click();
        await expect(form(app).getByLabel('Tag', { exact: true })).toHaveValue('DeepSeek');
      },
      async Cancel(cancel) {
        await cancel.click();
        await expect(form(app)).toHaveCount(0);
      },
      Save: (save) => expect(save).toBeDisabled(),
    },
  });
});

test('a key that was refused is kept only where that is said', async ({ app, server }) => {
  await storeKey(app, server);
  // Those do here what they do before.
  const others = [...everywhere, ...table.stored.more]
    .filter((name) => name !== 'Save')
    .map((name) => (name === 'Cancel' ? 'Discard changes' : name));
  const asBefore: Press = (one) => expect(one).toBeEnabled();
  const { show } = formOf('stored', server);
  await pressAll(app, 'the form of a provider whose key is refused', {
    async show(app, name) {
      const whole = await show(app, name);
      await form(app).getByLabel('Key', { exact: true }).fill(checks.failed.key);
      server.answer(refused);
      await button(app, 'Save').click();
      await expect(form(app).locator('.ui-callout')).toContainText(checks.failed.words);
      server.answer(models);
      return whole;
    },
    buttons: {
      ...Object.fromEntries(others.map((name) => [name, asBefore])),
      // Off while it says which interface cannot do it.
      'Search the web': (one) => expect(one).toBeDisabled(),
      async 'Save anyway'(anyway, app) {
        await anyway.click();
        await expect(form(app)).toHaveCount(0);
        await edit(app, 'stored');
        await button(app, 'Check').click();
        await expect(form(app).locator('.ui-callout')).toContainText(checks.ok.words);
        const { authorization } = server.requests.at(-1)?.headers ?? {};
        expect(authorization).toContain(checks.failed.key);
      },
    },
  });
});

function inList(kind: Key): ButtonState {
  return {
    async show(app) {
      if (await form(app).isVisible()) await leaveForm(app);
      await expect(row(app, kind)).toContainText(table[kind].words);
      return row(app, kind);
    },
    buttons: {
      async Edit(press, app) {
        await press.click();
        await expect(form(app).getByLabel('Tag', { exact: true })).toHaveValue(table[kind].tag);
      },
      async More(more, app) {
        const { page } = app;
        const menu = async (words: string) => {
          await more.click();
          await page.getByRole('menuitem', { name: words }).click();
        };
        const remove = async (words: string) => {
          await menu('Remove');
          await page.getByRole('alertdialog').getByRole('button', { name: words }).click();
        };
        await more.click();
        await expect(page.getByRole('menuitem')).toHaveText(['Edit', 'Make default', 'Remove']);
        await page.keyboard.press('Escape');
        if (!(await row(app, kind).getByText('Default', { exact: true }).isVisible()))
          await menu('Make default');
        await expect(row(app, kind).getByText('Default', { exact: true })).toBeVisible();
        const usual = async () => {
          const { defaultProvider, providers } = await settings(app);
          return defaultProvider ?? providers[0].id;
        };
        await expect.poll(usual).toBe(kind);
        await menu('Edit');
        await expect(form(app).getByLabel('Tag', { exact: true })).toHaveValue(table[kind].tag);
        await button(app, 'Cancel').click();
        await remove('Cancel');
        await expect(row(app, kind)).toBeVisible();
        await remove('Remove');
        await expect(row(app, kind)).toHaveCount(0);
        await expect.poll(() => entry(app, kind)).toBeUndefined();
      },
    },
  };
}

test('whatever its key, a provider in the list is edited, made the default and removed', async ({
  app,
  server,
}) => {
  await storeKey(app, server);
  for (const kind of kinds) await pressAll(app, `a provider in the list, ${kind}`, inList(kind));
});
