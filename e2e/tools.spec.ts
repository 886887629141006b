import { chmod, readFile, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { demoAtOnce, expect, test } from './support/fixtures';

test.use({
  settings: demoAtOnce,
  notes: { 'Seeds.md': '# Seeds\n\nBeans and peas.\n', 'Tools.md': '# Tools\n\nA spade.\n' },
});

/** As a person does who works with the mouse. */
async function insertByMouse(page: Page): Promise<void> {
  await page.getByRole('navigation').getByRole('button', { name: 'Tool browser' }).click();
  await page.getByRole('dialog').getByText('list_workspaces').first().click();
  await page.getByRole('button', { name: 'Insert into note' }).click();
}

const openHealth = (page: Page) =>
  page.getByRole('navigation').getByRole('button', { name: 'Health', exact: true }).click();

async function runIt(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(dialog).toContainText('Beans and peas.');
}

test('a tool is tried in the browser without a second question, and its result is still there when the dialog is opened again', async ({
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
  await runIt(page);

  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+Shift+t');
  await page.getByPlaceholder('Search all tools').fill('read_docs');
  await page.getByRole('tab', { name: 'Try' }).click();
  await expect(page.getByRole('dialog')).toContainText('Beans and peas.');

  // Each of it is in the history: found by its words, exported, run again, and forgotten when told so.
  await page.keyboard.press('Escape');
  await page.getByRole('navigation').getByRole('button', { name: 'History', exact: true }).click();
  const calls = page.getByRole('listbox', { name: 'History' }).getByRole('option');
  await expect(page.locator('.history-timeline')).toContainText('call');
  await expect(calls.first()).toContainText('read_docs');
  await page.getByPlaceholder('Search arguments, tools, errors').fill('seeds.MD');
  await expect(calls).toHaveCount(1);
  await page.getByRole('button', { name: 'Export' }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: '1 call as JSON' }).click();
  const file = await (await saving).path();
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject([
    { tool: 'read_docs', by: 'person', arguments: { paths: ['Seeds.md'] } },
  ]);
  await page.getByRole('button', { name: /Run again/ }).click();
  await runIt(page);
  await page.keyboard.press('Escape');
  // The new call has come in by itself.
  await expect(calls).toHaveCount(2);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Forget the 2 calls that fit the filters?');
  await page.getByRole('button', { name: 'Forget 2 calls' }).click();
  await expect(page.getByText('No call fits these filters')).toBeVisible();
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

test('a block inserted with the cursor in a table leaves the table whole', async ({ app }) => {
  const { page } = app;
  const table = '| Bed | Crop |\n| --- | --- |\n| 1 | Beans |\n| 2 | Peas |\n';
  await app.writeNote('Beds.md', `${table}\nText\n`);
  await app.openNote('Beds');
  await page.getByText('Beans').click();
  await page.keyboard.press('Alt+Shift+t');
  await page.getByRole('dialog').getByText('list_workspaces').first().click();
  await page.getByRole('button', { name: 'Insert into note' }).click();
  await expect
    .poll(() => app.readNote('Beds.md'))
    .toBe(`${table}\n\`\`\`vault\ntool: list_workspaces\n\`\`\`\n\n\nText\n`);
});

test('whoever opened the tools with the mouse types on behind what was inserted', async ({ app }) => {
  const { page } = app;
  await app.openNote('Seeds');
  await page.getByText('Beans and peas').click();
  for (const typed of ['First words', 'Second words']) {
    await insertByMouse(page);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect.poll(() => app.readNote('Seeds.md')).toMatch(/```\n+$/);
    await expect(page.locator('.cm-content')).toBeFocused();
    await page.keyboard.type(typed);
    await expect.poll(() => app.readNote('Seeds.md')).toContain(`\`\`\`\n${typed}`);
  }
});

test('what cannot be inserted into a note is said there, and is not offered again', async ({ app }) => {
  const { page } = app;
  await app.openNote('Seeds');
  await expect(page.locator('.cm-content')).toContainText('Beans');
  await openHealth(page);
  await chmod(join(app.vault, 'Seeds.md'), 0o444);
  await insertByMouse(page);
  const note = page.getByRole('region', { name: 'Seeds.md' });
  await expect(note).toContainText('Nothing was inserted');
  await expect(note).toContainText('This note cannot be changed');
  await openHealth(page);
  await page.getByRole('navigation').getByRole('button', { name: 'Tool browser' }).click();
  const insert = page.getByRole('button', { name: 'Insert into note' });
  await expect(insert).toBeDisabled();
  const reason = 'The note “Seeds.md” cannot be changed';
  await insert.hover({ force: true });
  await expect(page.getByRole('tooltip')).toHaveText(reason);
  await page.mouse.move(0, 0, { steps: 5 });
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  // By keys too, and to whoever doesn't see it.
  await page.getByRole('button', { name: 'Copy block' }).focus();
  await page.keyboard.press('Tab');
  await expect(insert).toBeFocused();
  await expect(page.getByRole('tooltip')).toHaveText(reason);
  await expect(insert).toHaveAccessibleDescription(reason);
  for (const key of ['Enter', 'Space']) await page.keyboard.press(key);
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(insert).toBeFocused();
  expect(await app.readNote('Seeds.md')).toBe('# Seeds\n\nBeans and peas.\n');
});

test('a note that another window or program moved has its tab there, and gets what is inserted', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Tools');
  await app.openNote('Seeds');
  await openHealth(page);
  await rename(join(app.vault, 'Seeds.md'), join(app.vault, 'Beans.md'));
  await expect(page.getByRole('tab', { name: 'Beans' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Seeds' })).toHaveCount(0);
  const other = await app.secondWindow();
  await other.getByRole('treeitem', { name: 'Beans' }).click();
  await other.getByRole('treeitem', { name: 'Beans' }).press('F2');
  await other.keyboard.press('ControlOrMeta+a');
  await other.keyboard.type('Peas');
  await other.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Peas' })).toBeVisible();
  await other.close();
  await insertByMouse(page);
  await expect(page.locator('.cm-content')).toBeFocused();
  await expect.poll(() => app.readNote('Peas.md')).toContain('tool: list_workspaces');

  // One that is gone is offered no more; the one before it is.
  await openHealth(page);
  await app.removeNote('Peas.md');
  await expect(page.getByRole('treeitem', { name: 'Peas' })).toHaveCount(0);
  await insertByMouse(page);
  await expect.poll(() => app.readNote('Tools.md')).toContain('tool: list_workspaces');
});

test('after a reload with a view in front what is inserted goes to the end of the note that was looked at last', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Seeds');
  await app.openNote('Tools');
  await page.getByRole('tab', { name: 'Seeds' }).click();
  await expect(page.getByRole('region', { name: 'Seeds.md' })).toHaveAttribute('aria-busy', 'false');
  await openHealth(page);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Health' })).toHaveAttribute('aria-selected', 'true');
  await insertByMouse(page);
  await expect(page.locator('.cm-content')).toBeFocused();
  await expect
    .poll(() => app.readNote('Seeds.md'))
    .toMatch(/^# Seeds\n\nBeans and peas\.\n+```vault\ntool: list_workspaces\n```\n/);
});

test('nothing runs, is copied or inserted while what stands on the screen cannot be read, and it stays there', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Seeds');
  await page.keyboard.press('ControlOrMeta+Shift+t');
  await page.getByPlaceholder('Search all tools').fill('update_doc');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('update_doc').first().click();
  await page.getByRole('tab', { name: 'Try' }).click();
  await dialog.getByText('JSON', { exact: true }).click();
  const json = dialog.getByRole('textbox', { name: 'Arguments' });
  const buttons = ['Run', 'Copy block', 'Insert into note'].map((name) =>
    dialog.getByRole('button', { name, exact: true }),
  );
  await json.fill('{"path":"Seeds.md","content":"NEW"}');
  for (const button of buttons) await expect(button).toBeEnabled();
  for (const typed of ['{"path":"Seeds.md","content":"NEW","expected_hash":"abc"', '["Seeds.md"]']) {
    await json.fill(typed);
    for (const button of buttons) await expect(button).toBeDisabled();
    await expect(dialog.getByText('What is typed is not a JSON object yet.').first()).toBeVisible();
  }
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+Shift+t');
  await page.getByPlaceholder('Search all tools').fill('update_doc');
  await page.getByRole('tab', { name: 'Try' }).click();
  await expect(json).toHaveValue('["Seeds.md"]');
  await expect.poll(() => app.readNote('Seeds.md')).toContain('Beans and peas.');
});

test.describe('with a server that dies of a call', () => {
  const program = resolve(import.meta.dirname, '../tests/servers/dies-on-call.mjs');
  test.use({ servers: { frail: { command: 'node', args: [program], restarts: 1 } } });

  test('a tool whose server ends while it is tried stays as it is, with what came of it', async ({ app }) => {
    const { page } = app;
    const dialog = page.getByRole('dialog');
    const tool = dialog.getByRole('region', { name: 'die', exact: true });
    await page.keyboard.press('ControlOrMeta+Shift+t');
    await page.getByPlaceholder('Search all tools').fill('die');
    await dialog.getByRole('option', { name: /^die/ }).click();
    await dialog.getByRole('tab', { name: 'Try' }).click();
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(tool.locator('.trial-result')).toContainText('The server ended with code 7.');
    await expect(dialog.getByRole('tab', { name: 'Try' })).toHaveAttribute('aria-selected', 'true');
    const gone = tool.getByText('“frail” does not offer this tool at the moment.');
    await expect(gone).toBeHidden();

    // It is started once again, and not twice.
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(gone).toBeVisible();
    await expect(tool.locator('.trial-result')).toContainText('The server ended with code 7.');
  });
});
