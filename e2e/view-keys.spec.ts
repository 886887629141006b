import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { viewPolicy } from '../src/core/views/content-policy';
import { guardedPage } from '../src/core/views/guarded-page';

/** A view that already has the keyboard, though nobody went into it: here nothing closes it. */
const html = readFileSync(resolve(import.meta.dirname, '../tests/servers/key-taker.html'), 'utf8');
const guarded = guardedPage(html);
const policy = viewPolicy({}, guarded.scripts).directives.join('; ');
const server = createServer(({ url = '' }, response) => {
  const { pathname, search } = new URL(url, 'http://page');
  response.setHeader('content-type', 'text/html');
  if (pathname === '/bare') response.end(html);
  else if (pathname === '/view') response.setHeader('content-security-policy', policy).end(guarded.html);
  else response.end(`<iframe sandbox="allow-scripts allow-forms" src="${search.slice(1)}"></iframe>`);
});
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
// Tests of a file may run in several turns of one process: it ends with the process.
server.unref();

const ways = [...html.matchAll(/^ {4}'?([\w ]+)'?: \(\) =>/gm)].map(([, name = '']) => name);
const whenSlow = { timeout: 30_000 };

test('the view that wants keys has its ways', () => {
  expect(ways.length).toBeGreaterThan(18);
});

for (const way of ways)
  test(`no key gets to a view that has the focus and was not gone into: ${way}`, async ({ page }) => {
    await page.goto(`${origin}/?/view?${encodeURIComponent(way)}`);
    const devtools = await page.context().newCDPSession(page);
    const view = page.frameLocator('iframe');
    await expect(view.locator('body')).toHaveAttribute('data-tried', /./, whenSlow);
    await page.evaluate(() => frames[0]?.postMessage({ jsonrpc: '2.0', id: 1, result: {} }, '*'));
    for (const box of ['#typed', '#editable']) {
      const place = view.locator(box);
      if ((await place.count()) === 0) continue;
      await place.evaluate((element: HTMLElement) => {
        document.documentElement.inert = false;
        for (const dialog of document.querySelectorAll('dialog')) dialog.close();
        element.focus();
      });
      await page.keyboard.type('hunter2');
      await page.keyboard.press('Enter');
      await page.keyboard.insertText('pasted');
      // As an input method does it, without a key that could be held back.
      await devtools.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
      await devtools.send('Input.insertText', { text: '日本' });
    }
    await page.waitForFunction(() => new Promise((done) => setTimeout(done, 50)).then(() => true));
    const keys = view.locator('#keys');
    expect((await keys.count()) === 0 ? '' : await keys.textContent()).toBe('');
  });

test('a view that was gone into has the keys', async ({ page }) => {
  await page.goto(`${origin}/?/view?${encodeURIComponent('forged word from the page around')}`);
  const view = page.frameLocator('iframe');
  await expect(view.locator('body')).toHaveAttribute('data-tried', 'done', whenSlow);
  const say = (method: string) =>
    page.evaluate((word) => frames[0]?.postMessage({ method: word }, '*'), `interlinear/${method}`);
  await expect(view.locator('html')).toHaveAttribute('inert', '', whenSlow);
  await say('entered');
  await expect(view.locator('html')).not.toHaveAttribute('inert', '', whenSlow);
  await view.locator('#typed').click();
  await page.keyboard.type('ab');
  await expect(view.locator('#keys')).toContainText('value:ab', whenSlow);
  await say('left');
  await expect(view.locator('html')).toHaveAttribute('inert', '', whenSlow);
  await page.keyboard.type('cd');
  await expect(view.locator('#keys')).not.toContainText('value:abc');
});

test('without the guard the same page has every key', async ({ page }) => {
  await page.goto(`${origin}/?/bare?inert`);
  const view = page.frameLocator('iframe');
  await expect(view.locator('body')).toHaveAttribute('data-tried', 'done', whenSlow);
  await view.locator('#typed').click();
  await page.keyboard.type('ab');
  await expect(view.locator('#keys')).toContainText('keydown:a', whenSlow);
  await expect(view.locator('#keys')).toContainText('value:ab', whenSlow);
});
