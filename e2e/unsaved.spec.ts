import type { Page } from '@playwright/test';
import { type AppUnderTest, expect, test } from './support/fixtures';
import { dialog, section } from './support/settings-dialog';

const late = { timeout: 30_000 };
const typed = 'typed and not saved';

test.use({
  settings: {
    providers: [
      { id: 'here', vendor: 'openai-compatible', tag: 'Here', model: 'm', baseUrl: 'http://127.0.0.1:9/v1' },
    ],
  },
  servers: { clock: { command: 'node', args: ['clock.mjs'], disabled: true } },
  notes: {
    'Welcome.md': 'Hello.\n',
    '.interlinear/prompts/Ask.md': 'About {{topic}}?\n',
    'Projects/tasks/T-001 Dig.md': '---\nid: T-001\ntitle: Dig\nstatus: not_started\nassignee: Ada\n---\n',
  },
});

interface Form {
  /** From the bare workbench to the form. */
  readonly open: (app: AppUnderTest) => Promise<void>;
  readonly field: (page: Page) => ReturnType<Page['getByLabel']>;
  readonly words: string;
}

const inSettings = (name: string, label: string, words: string, add?: string): Form => ({
  open: async (app) => {
    await section(app, name);
    const begin = dialog(app)
      .getByRole('button', { name: add ?? '', exact: true })
      .first();
    const field = dialog(app).getByLabel(label, { exact: true });
    if (!add) return;
    // A form with words in it is there at once.
    await expect(begin.or(field).first()).toBeVisible(late);
    if (await begin.isVisible()) await begin.click();
  },
  field: (page) => page.getByRole('dialog', { name: 'Settings' }).getByLabel(label, { exact: true }),
  words,
});

const view = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('button', { name, exact: true }).click();

const sections: Record<string, Form> = {
  provider: inSettings('Providers', 'Model', typed, 'Edit'),
  'provider’s key': inSettings('Providers', 'Key, if it wants one', typed, 'Edit'),
  hook: inSettings('Hooks', 'Name', typed, 'Add hook'),
  'list of tags': inSettings('Tags', 'You', '#no tag ! at all'),
  number: inSettings('Tools & limits', 'Time limit of a call', '-7'),
  'path of a vault': inSettings('Vault', 'Open another folder', typed),
};

const dialogs: Record<string, Form> = {
  'new server': {
    open: async ({ page }) => {
      await view(page, 'Servers');
      await page.getByRole('button', { name: 'Add server' }).first().click(late);
    },
    field: (page) => page.getByRole('dialog', { name: 'Add servers' }).getByRole('textbox').first(),
    words: 'npx -y',
  },
  server: {
    open: async ({ page }) => {
      await view(page, 'Servers');
      await page.getByRole('button', { name: /^clock/ }).click(late);
      await page.getByRole('button', { name: 'More' }).click(late);
      await page.getByRole('menuitem', { name: 'Edit' }).click(late);
    },
    field: (page) => page.getByRole('dialog').getByLabel('Name', { exact: true }),
    words: typed,
  },
  'new task': {
    open: (app) => app.runCommand('New task'),
    field: (page) => page.getByRole('dialog').getByLabel('Assignee', { exact: true }),
    words: typed,
  },
};

const keeps = async (app: AppUnderTest, name: string, { open, field, words }: Form) => {
  await open(app);
  await expect(field(app.page), `${name} is as it was left`).toHaveValue(words, late);
};

const close = ({ page }: AppUnderTest) =>
  page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();

async function gone({ page }: AppUnderTest): Promise<void> {
  await expect(page.getByRole('dialog')).toHaveCount(0, late);
}

test('what is typed into a form of the settings is there again, whichever way the form is left', async ({
  app,
}) => {
  const ways: Record<string, () => Promise<void>> = {
    Esc: () => app.page.keyboard.press('Escape').then(() => gone(app)),
    'another section': () => section(app, 'About'),
    closing: () => close(app).then(() => gone(app)),
  };
  for (const [name, form] of Object.entries(sections)) {
    await form.open(app);
    await form.field(app.page).fill(form.words, late);
    for (const [way, leave] of Object.entries(ways)) {
      await leave();
      await keeps(app, `${name}, left by ${way},`, form);
    }
  }
});

