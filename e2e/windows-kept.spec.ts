import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { type AppUnderTest, expect, openNote, test } from './support/fixtures';

const late = { timeout: 30_000 };

test.use({ notes: { 'Plan.md': 'First.\n', 'Other.md': 'Other.\n', 'Third.md': 'Third.\n' } });

const ready = (page: Page) => page.locator('.status-bar').waitFor(late);
const left = (page: Page) => page.locator('.side-left');
const right = (page: Page) => page.locator('.side-right');
const limit = (page: Page) => page.getByRole('dialog').getByLabel('Time limit of a call', { exact: true });

async function openLimits(page: Page) {
  await page.keyboard.press('ControlOrMeta+,');
  await page.getByRole('dialog').getByRole('button', { name: 'Tools & limits', exact: true }).click(late);
}

/** Two tabs, the first one shown; the files narrower than at first, what stands beside the note open; words in a form. */
async function arrange({ page }: AppUnderTest) {
  await openNote(page, 'Plan');
  await openNote(page, 'Other');
  await page.getByRole('tab', { name: 'Plan' }).click();
  await page.keyboard.press('ControlOrMeta+Shift+b');
  await right(page).waitFor(late);
  const sash = await page.locator('.sash').first().boundingBox();
  const { x, y, height } = sash ?? { x: 0, y: 0, height: 0 };
  await page.mouse.move(x, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + 90, y + height / 2, { steps: 5 });
  await page.mouse.up();
  await openLimits(page);
  await limit(page).fill('no number');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  return width(left(page));
}

const width = async (panel: ReturnType<Page['locator']>) =>
  Math.round((await panel.boundingBox())?.width ?? 0);

async function isArranged(page: Page, files: number) {
  await expect(page.getByRole('main').getByRole('tab')).toHaveText([/Plan/, /Other/], late);
  await expect(page.getByRole('tab', { name: 'Plan' })).toHaveAttribute('aria-selected', 'true');
  await expect(right(page)).toBeVisible();
  expect(Math.abs((await width(left(page))) - files)).toBeLessThan(3);
  await openLimits(page);
  await expect(limit(page)).toHaveValue('no number', late);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
}

/** Something else has the port of before. */
async function takePort(page: Page): Promise<() => void> {
  const other = createServer().listen(Number(new URL(page.url()).port), '127.0.0.1');
  await once(other, 'listening');
  return () => other.close();
}

test('tabs, panels and what is typed in a form are there after a reload, and in a new tab after a restart at another port', async ({
  app,
  context,
}) => {
  const { page } = app;
  const files = await arrange(app);
  await page.reload();
  await ready(page);
  await isArranged(page, files);
  const before = page.url();
  await app.kill();
  const giveBack = await takePort(page);
  const next = await context.newPage();
  try {
    await page.close();
    const address = await app.restart();
    expect(new URL(address).port).not.toBe(new URL(before).port);
    await next.goto(address);
    await ready(next);
    await isArranged(next, files);
    expect(await next.evaluate(() => Object.keys(localStorage))).toEqual(['interlinear.theme']);
  } finally {
    giveBack();
  }
});

test('each window has its own tabs, also over a reload and a restart of the app', async ({ app }) => {
  const { page } = app;
  await app.openNote('Plan');
  const other = await app.secondWindow();
  await ready(other);
  await expect(other.getByRole('tab')).toHaveCount(0);
  await openNote(other, 'Other');
  await openNote(other, 'Third');
  await other.reload();
  await page.reload();
  await ready(other);
  await expect(other.getByRole('tab')).toHaveText([/Other/, /Third/], late);
  await expect(page.getByRole('tab')).toHaveText([/Plan/], late);
  await app.kill();
  await other.getByRole('tab', { name: 'Other' }).click();
  await app.restart();
  await expect(page.getByText('The connection to the app is interrupted.')).toHaveCount(0, late);
  await page.reload();
  await other.reload();
  await expect(other.getByRole('tab', { name: 'Other' })).toHaveAttribute('aria-selected', 'true', late);
  await expect(page.getByRole('tab')).toHaveText([/Plan/], late);
});

test('a tab that is closed and opened right after a change has that change', async ({ app }) => {
  const { page } = app;
  await app.openNote('Plan');
  await app.openNote('Other');
  await page.getByRole('tab', { name: 'Plan' }).click();
  await page.reload();
  await ready(page);
  await expect(page.getByRole('tab', { name: 'Plan' })).toHaveAttribute('aria-selected', 'true', late);
});

test.describe('after an update', () => {
  // Beside the app's own page there is no icon.
  test.use({ expectedErrors: /404/ });

  test('what an older version of the app left in the browser is taken over, and gone from there', async ({
    app,
  }) => {
    const { page } = app;
    const address = new URL('/', page.url()).href;
    // A page of the same origin that is none of the app.
    await page.goto(`${address}third-party-notices.json`);
    await page.evaluate((vault) => {
      localStorage.clear();
      sessionStorage.clear();
      const tabs = [
        { id: 'a', kind: 'note', path: 'Third.md' },
        { id: 'b', kind: 'note', path: 'Plan.md' },
      ];
      const state = {
        vault,
        tabs,
        activeTab: 'a',
        looked: ['a'],
        leftOpen: false,
        rightOpen: false,
        side: 'context',
      };
      localStorage.setItem('interlinear.layout', JSON.stringify({ state, version: 0 }));
      localStorage.setItem('interlinear.greeted', JSON.stringify([vault]));
      const draft = { base: { text: '30' }, mine: { text: 'no number' } };
      const key = 'interlinear.typed.gone.form setting tools.timeout';
      localStorage.setItem(key, JSON.stringify({ at: Date.now(), draft }));
    }, app.vault);
    await app.kill();
    for (const name of readdirSync(app.data))
      if (name.startsWith('interlinear.db')) rmSync(join(app.data, name));
    await app.restart();
    await page.goto(address);
    await ready(page);
    await expect(page.getByRole('tab')).toHaveText([/Third/, /Plan/], late);
    await expect(page.getByRole('tab', { name: 'Third' })).toHaveAttribute('aria-selected', 'true');
    await expect(left(page)).toBeHidden();
    await openLimits(page);
    await expect(limit(page)).toHaveValue('no number', late);
    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage)), late)
      .toEqual(['interlinear.theme']);
  });
});
