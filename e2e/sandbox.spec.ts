import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { whyNoSandbox } from '../tests/mcp/sandbox-support';
import { expect, test } from './support/fixtures';

const reason = whyNoSandbox();
test.skip(reason !== null, `no sandbox can be made here: ${reason}`);
const program = { command: process.execPath, args: [resolve('tests/servers/reaches-out.mjs')] };
test.use({ servers: { boxed: { ...program, sandbox: {} } } });

test('what a server was refused is said and allowed by one click; it leaves the sandbox only after a yes', async ({
  app,
}) => {
  const { page } = app;
  const entry = () => JSON.parse(readFileSync(join(app.data, 'mcp.json'), 'utf8')).mcpServers.boxed;
  await page.getByRole('navigation').getByRole('button', { name: 'Servers', exact: true }).click();
  await page.getByRole('list', { name: 'All servers' }).getByText('boxed').click();
  const box = page.getByRole('region', { name: 'What it may touch' });
  await expect(box.getByText('It says that it could not write /srv/notes/today.md.')).toBeVisible();
  await expect(box.getByText('It tried to reach weather.example.')).toBeVisible();
  await box.getByRole('button', { name: 'Allow this host' }).click();
  await expect.poll(entry).toMatchObject({ sandbox: { hosts: ['weather.example'] } });
  await expect(box.getByText('It tried to reach weather.example.')).toHaveCount(0);

  const writes = box.getByRole('region', { name: 'Writes' });
  await writes.getByRole('textbox').fill('/srv/notes');
  await writes.getByRole('textbox').press('Enter');
  await expect.poll(entry).toMatchObject({ sandbox: { write: ['/srv/notes'], hosts: ['weather.example'] } });
  await writes.getByRole('button', { name: 'Take away /srv/notes' }).click();
  await expect.poll(entry).toMatchObject({ sandbox: { write: [] } });
  const reaches = box.getByRole('region', { name: 'Reaches' });
  await reaches.getByRole('textbox').fill('https://example.org');
  await expect(reaches.getByRole('alert')).toContainText('without https://');

  const isBoxed = box.getByRole('switch', { name: 'Run in a sandbox' });
  await isBoxed.click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(isBoxed).toBeChecked();
  await isBoxed.click();
  await page.getByRole('button', { name: 'Run without' }).click();
  await expect.poll(entry).toMatchObject({ sandbox: false });
  await expect(isBoxed).not.toBeChecked();
});
