import { fetchedAhead } from './support/fetched-ahead';
import type { AppUnderTest } from './support/fixtures';
import { expect, said, test } from './support/provider';
import { dialog, leave, section } from './support/settings-dialog';

const late = { timeout: 30_000 };
const comes = 'This page is here as soon as the app is back.';
const undone = /Not connected to the app: nothing was done/;

test.use({ notes: { 'Plan.md': 'First.\n', 'Other.md': 'Other.\n', 'Ask.md': '#User : Are you there?\n' } });

const banner = ({ page }: AppUnderTest) => page.getByText('The connection to the app is interrupted.');

async function gone(app: AppUnderTest): Promise<void> {
  await app.kill();
  await expect(banner(app)).toBeVisible(late);
}

async function back(app: AppUnderTest): Promise<void> {
  await app.restart();
  await expect(banner(app)).toHaveCount(0, late);
}

test('without the core nothing is said of packages and tools that were never seen', async ({ app }) => {
  await app.page.getByRole('button', { name: 'Settings', exact: true }).click();
  await expect(dialog(app).getByRole('switch').first()).toBeVisible(late);
  await leave(app);
  await fetchedAhead(app.page);
  await gone(app);
  await section(app, 'About');
  await expect(dialog(app).getByText(comes)).toBeVisible();
  await section(app, 'Tools & limits');
  await expect(dialog(app).getByText('a model finds tools by searching')).toBeVisible();
  await expect(dialog(app).getByText(/tools? that/)).toHaveCount(0);
  await back(app);
  await expect(dialog(app).getByText(/The \d+ tools that are on weigh/)).toBeVisible(late);
  await section(app, 'About');
  await expect(dialog(app).getByText(/Built from \d+ packages/)).toBeVisible(late);
});

test('an answer whose app was killed is said to have broken off, without a time that nobody knows', async ({
  app,
  provider,
}) => {
  const { page } = app;
  const half = said({ content: 'Half an answer.' });
  provider.answer({ body: half + said({ content: ' Never.' }), stallAt: half.length });
  await app.openNote('Ask');
  await page.getByRole('button', { name: /^Answer Ctrl/ }).click();
  await expect.poll(() => app.readNote('Ask.md'), late).toContain('Half an answer.');
  await app.kill();
  await app.restart();
  await expect(page.getByText('The answer broke off')).toBeVisible(late);
  await expect(page.locator('.note-run')).toHaveText('Broke off');
});

test('a setting that could not be saved says so at its field, until it is saved', async ({ app }) => {
  const { page } = app;
  await section(app, 'General');
  const folder = dialog(app).getByLabel('Folder for attachments');
  const number = dialog(app).getByLabel('Text size');
  const marks = dialog(app).getByText('Unsaved changes');
  const before = await folder.inputValue();
  await gone(app);
  await folder.fill('elsewhere');
  await number.fill('20');
  await number.press('Tab');
  await expect(marks).toHaveCount(2, late);
  await back(app);
  // Not saved later by itself.
  await page.waitForTimeout(1_000);
  await expect(marks).toHaveCount(2);
  await leave(app);
  await section(app, 'General');
  await expect(folder).toHaveValue('elsewhere');
  await expect(marks).toHaveCount(2);
  expect(await app.readData('settings.json')).not.toContain('elsewhere');
  await dialog(app).getByRole('button', { name: 'Save', exact: true }).last().click();
  await expect.poll(() => app.readData('settings.json')).toContain('elsewhere');
  await expect(marks).toHaveCount(1, late);
  await dialog(app).getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(marks).toHaveCount(0);
  expect(before).not.toBe('elsewhere');
});

test('a switch that could not be set stands as it is saved, and why goes with the connection', async ({
  app,
}) => {
  await section(app, 'General');
  const reasoning = dialog(app).getByRole('switch', { name: 'Keep what models think' });
  const was = await reasoning.getAttribute('aria-checked');
  await gone(app);
  await reasoning.click();
  await expect(dialog(app).getByText(undone)).toBeVisible(late);
  await expect(reasoning).toHaveAttribute('aria-checked', String(was));
  await back(app);
  await expect(dialog(app).getByText(undone)).toHaveCount(0);
  await expect(reasoning).toHaveAttribute('aria-checked', String(was));
});

test('that nothing was done for want of the core is not said any more once it is back', async ({ app }) => {
  const { page } = app;
  await app.openNote('Ask');
  await gone(app);
  await page.getByRole('button', { name: 'New note' }).click();
  await expect(page.getByText(undone)).toBeVisible(late);
  await page.getByRole('button', { name: /^Answer Ctrl/ }).click({ force: true });
  await expect(page.getByText('nothing was sent')).toBeVisible(late);
  await back(app);
  await expect(page.getByText(undone)).toHaveCount(0);
  await expect(page.getByText('nothing was sent')).toHaveCount(0);
});

test('a name that was being typed as the core went takes no key that is meant for the note', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Plan');
  await page.getByRole('treeitem', { name: 'Other' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const field = page.locator('.file-name-field');
  await expect(field).toBeFocused();
  await gone(app);
  await page.keyboard.type('Changed');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await expect(page.getByText(undone)).toBeVisible(late);
  await expect(page.locator('.cm-content')).toBeFocused();
  await page.keyboard.type('Typed while it was gone.');
  await back(app);
  await page.waitForTimeout(1_500);
  await expect(page.locator('.cm-content')).toBeFocused();
  await page.keyboard.type(' And since.');
  await page.keyboard.press('Enter');
  await expect.poll(() => app.readNote('Plan.md'), late).toContain('Typed while it was gone. And since.');
  await expect(page.getByRole('treeitem')).toHaveText(['Ask', 'Other', 'Plan']);
});

test('what is disabled says why', async ({ app }) => {
  const { page } = app;
  const other = await app.secondWindow();
  await app.openNote('Other');
  await other.getByRole('treeitem', { name: 'Other' }).click({ button: 'right' });
  await other.getByRole('menuitem', { name: 'Move to trash' }).click();
  await other.getByRole('alertdialog').getByRole('button', { name: 'Move to trash' }).click();
  await expect(page.getByText('The file was deleted')).toBeVisible(late);
  await other.close();
  const answer = page.getByRole('button', { name: /^Answer Ctrl/ });
  await expect(answer).toBeDisabled(late);
  await expect(answer).toHaveAccessibleDescription(/deleted/i);
  await page.getByRole('button', { name: 'Servers', exact: true }).click();
  const detail = page.getByRole('article');
  await expect(detail.getByRole('status')).toHaveText('Ready', late);
  await gone(app);
  for (const name of ['Stop', 'Restart'])
    await expect(detail.getByRole('button', { name, exact: true })).toHaveAccessibleDescription(
      'Not connected',
    );
  await expect(detail.getByRole('switch').first()).toHaveAccessibleDescription(/Not connected/);
});
