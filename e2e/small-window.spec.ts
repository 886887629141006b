import { resolve } from 'node:path';
import type { Locator } from '@playwright/test';
import { demoAtOnce, expect, test } from './support/fixtures';

/** Whether a click on its middle reaches it. */
const isReached = (button: Locator) =>
  button.evaluate((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && one.contains(hit);
  });

const mcpServers = Object.fromEntries(
  ['one', 'two', 'three'].map((name) => [name, { command: `./${name}`, args: ['--with', 'words'] }]),
);

test.use({
  // Each of them has something to tell above the note.
  servers: { gone: { command: process.execPath, args: [resolve('tests/servers/dies-at-start.mjs')] } },
  settings: { ...demoAtOnce, servers: { restarts: 0 } },
  notes: {
    'Block.md': '```vault\ntool: list_files\n```\n',
    '.interlinear/mcp.json': JSON.stringify({ mcpServers }),
  },
});

test('in a window of any size nothing covers the answers to a call that waits', async ({ app }) => {
  const { page } = app;
  const banners = page.locator('.banners .ui-callout');
  await expect(banners.filter({ hasText: 'This folder brings things that can run' })).toBeVisible();
  await expect(banners.filter({ hasText: 'gone' })).toBeVisible();
  await app.openNote('Block');
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('ControlOrMeta+Enter');
  const dock = page.locator('.approval-dock');
  const answers = ['Allow once', 'Allow more', 'Deny with reason', 'Deny Alt'];
  for (const [width, height] of [
    [1280, 800],
    [1000, 700],
    [640, 400],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const name of answers) {
      const button = dock.getByRole('button', { name });
      await expect.poll(() => isReached(button), { message: `${name} at ${width}×${height}` }).toBe(true);
    }
  }
  await dock.getByRole('button', { name: 'Deny Alt' }).click();
  await expect(dock).toBeEmpty();
});

test.describe('at twice the size', () => {
  test.use({
    viewport: { width: 500, height: 350 },
    notes: {
      'Ask.md': '#User : List my notes\n',
      '.interlinear/mcp.json': '{}',
    },
  });

  test('what stops an answer is in its line while a call of it waits', async ({ app }) => {
    const { page } = app;
    await app.openNote('Ask');
    await page.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(page.locator('.approval-dock').getByRole('button', { name: 'Allow once' })).toBeAttached();
    await expect(page.locator('.note-run')).toContainText('Waiting for your approval');
    const bar = page.locator('.note-bar');
    const stop = bar.getByRole('button', { name: 'Stop' });
    const room = async () => {
      const [outer, inner] = [await bar.boundingBox(), await stop.boundingBox()];
      return outer && inner ? outer.x + outer.width - inner.x - inner.width : -1;
    };
    await expect.poll(room).toBeGreaterThan(4);
    await stop.click();
    await expect(stop).toHaveCount(0);
  });
});

test('the tab that is shown stays in sight in a window that is made narrower', async ({ app }) => {
  const { page } = app;
  await page.setViewportSize({ width: 1280, height: 800 });
  const areas = page.getByRole('navigation').first();
  await app.openNote('Block');
  for (const name of ['Servers', 'Health', 'History', 'Projects'])
    await areas.getByRole('button', { name, exact: true }).click();
  const shown = page.getByRole('tab', { name: 'Projects' });
  await expect.poll(() => isReached(shown), { timeout: 20_000 }).toBe(true);
  await page.setViewportSize({ width: 640, height: 600 });
  await expect.poll(() => isReached(shown), { timeout: 20_000 }).toBe(true);
});

test.describe('with much to say over the note', () => {
  const [demo] = demoAtOnce.providers;
  const tag = 'Somebody-with-a-long-name';
  test.use({
    settings: { providers: [{ ...demo, tag }] },
    notes: { 'A conversation that has a long name.md': '#User : Hello?' },
  });

  test('how an answer ended is said beside an open panel, and no button leaves its line', async ({ app }) => {
    const { page } = app;
    await page.setViewportSize({ width: 1000, height: 700 });
    await app.openNote('A conversation that has a long name');
    await page.keyboard.press('ControlOrMeta+Shift+b');
    const bar = page.locator('.note-bar');
    const answer = bar.getByRole('button', { name: /^Answer/ });
    const room = async () => {
      const [outer, inner] = [await bar.boundingBox(), await answer.boundingBox()];
      return outer && inner ? outer.x + outer.width - inner.x - inner.width : -1;
    };
    await expect(bar.getByText(tag)).toBeVisible();
    await answer.click();
    const outcome = bar.locator('.note-run');
    await expect.poll(() => outcome.innerText(), { timeout: 20_000 }).toBe('Answered');
    expect(await outcome.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
    expect(await room()).toBeGreaterThan(4);
    await app.kill();
    await expect(bar.getByText('Not connected')).toBeVisible();
    expect(await room()).toBeGreaterThan(4);
    await app.restart();
  });
});
