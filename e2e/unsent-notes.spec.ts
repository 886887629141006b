import type { Page } from '@playwright/test';
import { type AppUnderTest, expect, test } from './support/fixtures';

const late = { timeout: 40_000 };
const away = 'The connection to the app is interrupted.';

test.use({ notes: { 'Plan.md': 'First.\n', 'Other.md': 'Other.\n', 'Third.md': 'Third.\n' } });

async function typeWhileAway(app: AppUnderTest, words: string): Promise<void> {
  const { page } = app;
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await app.kill();
  await expect(page.getByText(away)).toBeVisible(late);
  await page.keyboard.insertText(words);
  await expect(page.locator('.cm-content')).toContainText(words, late);
}

const asked = (page: Page) =>
  page.waitForEvent('dialog', { ...late, predicate: (one) => one.type() === 'beforeunload' });

async function openAgain({ page }: AppUnderTest, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('.status-bar').waitFor(late);
}

test('words that the app has not heard of yet make the page ask before it goes, and outlive it', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Plan');
  await typeWhileAway(app, 'Typed while it was gone.');
  const address = new URL('/', page.url()).href;
  for (const answer of ['dismiss', 'accept'] as const) {
    const question = asked(page);
    const left = page.reload().catch(() => undefined);
    await (await question)[answer]();
    if (answer === 'accept') await left;
    else await expect(page.locator('.cm-content')).toContainText('Typed while it was gone.', late);
  }
  await app.restart();
  await openAgain(app, address);
  await expect.poll(() => app.readNote('Plan.md'), late).toBe('First.\nTyped while it was gone.');
  await expect(page.locator('.cm-content')).toContainText('Typed while it was gone.', late);
});

test('words of a window that was closed reach the note from the next one, once, whatever is open there', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Plan');
  await typeWhileAway(app, 'Typed and closed.');
  const address = new URL('/', page.url()).href;
  const question = asked(page);
  await page.close({ runBeforeUnload: true });
  const closed = page.waitForEvent('close', late);
  await (await question).accept();
  await closed;
  await app.restart();
  const next = await page.context().newPage();
  await next.goto(address);
  await next.locator('.status-bar').waitFor(late);
  await expect.poll(() => app.readNote('Plan.md'), late).toBe('First.\nTyped and closed.');
  const told = next.locator('.ui-callout', { hasText: 'Words typed in a window that is gone were added' });
  await told.getByRole('button', { name: 'Plan' }).click(late);
  await expect(next.locator('.cm-content')).toContainText('Typed and closed.', late);
  await told.getByRole('button', { name: 'Dismiss' }).click();
  await expect(told).toHaveCount(0);
});

test('while the app is away a note that was shown is shown again and takes words; another says why it is not', async ({
  app,
}) => {
  const { page } = app;
  const text = page.locator('.cm-content');
  for (const note of ['Third', 'Other', 'Plan']) await app.openNote(note);
  await page.reload();
  await page.locator('.status-bar').waitFor(late);
  await expect(text).toContainText('First.', late);
  await page.getByRole('tab', { name: 'Other' }).click();
  await expect(text).toContainText('Other.', late);
  await typeWhileAway(app, 'One.');
  await page.getByRole('tab', { name: 'Plan' }).click();
  await expect(text).toContainText('First.', late);
  await text.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('Two.');
  await page.getByRole('tab', { name: 'Third' }).click();
  await expect(page.getByText('It is shown once the app is back.')).toBeVisible(late);
  await expect(text).toBeHidden();
  await page.getByRole('tab', { name: 'Other' }).click();
  await expect(text).toContainText('One.', late);
  await text.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText(' Three.');
  await page.getByRole('tab', { name: 'Third' }).click();
  await app.restart();
  await expect(text).toContainText('Third.', late);
  await expect.poll(() => app.readNote('Plan.md'), late).toBe('First.\nTwo.');
  await expect.poll(() => app.readNote('Other.md'), late).toBe('Other.\nOne. Three.');
});
