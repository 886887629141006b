import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startSignInService } from '../tests/support/sign-in-service';
import { type AppUnderTest, expect, test } from './support/fixtures';

const program = (name: string) =>
  resolve(import.meta.dirname, `../node_modules/@modelcontextprotocol/${name}/dist/index.js`);
const environmentOf = async (app: AppUnderTest, name: string) =>
  JSON.parse(await readFile(join(app.data, 'mcp.json'), 'utf8')).mcpServers[name].env;

test('a server is added from a command, after a test that lists its tools', async ({ app }) => {
  const { page } = app;
  await page.getByRole('navigation').getByRole('button', { name: 'Servers', exact: true }).click();
  await page.getByRole('button', { name: 'Add server' }).click();
  await page
    .getByLabel('Command, address, link or configuration')
    .fill(`node ${program('server-everything')}`);
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('everything');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText(/Connected in .* tools:/)).toBeVisible();
  await expect(page.getByRole('dialog')).toContainText('echo');
  await page.getByRole('button', { name: 'Add 1 server' }).click();
  await expect(page.getByRole('article', { name: 'everything' })).toContainText('Ready');
});

test('servers are added from JSON, and edited from what the file then says', async ({ app }) => {
  const { page } = app;
  const env = {
    MEMORY_FILE_PATH: join(app.data, 'memory.jsonl'),
    API_KEY: 'planted-literal',
    OTHER: `\${secret:other}`,
  };
  const json = { mcpServers: { notes: { command: 'node', args: [program('server-memory')], env } } };
  await page.getByRole('navigation').getByRole('button', { name: 'Servers', exact: true }).click();
  await page.getByRole('button', { name: 'Add server' }).click();
  await page.getByLabel('Command, address, link or configuration').fill(JSON.stringify(json));
  await expect(page.getByText('JSON with 1 server')).toBeVisible();
  await page.getByLabel('other', { exact: true }).fill('typed');
  await page.getByRole('button', { name: 'Add 1 server' }).click();
  const server = page.getByRole('article', { name: 'notes' });
  await expect(server).toContainText('Ready');
  await server.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await expect(page.getByLabel('Command', { exact: true })).toHaveValue('node');
  await expect(page.getByLabel('Arguments, one a line')).toHaveValue(program('server-memory'));
  const values = page.getByLabel('Environment');
  await expect(values).toHaveValue(
    `MEMORY_FILE_PATH=${env.MEMORY_FILE_PATH}\nAPI_KEY=\${secret:notes/API_KEY}\nOTHER=\${secret:other}`,
  );
  await expect(page.getByText('in the key store', { exact: true })).toHaveCount(2);
  await values.press('ControlOrMeta+End');
  await values.pressSequentially('\nMORE=1');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(server).toContainText('Ready');
  await expect
    .poll(() => environmentOf(app, 'notes'))
    .toEqual({
      ...env,
      API_KEY: `\${secret:notes/API_KEY}`,
      MORE: '1',
    });
});

test('a second paste shows and adds its own environment, with nothing of the one before', async ({ app }) => {
  const { page } = app;
  const pasted = (env: object) =>
    JSON.stringify({ mcpServers: { notes: { command: 'node', args: [program('server-memory')], env } } });
  await page.getByRole('navigation').getByRole('button', { name: 'Servers', exact: true }).click();
  await page.getByRole('button', { name: 'Add server' }).click();
  const box = page.getByLabel('Command, address, link or configuration');
  const environment = page.getByLabel('Environment');
  await box.fill(pasted({ SEEN: 'first' }));
  await expect(environment).toHaveValue('SEEN=first');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText(/Connected in .* tools:/)).toBeVisible({ timeout: 20_000 });
  await box.fill(pasted({ SEEN: 'second', NODE_OPTIONS: '--no-warnings' }));
  await expect(environment).toHaveValue('SEEN=second\nNODE_OPTIONS=--no-warnings');
  await expect(page.getByText(/Connected in .* tools:/)).toBeHidden();
  await environment.fill('SEEN=edited');
  await box.fill(pasted({ SEEN: 'third' }));
  await expect(environment).toHaveValue('SEEN=third');
  await page.getByRole('button', { name: 'Add 1 server' }).click();
  await expect(page.getByRole('article', { name: 'notes' })).toContainText('Ready', { timeout: 20_000 });
  await expect.poll(() => environmentOf(app, 'notes')).toEqual({ SEEN: 'third' });
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
  expect(page.url()).not.toContain('link=');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await expect(form).toBeHidden();
  expect(existsSync(marker)).toBe(false);
  expect(await readFile(join(app.data, 'mcp.json'), 'utf8')).not.toContain('offered');
});

test('an address that nobody answers says so, and can be added all the same', async ({ app }) => {
  const { page } = app;
  await page.getByRole('navigation').getByRole('button', { name: 'Servers', exact: true }).click();
  await page.getByRole('button', { name: 'Add server' }).click();
  await page.getByLabel('Command, address, link or configuration').fill('http://127.0.0.1:9/mcp');
  await expect(page.getByText('An address', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText('It could not be reached')).toBeVisible();
  await page.getByRole('button', { name: 'Add 1 server' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('list', { name: 'All servers' }).getByRole('button')).toHaveCount(2);
});

test.describe('a server that asks to sign in', () => {
  // No browser of this machine is opened: the address is on the screen.
  test.use({ environment: { DISPLAY: '', WAYLAND_DISPLAY: '' } });

  test('says so, is signed in to in the opened page, and out of again', async ({ app, context }) => {
    const { page } = app;
    const service = await startSignInService();
    try {
      await page.getByRole('navigation').getByRole('button', { name: 'Servers', exact: true }).click();
      await page.getByRole('button', { name: 'Add server' }).click();
      await page.getByLabel('Command, address, link or configuration').fill(service.url);
      await page.getByLabel('Name', { exact: true }).fill('guarded');
      await page.getByRole('button', { name: 'Add 1 server' }).click();
      const server = page.getByRole('article', { name: 'guarded' });
      await expect(server).toContainText('Needs sign-in');
      await expect(server).toContainText('asks you to sign in');
      await server.getByRole('button', { name: 'Sign in', exact: true }).click();
      const address = server.locator('.server-sign-in-address');
      await expect(address).toContainText('/authorize?');
      const other = await context.newPage();
      await other.goto((await address.textContent()) ?? '');
      await expect(other.getByText('Signed in')).toBeVisible();
      await other.close();
      await expect(server).toContainText('Ready');
      await expect(server).toContainText('You are signed in');
      for (const bearer of service.presented)
        expect(await page.content()).not.toContain(bearer.replace('Bearer ', ''));
      await server.getByRole('button', { name: 'Sign out' }).click();
      await expect(server).toContainText('Needs sign-in');
      await expect.poll(() => service.revoked.length).toBeGreaterThan(0);
    } finally {
      service.close();
    }
  });
});
