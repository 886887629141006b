import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from './support/fixtures';

const program = (name: string) =>
  resolve(import.meta.dirname, `../node_modules/@modelcontextprotocol/${name}/dist/index.js`);

test('a server is added from a command, after a test that lists its tools', async ({ app }) => {
  const { page } = app;
  await page.getByRole('navigation').getByRole('button', { name: 'Servers', exact: true }).click();
  await page.getByRole('button', { name: 'Add server' }).click();
  await page.getByLabel('Command, address, link or JSON').fill(`node ${program('server-everything')}`);
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('everything');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText(/Connected in .* tools:/)).toBeVisible();
  await expect(page.getByRole('dialog')).toContainText('echo');
  await page.getByRole('button', { name: 'Add 1 server' }).click();
  await expect(page.getByRole('article', { name: 'everything' })).toContainText('Ready');
});

test('servers are added from JSON, and edited from what the file then says', async ({ app }) => {
  const { page } = app;
  const json = { mcpServers: { notes: { command: 'node', args: [program('server-memory')] } } };
  await page.getByRole('navigation').getByRole('button', { name: 'Servers', exact: true }).click();
  await page.getByRole('button', { name: 'Add server' }).click();
  await page.getByLabel('Command, address, link or JSON').fill(JSON.stringify(json));
  await expect(page.getByText('JSON with 1 server')).toBeVisible();
  await page.getByRole('button', { name: 'Add 1 server' }).click();
  const server = page.getByRole('article', { name: 'notes' });
  await expect(server).toContainText('Ready');
  await server.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await expect(page.getByLabel('Command', { exact: true })).toHaveValue('node');
  await expect(page.getByLabel('Arguments, one a line')).toHaveValue(program('server-memory'));
});

test('a link only fills in the form, with all that would run; what it asks beyond that is left out', async ({
  app,
}) => {
  const { page } = app;
  const marker = join(app.data, 'started');
  const config = {
    command: process.execPath,
    args: ['-e', `require('fs').writeFileSync(${JSON.stringify(marker)}, '')`, 'safe\u202egpj'],
    env: { NODE_OPTIONS: '--no-warnings' },
    cwd: app.data,
    approval: { wipe: 'allow' },
  };
  const link = `interlinear://server?name=offered&config=${encodeURIComponent(JSON.stringify(config))}`;
  // As a page outside would lead here.
  await page.evaluate((to) => {
    location.hash = `#link=${encodeURIComponent(to)}`;
  }, link);
  const form = page.getByRole('dialog');
  await expect(form.getByText('A link that offers a server')).toBeVisible();
  await expect(form.getByLabel('Name', { exact: true })).toHaveValue('offered');
  await expect(form.locator('.draft-target')).toContainText('writeFileSync');
  await expect(form.locator('.draft-target')).toContainText('safe\\u{202e}gpj');
  await expect(form.getByLabel('Environment')).toHaveValue('NODE_OPTIONS=--no-warnings');
  await expect(form.locator('.draft-also')).toHaveText(`cwd${app.data}`);
  await expect(form).toContainText('a program of their own');
  await page.screenshot({ path: test.info().outputPath('link.png') });
  expect(page.url()).not.toContain('link=');
  await form.getByRole('button', { name: 'Cancel' }).click();
  expect(existsSync(marker)).toBe(false);
  expect(await readFile(join(app.data, 'mcp.json'), 'utf8')).not.toContain('offered');
});

test('an address that nobody answers says so, and can be added all the same', async ({ app }) => {
  const { page } = app;
  await page.getByRole('navigation').getByRole('button', { name: 'Servers', exact: true }).click();
  await page.getByRole('button', { name: 'Add server' }).click();
  await page.getByLabel('Command, address, link or JSON').fill('http://127.0.0.1:9/mcp');
  await expect(page.getByText('An address', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText('It could not be reached')).toBeVisible();
  await page.getByRole('button', { name: 'Add 1 server' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('list', { name: 'All servers' }).getByRole('button')).toHaveCount(2);
});
