import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';

const text = 'some text';
test.use({ notes: { 'Plain.md': `# Plain\n\n${text}\n`, 'Ideas.md': 'Other words.\n' } });

const box = (page: Page) => page.getByRole('dialog').locator('input').first();

async function standAtEnd(page: Page): Promise<void> {
  await page.getByText(text).click();
  await page.keyboard.press('End');
}

for (const key of ['Control+o', 'Control+p', 'Alt+Shift+t']) {
  test(`what is typed right after the first ${key} is in its box`, async ({ app }) => {
    const { page } = app;
    await app.openNote('Plain');
    await page.waitForLoadState('networkidle');
    await standAtEnd(page);
    await page.keyboard.press(key);
    await page.keyboard.type('ideas');
    await expect(box(page)).toHaveValue('ideas');
    expect(await app.readNote('Plain.md')).toBe(`# Plain\n\n${text}\n`);
  });

  test(`what is typed after ${key} while its dialog is still fetched waits for its box`, async ({ app }) => {
    const { page } = app;
    const held = Promise.withResolvers<void>();
    await page.route(/\/(?:QuickSwitcher|CommandPalette|tools)-[^/]*\.js$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.reload();
    await app.openNote('Plain');
    await standAtEnd(page);
    await page.keyboard.press(key);
    await page.keyboard.type('ide');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Backspace');
    for (const each of ['Home', 'x', 'Delete', 'ArrowLeft', 'Delete', 'i', 'ArrowRight'])
      await page.keyboard.press(each);
    held.resolve();
    // In one go, also while the dialog appears.
    await page.keyboard.type('eas', { delay: 3 });
    await expect(box(page)).toHaveValue('ideas');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.locator('.cm-content')).toBeFocused();
    expect(await app.readNote('Plain.md')).toBe(`# Plain\n\n${text}\n`);
  });
}

test('what is chosen by an arrow while its dialog is still fetched is chosen', async ({ app }) => {
  const { page } = app;
  const held = Promise.withResolvers<void>();
  await page.route(/\/CommandPalette-[^/]*\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.reload();
  await app.openNote('Plain');
  await standAtEnd(page);
  await page.keyboard.press('Control+p');
  await page.keyboard.type('open');
  await page.keyboard.press('ArrowDown');
  held.resolve();
  const options = page.getByRole('dialog').getByRole('option');
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true');
  await expect(options.first()).toHaveAttribute('aria-selected', 'false');
});

test('what is chosen by Enter while its dialog is still fetched is chosen', async ({ app }) => {
  const { page } = app;
  const held = Promise.withResolvers<void>();
  await page.route(/\/QuickSwitcher-[^/]*\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.reload();
  await app.openNote('Plain');
  await standAtEnd(page);
  await page.keyboard.press('Control+o');
  await page.keyboard.type('ideas');
  await page.keyboard.press('Enter');
  held.resolve();
  await expect(page.getByText('Other words.')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await app.readNote('Plain.md')).toBe(`# Plain\n\n${text}\n`);
});
