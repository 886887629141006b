import type { Page } from '@playwright/test';
import { fetchedAhead } from './support/fetched-ahead';
import { expect, test } from './support/fixtures';

const late = { timeout: 30_000 };
const canvas = {
  nodes: [{ id: 'a', type: 'text', text: 'A thought', x: 0, y: 0, width: 200, height: 80 }],
  edges: [],
};

test.use({
  notes: { 'Plan.md': 'First.\n', 'Ideas.canvas': JSON.stringify(canvas) },
  expectedErrors: /Failed to load resource|error occurred in|The above error/,
});

/** The page begins anew; these files arrive only once what is returned is called. */
async function without(page: Page, files: RegExp): Promise<() => Promise<void>> {
  await page.route(files, (route) => route.abort());
  await page.reload();
  await page.getByRole('treeitem', { name: /Ideas/ }).waitFor();
  return () => page.unroute(files);
}

const openCanvas = async (page: Page) => {
  await page.getByRole('treeitem', { name: /Ideas/ }).click();
};

test('all parts are there before they are asked for, so that the core may go', async ({ app }) => {
  const { page } = app;
  await app.openNote('Plan');
  await fetchedAhead(page);
  await app.kill();
  await expect(page.getByText('The connection to the app is interrupted.')).toBeVisible(late);
  await page.locator('.status-bar').getByRole('button', { name: /MCP/ }).click();
  await expect(page.getByRole('heading', { name: 'Not connected' })).toBeVisible(late);
  await expect(page.locator('.status-popover').getByRole('button', { name: 'All servers' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('.cm-content')).toContainText('First.');
});

test('a part whose file never came takes nothing else with it and comes with the core', async ({ app }) => {
  const { page } = app;
  await app.openNote('Plan');
  const arrive = await without(page, /StatusPopover/);
  await expect(page.locator('.cm-content')).toContainText('First.', late);
  await app.kill();
  await expect(page.getByText('The connection to the app is interrupted.')).toBeVisible(late);
  await page.locator('.status-bar').getByRole('button', { name: /MCP/ }).click();
  await expect(page.getByText('This page is here as soon as the app is back.')).toBeVisible(late);
  await expect(page.locator('.cm-content')).toContainText('First.');
  await arrive();
  await app.restart();
  await expect(page.locator('.status-popover')).toBeVisible(late);
});

test('a canvas first opened without the core is drawn whole once it is back', async ({ app }) => {
  const { page } = app;
  const arrive = await without(page, /CanvasView/);
  await fetchedAhead(page);
  await app.kill();
  await expect(page.getByText('The connection to the app is interrupted.')).toBeVisible(late);
  await openCanvas(page);
  await expect(page.getByText('This page is here as soon as the app is back.')).toBeVisible(late);
  await arrive();
  await app.restart();
  await expect(page.getByText('A thought')).toBeVisible(late);
  const styles = await page.evaluate(() => [...document.styleSheets].map(({ href }) => href ?? ''));
  expect(styles.filter((href) => href.includes('CanvasView'))).toHaveLength(1);
});

test('where trying again does not help, the page is loaded again', async ({ app }) => {
  const { page } = app;
  const arrive = await without(page, /CanvasView/);
  await openCanvas(page);
  await page.getByRole('button', { name: 'Try again' }).click(late);
  const again = page.getByRole('button', { name: 'Load again' });
  await expect(again).toBeVisible(late);
  await arrive();
  await again.click();
  await expect(page.getByText('A thought')).toBeVisible(late);
});
