import type { Page } from '@playwright/test';
import { bench, benchTool } from './support/bench';
import { type AppUnderTest, expect } from './support/fixtures';
import { calling, settingsFor, spoken, test } from './support/provider';

const late = { timeout: 30_000 };

test.use({
  servers: bench,
  settings: async ({ provider }, use) => {
    await use({ ...settingsFor(provider), tools: { approval: 'ask' } });
  },
  notes: { 'Ask.md': '#User : Look.', 'Other.md': 'Other words.' },
});

const card = (page: Page) => page.locator('.approval-dock .approval');
const stillWaits = (page: Page) =>
  expect(page.getByRole('button', { name: /^Stop/ }).first(), 'the answer goes on').toBeVisible(late);

async function ask({ page, openNote }: AppUnderTest): Promise<void> {
  await openNote('Ask');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(card(page).getByRole('button', { name: /^Allow once/ })).toBeEnabled(late);
}

test('Escape in a box of the card of a call leaves the box only; what is typed outlives another tab, and is asked about before it goes', async ({
  app,
  provider,
}) => {
  const { page } = app;
  provider.answer({ body: calling([benchTool('look'), { word: 'far' }]) }, { body: spoken('Fine.') });
  await ask(app);
  await card(page).getByRole('button', { name: 'Edit', exact: true }).click();
  const edited = card(page).getByRole('textbox', { name: 'Arguments' });
  await expect(edited).toBeFocused(late);
  await card(page).getByRole('button', { name: 'As asked' }).click();
  await expect(card(page)).toBeFocused(late);
  await card(page).getByRole('button', { name: 'Edit', exact: true }).press('Enter');
  await expect(edited).toBeFocused(late);
  await edited.fill('{ "word": "near" }');
  await card(page)
    .getByRole('button', { name: /^Deny with/ })
    .click();
  const reason = card(page).getByRole('textbox', { name: 'Why not' });
  await reason.fill('Not that one');
  for (const box of [reason, edited]) {
    await box.press('Escape');
    await expect(card(page)).toBeFocused(late);
    await stillWaits(page);
  }
  await app.openNote('Other');
  await expect(page.getByText('Other words.')).toBeVisible(late);
  await app.openNote('Ask');
  await expect(reason).toHaveValue('Not that one', late);
  await expect(edited).toHaveValue('{ "word": "near" }');

  const asked = page.waitForEvent('dialog', late);
  const loaded = page.evaluate(() => location.reload());
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await loaded.catch(() => undefined);
  await expect(edited).toHaveValue('{ "word": "near" }');

  await expect(card(page)).toHaveAttribute('data-armed', 'true', late);
  await page.keyboard.press('Alt+n');
  await expect.poll(() => app.readNote('Ask.md'), late).toContain('Not that one');
});

test('Escape in the box of a card behind its button leaves the box only, and the reason is sent by the key that denies', async ({
  app,
  provider,
}) => {
  const { page } = app;
  provider.answer({ body: calling([benchTool('look'), { word: 'far' }]) }, { body: spoken('Fine.') });
  await ask(app);
  await app.openNote('Other');
  await page.locator('.approval-tray').click();
  const tray = page.getByRole('dialog').locator('.approval');
  await tray.getByRole('button', { name: /^Deny with/ }).click(late);
  await tray.getByRole('textbox', { name: 'Why not' }).fill('Not that one');
  await page.keyboard.press('Escape');
  await expect(tray).toBeFocused(late);
  await page.keyboard.press('Escape');
  await expect(tray).toBeHidden(late);
  await page.keyboard.press('Alt+n');
  await expect(tray.getByRole('textbox', { name: 'Why not' })).toHaveValue('Not that one', late);
  await expect(tray).toHaveAttribute('data-armed', 'true', late);
  await page.keyboard.press('Alt+n');
  await expect.poll(() => app.readNote('Ask.md'), late).toContain('Not that one');
});

test('Escape takes the innermost thing first, and never stops an answer with what is typed in its call', async ({
  app,
  provider,
}) => {
  const { page } = app;
  provider.answer({ body: calling([benchTool('look'), { word: 'far' }]) }, { body: spoken('Fine.') });
  await ask(app);
  await card(page).getByRole('button', { name: 'Edit', exact: true }).click();
  const edited = card(page).getByRole('textbox', { name: 'Arguments' });
  const editor = page.locator('.cm-content');
  const stop = page.locator('.note-bar').getByRole('button', { name: /^Stop/ });
  const tree = page.getByRole('tree');
  const allow = card(page).getByRole('button', { name: /^Allow once/ });
  await expect(stop).toContainText('Esc', late);
  await edited.fill('{ "word": "near" }');
  await expect(stop).not.toContainText('Esc', late);
  const table = [
    { from: edited, to: card(page) },
    { from: card(page), to: editor },
    { from: allow, to: editor },
    { from: editor, to: editor },
    { from: stop, to: stop },
    { from: tree, to: tree },
  ];
  for (const { from, to } of table) {
    await from.focus();
    await page.keyboard.press('Escape');
    await expect(to).toBeFocused(late);
    await stillWaits(page);
    await expect(edited).toHaveValue('{ "word": "near" }');
  }

  await card(page).getByRole('button', { name: 'As asked' }).click();
  await expect(stop).toContainText('Esc', late);
  await allow.focus();
  await page.keyboard.press('Escape');
  await expect(editor).toBeFocused(late);
  await stillWaits(page);
  await page.keyboard.press('Escape');
  await expect(stop).toBeHidden(late);
  await expect(card(page)).toHaveCount(0, late);
});
