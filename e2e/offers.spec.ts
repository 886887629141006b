import { resolve } from 'node:path';
import { expect, test } from './support/fixtures';

const ours = (name: string) => ({
  command: process.execPath,
  args: [resolve(import.meta.dirname, '../tests/servers', `${name}.mjs`)],
});
const everything = {
  command: process.execPath,
  args: [
    resolve(import.meta.dirname, '../node_modules/@modelcontextprotocol/server-everything/dist/index.js'),
  ],
};

test.use({
  servers: { everything, asks: ours('asks-person') },
  settings: { tools: { approval: 'allow' } },
});

test('what a server lends to read and its prompts are found at the server', async ({ app: { page } }) => {
  await page.getByRole('button', { name: 'Servers', exact: true }).click();
  await page
    .getByRole('list', { name: 'All servers' })
    .getByRole('button', { name: /everything/ })
    .click();
  await page.getByRole('tab', { name: 'Resources' }).click();
  const resources = page.getByRole('list', { name: 'Resources' });
  await resources.getByRole('button').first().click();
  await expect(page.locator('.server-offer pre')).toContainText(/\w{20,}|\w+ \w+/);

  await page.getByRole('tab', { name: 'Prompts' }).click();
  const prompt = page.locator('form').filter({ hasText: 'city' }).first();
  await expect(prompt.getByText(/^Still empty: .*city/i)).toBeVisible();
  await expect(prompt.getByRole('button', { name: 'Fill in' })).toBeDisabled();
  await prompt.getByRole('combobox', { name: /city/i }).fill('Paris');
  await expect(prompt.getByText('Still empty')).toBeHidden();
  await prompt.getByRole('button', { name: 'Fill in' }).click();
  await expect(prompt.locator('pre')).toContainText('Paris');
});

test('what a server lends is inserted into the note that was looked at last, and nothing that is selected goes', async ({
  app,
}) => {
  const { page } = app;
  const openServer = async (tab: string) => {
    await page.getByRole('button', { name: 'Servers', exact: true }).click();
    await page
      .getByRole('list', { name: 'All servers' })
      .getByRole('button', { name: /everything/ })
      .click();
    await page.getByRole('tab', { name: tab }).click();
  };
  const prompt = page.locator('form').filter({ hasText: 'city' }).first();
  const insertTurns = prompt.getByRole('button', { name: 'Insert as turns' });
  await page.getByRole('tab', { name: 'Welcome' }).focus();
  await page.keyboard.press('Delete');
  await openServer('Prompts');
  await prompt.getByRole('combobox', { name: /city/i }).fill('Paris');
  await prompt.getByRole('button', { name: 'Fill in' }).click();
  await expect(insertTurns).toBeDisabled();
  await insertTurns.hover({ force: true });
  await expect(page.getByRole('tooltip')).toHaveText('Open a note to insert it there');
  await page.mouse.move(0, 0, { steps: 5 });
  await insertTurns.focus();
  await expect(insertTurns).toBeFocused();
  await expect(insertTurns).toHaveAccessibleDescription('Open a note to insert it there');
  await page.keyboard.press('Enter');
  await expect(insertTurns).toBeFocused();

  await app.openNote('Welcome');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+a');
  await openServer('Prompts');
  await prompt.getByRole('button', { name: 'Fill in' }).click();
  await insertTurns.click();
  await expect(page.locator('.cm-content')).toBeFocused();
  await expect.poll(() => app.readNote('Welcome.md')).toMatch(/^Hello\.\n+#User : .*Paris/);

  await openServer('Resources');
  await page.getByRole('list', { name: 'Resources' }).getByRole('button').first().click();
  const lent = await page.locator('.server-offer pre').innerText();
  await page.getByRole('button', { name: 'Insert into the note' }).click();
  await expect(page.locator('.cm-content')).toBeFocused();
  await expect.poll(() => app.readNote('Welcome.md')).toContain(lent.split('\n')[0]);
  expect(await app.readNote('Welcome.md')).toMatch(/^Hello\.\n+#User : .*Paris/);
});

test('a question of a server is answered on the screen', async ({ app: { page } }) => {
  await page.getByRole('button', { name: 'Servers', exact: true }).click();
  await page.getByRole('list', { name: 'All servers' }).getByRole('button', { name: /asks/ }).click();
  await page.getByRole('button', { name: 'Browse its tools' }).click();
  const tools = page.getByRole('dialog');
  await tools.getByText('form', { exact: true }).first().click();
  await tools.getByRole('tab', { name: /try/i }).click();
  await tools.getByRole('button', { name: 'Run', exact: true }).click();
  // It is within reach although the dialog shuts off the status bar.
  await expect(tools.getByRole('status').filter({ hasText: '“asks” needs you' })).toBeVisible();
  await tools.getByRole('button', { name: '1 question from a server' }).press('Enter');
  const question = page.getByRole('article', { name: '“asks” asks' });
  await page.keyboard.type('Ada');
  await expect(question).toContainText('Who are you?');
  await expect(question.getByLabel(/^name/)).toHaveValue('Ada');
  await question.getByLabel(/^name/).fill('');
  await expect(question.getByRole('button', { name: 'Send' })).toBeDisabled();
  await question.getByLabel(/^name/).fill('Ada');
  await question.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('button', { name: /question from/ })).toHaveCount(0);
  await expect(tools).toContainText('"Ada"');
});
