import { resolve } from 'node:path';
import { type AppUnderTest, demoAtOnce, expect, test } from './support/fixtures';

const late = { timeout: 30_000 };
const command = process.execPath;
const args = [resolve('tests/servers/asks-roots.mjs')];

test.use({
  settings: demoAtOnce,
  servers: { folders: { command, args } },
  notes: { 'Garden/Beds.md': 'Beds.\n', 'House/Rooms.md': 'Rooms.\n' },
});

const entry = async (app: AppUnderTest) =>
  JSON.parse(await app.readData('mcp.json')).mcpServers.folders as Record<string, unknown>;

async function show({ page }: AppUnderTest) {
  await page.getByRole('navigation').getByRole('button', { name: 'Servers', exact: true }).click();
  await page.locator('.ui-choice', { hasText: 'folders' }).click(late);
  const server = page.getByRole('article', { name: 'folders', exact: true });
  await expect(server.locator('.server-state')).toContainText('Ready', late);
  return server;
}

test('a server’s form has its own limits, its start and its folders, and clears them again', async ({
  app,
}) => {
  const { page } = app;
  const server = await show(app);
  const fields = {
    'Time limit of a call (seconds)': ['7', 'timeout', 7_000],
    'Time to start (seconds)': ['20', 'initTimeout', 20_000],
    'Calls at a time': ['2', 'concurrency', 2],
    'Folders it is told of, one a line': ['Garden', 'roots', ['Garden']],
  } as const;
  const form = page.getByRole('dialog');
  const edit = async () => {
    await server.getByRole('button', { name: 'More' }).click(late);
    await page.getByRole('menuitem', { name: 'Edit' }).click(late);
    await expect(form).toBeVisible(late);
  };
  const save = async () => {
    await form.getByRole('button', { name: 'Save' }).click(late);
    await expect(form).toHaveCount(0, late);
  };
  await edit();
  for (const [label, [typed]] of Object.entries(fields)) await form.getByLabel(label).fill(typed);
  const alive = form.getByRole('switch', { name: 'Progress keeps a call alive' });
  await alive.click();
  await save();
  const wanted = Object.fromEntries(Object.values(fields).map(([, key, value]) => [key, value]));
  await expect.poll(() => entry(app), late).toMatchObject({ ...wanted, longRunning: true });

  await edit();
  for (const [label, [typed]] of Object.entries(fields)) {
    await expect(form.getByLabel(label)).toHaveValue(typed);
    await form.getByLabel(label).fill('');
  }
  await expect(alive).toBeChecked();
  await alive.click();
  await save();
  await expect.poll(async () => (await entry(app)).timeout, late).toBeUndefined();
  for (const [, key] of Object.values(fields)) expect(await entry(app)).not.toHaveProperty(key);
});

test('the folders that a server may see are chosen one by one, and all again', async ({ app }) => {
  const server = await show(app);
  const folders = server.getByRole('group', { name: 'Folders it may see' });
  const all = folders.getByRole('checkbox', { name: /^All folders/ });
  const garden = folders.getByRole('checkbox', { name: 'Garden' });
  const house = folders.getByRole('checkbox', { name: 'House' });
  const roots = async () => (await entry(app)).roots;
  const vault = `\${vault}`;
  await expect(all).not.toBeChecked(late);
  await garden.click();
  await expect.poll(roots, late).toEqual([`${vault}/Garden`]);
  await expect(garden).toBeChecked(late);
  await expect(house).not.toBeChecked();

  await all.click();
  await expect.poll(roots, late).toEqual([vault]);
  await expect(house).toBeChecked(late);
  await garden.click();
  await expect.poll(roots, late).toEqual([`${vault}/House`]);
  await expect(all).not.toBeChecked(late);
  await expect(garden).not.toBeChecked();
});

test('that a name is taken is said once', async ({ app }) => {
  const { page } = app;
  await show(app);
  await page.getByRole('button', { name: 'Add server' }).click(late);
  const form = page.getByRole('dialog');
  const pasted = { mcpServers: { folders: { command: 'other' } } };
  await form.getByLabel('Command, address, link or configuration').fill(JSON.stringify(pasted));
  await expect(form.getByText(/There is already a server called/)).toHaveCount(1, late);
  await expect(form.getByText(/There is already a server called/)).toBeVisible();
});

test('the packages that the app is made of are listed with their licences, and found by name', async ({
  app,
}) => {
  const { page } = app;
  await page.keyboard.press('ControlOrMeta+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'About', exact: true }).click(late);
  const notices = settings.locator('.settings-notice');
  await expect(notices.nth(20)).toBeAttached(late);
  await settings.getByRole('textbox', { name: 'Find a package or a licence' }).fill('elkjs');
  await expect(notices).toHaveCount(1, late);
  await expect(notices).toContainText('EPL-2.0');
  await notices.locator('summary').click();
  await expect(notices.locator('pre')).toContainText('Eclipse Public License');
});
