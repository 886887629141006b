import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { type AppUnderTest, expect, test } from './support/fixtures';

const late = { timeout: 30_000 };

test.use({
  settings: {
    providers: [{ id: 'one', vendor: 'demo', tag: 'One', model: 'before' }],
  },
  servers: { clock: { command: 'node', args: ['clock.mjs'], disabled: true } },
});

interface Form {
  open(page: Page): Promise<void>;
  readonly field: (page: Page) => Locator;
  readonly mine: string;
  readonly theirs: string;
  /** Only by its button; otherwise by leaving it. */
  readonly hasSave?: true;
  /** As it is in the files. */
  saved(app: AppUnderTest): Promise<unknown>;
}

const settingsOf = async ({ data }: AppUnderTest) =>
  JSON.parse(await readFile(join(data, 'settings.json'), 'utf8'));

async function openSection(page: Page, name: string): Promise<void> {
  const settings = page.getByRole('dialog', { name: 'Settings' });
  if (!(await settings.isVisible())) await page.keyboard.press('ControlOrMeta+,');
  await settings.getByRole('button', { name, exact: true }).click(late);
  await expect(settings.getByRole('heading', { name, exact: true })).toBeVisible(late);
}

const labelled = (label: string) => (page: Page) =>
  page.getByRole('dialog').getByLabel(label, { exact: true });

const forms: Record<string, Form> = {
  text: {
    open: (page) => openSection(page, 'General'),
    field: labelled('Instructions for every conversation'),
    mine: 'MINE',
    theirs: 'NEWER',
    saved: async (app) => (await settingsOf(app)).chat.systemPrompt,
  },
  number: {
    open: (page) => openSection(page, 'Tools & limits'),
    field: labelled('Time limit of a call'),
    mine: '41',
    theirs: '42',
    saved: async (app) => String((await settingsOf(app)).tools.timeout / 1_000),
  },
  provider: {
    open: async (page) => {
      await openSection(page, 'Providers');
      const edit = page.getByRole('dialog').getByRole('button', { name: 'Edit', exact: true }).first();
      const tag = page.getByRole('dialog').getByLabel('Tag', { exact: true });
      await expect(edit.or(tag).first()).toBeVisible(late);
      if (await edit.isVisible()) await edit.click();
    },
    field: labelled('Tag'),
    mine: 'Mine',
    theirs: 'Newer',
    hasSave: true,
    saved: async (app) => (await settingsOf(app)).providers[0].tag,
  },
  server: {
    open: async (page) => {
      if (await page.getByRole('dialog').isVisible()) return;
      await page.getByRole('navigation').getByRole('button', { name: 'Servers', exact: true }).click(late);
      await page
        .locator('.server-row, button')
        .filter({ hasText: /^clock/ })
        .first()
        .click(late);
      await page.getByRole('button', { name: 'More' }).click(late);
      await page.getByRole('menuitem', { name: 'Edit' }).click(late);
    },
    field: labelled('Working folder'),
    mine: '/mine',
    theirs: '/newer',
    hasSave: true,
    saved: async ({ data }) =>
      JSON.parse(await readFile(join(data, 'mcp.json'), 'utf8')).mcpServers.clock.cwd,
  },
};

async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0, late);
}

const meanwhile = (page: Page) =>
  page
    .getByRole('dialog')
    .getByRole('alert')
    .getByText(/^.*Changed meanwhile/);

for (const [name, form] of Object.entries(forms)) {
  test(`a ${name} that another window has saved meanwhile is replaced only by who has seen it`, async ({
    app,
  }) => {
    const { page } = app;
    const other = await app.secondWindow();
    await other.locator('.status-bar').waitFor(late);
    await form.open(page);
    await form.field(page).fill(form.mine, late);
    if (!form.hasSave) {
      // What was typed before the window was loaded anew is nobody's wish to save.
      await page.reload();
      await page.locator('.status-bar').waitFor(late);
      await form.open(page);
      await expect(form.field(page)).toHaveValue(form.mine, late);
      await expect(page.getByText('Unsaved changes')).toBeVisible(late);
      await close(page);
      await form.open(page);
      await expect(form.field(page)).toHaveValue(form.mine, late);
    }

    await form.open(other);
    await expect(form.field(other)).toBeEditable(late);
    await form.field(other).fill(form.theirs);
    if (form.hasSave)
      await other.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    else {
      await form.field(other).blur();
      await close(other);
    }
    await expect.poll(() => form.saved(app), late).toBe(form.theirs);

    await expect(meanwhile(page)).toContainText(form.theirs, late);
    if (form.hasSave)
      await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await close(page);
    await form.open(page);
    await expect(form.field(page)).toHaveValue(form.mine, late);
    await expect(meanwhile(page)).toContainText(form.theirs, late);
    expect(await form.saved(app)).toBe(form.theirs);

    await page.getByRole('dialog').getByRole('button', { name: 'Save mine' }).click();
    await expect.poll(() => form.saved(app), late).toBe(form.mine);
  });
}
