import type { Locator, Page } from '@playwright/test';
import { bench, benchName } from './support/bench';
import { demoAtOnce, expect, test } from './support/fixtures';
import { dialog, section } from './support/settings-dialog';

test.use({ settings: demoAtOnce, servers: bench, notes: { 'Plan.md': 'First.\n' } });

const late = { timeout: 30_000 };
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });

/** Longer than any moment in which the focus would be looked for a place. */
const slow = (page: Page) => page.waitForTimeout(1_200);

test('a server that is slowly stopped is stopped once, and the keyboard stays at it', async ({ app }) => {
  const { page } = app;
  await app.runCommand('Show servers');
  await page.locator('.ui-choice', { hasText: benchName }).click();
  const server = page.getByRole('article', { name: benchName });
  const stop = button(server, 'Stop');
  await expect(stop).toBeEnabled(late);
  await stop.focus();
  const goOn = app.freeze();
  await page.keyboard.press('Enter');
  await slow(page);
  await expect(stop).toBeFocused();
  await expect(stop).toBeDisabled();
  await page.keyboard.press('Enter');
  goOn();
  await expect(stop).toHaveCount(0, late);
  await expect(server).toBeFocused();
  // What was pressed too late started nothing.
  await page.waitForTimeout(700);
  await expect(server.getByRole('status')).toContainText('Stopped');
  await page.keyboard.press('Tab');
  await expect(server.getByRole('switch').first()).toBeFocused();
});

test('a button of an app that is gone keeps the keyboard, says why it is off, and is pressed once it is back', async ({
  app,
}) => {
  const { page } = app;
  await app.runCommand('Show servers');
  await page.locator('.ui-choice', { hasText: benchName }).click();
  const restart = button(page.getByRole('article', { name: benchName }), 'Restart');
  await expect(restart).toBeEnabled(late);
  await restart.focus();
  await app.kill();
  await expect(restart).toBeDisabled(late);
  await slow(page);
  await expect(restart).toBeFocused();
  await expect(restart).toHaveAttribute('title', /./);
  await page.keyboard.press('Enter');
  await app.restart();
  await expect(restart).toBeEnabled(late);
  await expect(restart).toBeFocused();
});

test('a price that is slowly reset leaves the words in the form, whatever is pressed meanwhile', async ({
  app,
}) => {
  const { page } = app;
  await section(app, 'Usage & cost');
  await dialog(app).locator('summary').press('Enter');
  const own = dialog(app).locator('.settings-prices li').first();
  const model = dialog(app).getByRole('textbox', { name: 'Model', exact: true });
  await button(own, 'Edit').click();
  await button(dialog(app), 'Save').click();
  await expect(button(own, 'Reset')).toBeVisible(late);
  await model.fill('half typed');
  await button(own, 'Reset').focus();
  const goOn = app.freeze();
  await page.keyboard.press('Space');
  await slow(page);
  await page.keyboard.press('Space');
  goOn();
  await expect(button(own, 'Reset')).toHaveCount(0, late);
  await expect(own).toBeFocused();
  await page.keyboard.press('Space');
  await expect(model).toHaveValue('half typed');
});
