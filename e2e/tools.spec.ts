import { demoAtOnce, expect, test } from './support/fixtures';

test.use({
  settings: demoAtOnce,
  notes: { 'Seeds.md': '# Seeds\n\nBeans and peas.\n' },
});

test('a tool is tried in the browser and shows its result, after the same approval as a model needs', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Seeds');
  await page.keyboard.press('ControlOrMeta+Shift+t');
  await page.getByPlaceholder('Search all tools').fill('read_docs');
  await page.getByRole('dialog').getByText('read_docs').first().click();
  await page.getByRole('tab', { name: 'Try' }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('paths');

  await page.getByRole('button', { name: 'Add', exact: true }).first().click();
  await page.getByRole('textbox', { name: /paths/ }).last().fill('Seeds.md');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Allow once/ })
    .click();
  await expect(page.getByRole('dialog')).toContainText('Beans and peas.');
});

test('a filled block is inserted at the cursor and runs from there', async ({ app }) => {
  const { page } = app;
  await app.openNote('Seeds');
  await page.getByText('Beans and peas').click();
  await page.keyboard.press('End');
  await page.keyboard.press('ControlOrMeta+Shift+t');
  await page.getByRole('dialog').getByText('list_workspaces').first().click();
  await page.getByRole('button', { name: 'Insert into note' }).click();
  await expect(page.locator('.cm-content')).toBeFocused();
  await expect
    .poll(() => app.readNote('Seeds.md'))
    .toContain('Beans and peas.\n\n```vault\ntool: list_workspaces\n```\n');
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  await expect.poll(() => app.readNote('Seeds.md')).toContain('> [!tool]');
});