test('what is typed into a dialog is there again when it is opened again', async ({ app }) => {
  for (const [name, form] of Object.entries(dialogs)) {
    await form.open(app);
    await form.field(app.page).fill(form.words, late);
    await app.page.keyboard.press('Escape');
    await gone(app);
    await keeps(app, `${name}, left by Esc,`, form);
    await close(app);
    await gone(app);
    await view(app.page, 'Health');
    await keeps(app, `${name}, after another tab,`, form);
    await expect(app.page.getByRole('dialog').getByText('Unsaved changes')).toBeVisible(late);
    await app.page.getByRole('button', { name: 'Discard changes' }).click();
    await gone(app);
    await form.open(app);
    await expect(form.field(app.page)).not.toHaveValue(form.words, late);
    await app.page.keyboard.press('Escape');
    await gone(app);
  }
});

test('a dialog with words in it opens with the cursor behind those of its first field', async ({ app }) => {
  const { page } = app;
  for (const [name, words] of [
    ['new server', 'npx -y'],
    ['server', 'watch'],
    ['new task', 'Dig'],
  ] as const) {
    const open = async () => dialogs[name]?.open(app);
    await open();
    const first = page.getByRole('dialog').getByRole('textbox').first();
    await expect(first).toBeFocused(late);
    await first.fill(words);
    await page.keyboard.press('Escape');
    await gone(app);
    await open();
    await expect(first).toBeFocused(late);
    await page.keyboard.type(' now and');
    await expect(first, name).toHaveValue(`${words} now and`);
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await gone(app);
  }
});

test('a form outlives the page; a key is written nowhere, and the page asks before it goes', async ({
  app,
}) => {
  const { page } = app;
  const { provider, hook, 'provider’s key': key } = sections;
  if (!provider || !hook || !key) throw new Error('No such form.');
  for (const form of [provider, hook]) {
    await form.open(app);
    await form.field(page).fill(form.words, late);
  }
  await page.reload();
  await page.locator('.status-bar').waitFor();
  for (const form of [provider, hook]) await keeps(app, 'the form', form);

  await key.open(app);
  await key.field(page).fill('sk-planted', late);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(
    'sk-planted',
  );
  const asked = page.waitForEvent('dialog', { ...late, predicate: (one) => one.type() === 'beforeunload' });
  const left = page.reload().catch(() => undefined);
  await (await asked).dismiss();
  await expect(key.field(page)).toHaveValue('sk-planted');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.reload();
  await left;
  await page.locator('.status-bar').waitFor();
});

test('words typed into the details of an entity are kept as a draft by Esc, and saved only when the person says so', async ({
  app,
}) => {
  const { page } = app;
  const note = 'Projects/tasks/T-001 Dig.md';
  await view(page, 'Projects');
  await page.getByRole('radio', { name: 'Board' }).click(late);
  const card = page.getByRole('button', { name: /T-001/ });
  const details = page.getByRole('complementary', { name: 'Details: T-001' });
  const title = details.getByRole('textbox', { name: 'Title' });
  const assignee = details.getByRole('textbox', { name: 'Assignee' });
  await card.press('Enter');
  await title.fill('Half a ti', late);
  await page.keyboard.press('Escape');
  await expect(details).toBeHidden(late);

  await card.press('Enter');
  await expect(title).toHaveValue('Half a ti', late);
  await expect(details.getByText('Unsaved changes')).toBeVisible();
  // Whatever was written on the way is in the note once this is.
  await assignee.fill('Bo');
  await assignee.press('Enter');
  await expect.poll(() => app.readNote(note), late).toContain('assignee: Bo\n');
  expect(await app.readNote(note)).toContain('title: Dig\n');

  await details.getByRole('button', { name: 'Save mine' }).click();
  await expect.poll(() => app.readNote(note), late).toContain('title: Half a ti\n');
  await expect(details.getByText('Unsaved changes')).toBeHidden(late);
});
