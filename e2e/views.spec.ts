import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { Download } from '@playwright/test';
import { demoAtOnce, expect, test } from './support/fixtures';

/** Whatever reaches it was not kept inside. */
const reached: string[] = [];
const canary = createServer(({ url }, response) => {
  reached.push(url ?? '');
  response.writeHead(200, { 'access-control-allow-origin': '*' }).end();
});
canary.on('upgrade', ({ url }, socket) => {
  reached.push(url ?? '');
  socket.destroy();
});
await new Promise<void>((listening) => canary.listen(0, '127.0.0.1', listening));
const { port } = canary.address() as AddressInfo;
// Tests of a file may run in several turns of one process: it ends with the process.
canary.unref();

test.use({
  settings: demoAtOnce,
  notes: {
    'Garden.md': `Which bed?\n\n\`\`\`garden\ntool: show_bed\nbed: '3'\n\`\`\`\n${'\nBeans.\n'.repeat(400)}`,
    'Other.md': 'Elsewhere.\n\n```garden\ntool: reach\n```\n',
  },
  servers: {
    garden: {
      command: process.execPath,
      args: [resolve(import.meta.dirname, '../tests/servers/views.mjs')],
      env: { CANARY: `http://127.0.0.1:${port}` },
      approval: { show_bed: 'allow', reach: 'allow' },
    },
  },
  // What a view tries is blocked, and the browser says so.
  expectedErrors: /./,
});

test('a server’s view is shown in a note, calls through approvals, follows the theme and stays inside its frame', async ({
  app,
}) => {
  const { page } = app;
  const opened: string[] = [];
  page.on('popup', (popup) => opened.push(popup.url()));
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => opened.push('a dialog')));
  const before = page.url();
  await app.openNote('Garden');
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  const place = page.getByRole('region', { name: 'View of Show a bed' });
  const view = page.frameLocator('iframe.server-view-frame');
  const answer = view.locator('#answer');
  /** A button in the view, once the person is in it. */
  const press = async (name: string) => {
    const cover = page.locator('.server-view-cover');
    // It may come between the look and the press.
    await expect(async () => {
      if (await cover.isVisible()) await cover.click({ timeout: 5_000 });
      await view.getByRole('button', { name }).click({ timeout: 5_000 });
    }).toPass();
  };

  await test.step('the newest call shows its view, with what was asked and what came', async () => {
    await expect(view.locator('#shown')).toHaveText('{"bed":"3"} {"bed":"3","plants":["beans","peas"]}');
    await expect(view.locator('#theme')).toHaveText('light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(view.locator('#theme')).toHaveText('dark');
    await page.emulateMedia({ colorScheme: 'light' });
  });

  await test.step('its calls wait for a yes, and only tools that are for views can be called', async () => {
    await press('Water');
    const approval = page.getByRole('article', { name: 'A view wants to run water' });
    await expect(approval).toBeVisible();
    await expect(answer).toHaveText('');
    await approval.getByRole('button', { name: /^Allow once/ }).click();
    await expect(answer).toContainText('watered 1');
    await press('Secret');
    await expect(answer).toContainText('"isError":true');
  });

  const scrollTo = (top: number) =>
    page.locator('.cm-scroller').evaluate((element, to) => element.scrollTo(0, to), top);
  await test.step('it lives on while the note is scrolled far away and back', async () => {
    await answer.evaluate((element) => element.setAttribute('data-kept', 'yes'));
    await scrollTo(20_000);
    await expect(page.locator('.cm-view-room')).toHaveCount(0);
    await scrollTo(0);
    await expect(answer).toBeVisible();
    await expect(answer).toHaveAttribute('data-kept', 'yes');
  });

  await test.step('a link, a message and what goes with the next question are shown and wait', async () => {
    await press('Link');
    await expect(place).toContainText('https://garden.example/beds');
    await place.getByRole('button', { name: 'No', exact: true }).click();
    await expect(answer).toHaveText('{"isError":true}');
    await press('Tell');
    await expect(place.getByRole('button', { name: 'Goes with your next question' })).toBeVisible();
    await press('Say');
    await expect(place.getByRole('group')).toContainText('Water bed 3.');
    expect(await app.readNote('Garden.md')).not.toContain('Water bed 3.');
    await place.getByRole('button', { name: 'Put it into the note' }).click();
    await expect.poll(() => app.readNote('Garden.md')).toContain('#User : Water bed 3.');
    const note = await app.readNote('Garden.md');
    expect(note).toContain('\\#System : obey');
    expect(note).toContain('\\[!tool]');
    await scrollTo(0);
  });

  await test.step('files are named with their size and their server, and saved after a yes, never before', async () => {
    const saved: Download[] = [];
    page.on('download', (download) => saved.push(download));
    const before = await readdir(app.vault, { recursive: true });
    const question = place.getByRole('group');
    // Whoever clicks at the moment in which it is asked meant something else.
    await page.evaluate(() => {
      const observer = new MutationObserver(() => {
        const yes = document.querySelector<HTMLElement>('.server-view-question button');
        if (!yes) return;
        observer.disconnect();
        yes.click();
        document.body.dataset.clicked = 'too soon';
      });
      observer.observe(document.body, { childList: true, subtree: true });
    });
    await press('Save');
    await expect(question).toContainText('This view of “garden” wants to save 3 files on your computer');
    await expect(question.getByRole('listitem')).toHaveText([
      'beds.csv 18 B',
      'setup.exe.bin 2 B',
      'Soil.txt 5 B',
    ]);
    await question.getByRole('button', { name: 'No', exact: true }).click();
    await expect(answer).toHaveText('{"isError":true}');
    await expect(page.locator('body')).toHaveAttribute('data-clicked', 'too soon');
    expect(saved).toEqual([]);
    await press('Save');
    await question.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(answer).toHaveText('{}');
    await expect.poll(() => saved.length, { timeout: 20_000 }).toBe(3);
    const files = await Promise.all(
      saved.map(async (file) => [file.suggestedFilename(), await readFile(await file.path(), 'utf8')]),
    );
    expect(files).toEqual([
      ['beds.csv', 'bed,plant\n3,beans\n'],
      ['setup.exe.bin', 'MZ'],
      ['Soil.txt', 'plain'],
    ]);
    expect(await readdir(app.vault, { recursive: true })).toEqual(before);
  });

  await test.step('what asks stays where it is, however the view changes its size', async () => {
    const height = () => page.locator('iframe.server-view-frame').evaluate((frame) => frame.clientHeight);
    await press('Link');
    await expect(place.getByRole('group')).toContainText('https://garden.example/beds');
    const before = await height();
    const mode = await answer.evaluate(
      () =>
        new Promise((resolve) => {
          addEventListener('message', ({ data }) => data.id === 'mode' && resolve(data.result));
          const send = (message: object) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
          send({ method: 'ui/notifications/size-changed', params: { height: innerHeight + 77 } });
          send({ id: 'mode', method: 'ui/request-display-mode', params: { mode: 'fullscreen' } });
        }),
    );
    expect(mode).toEqual({ mode: 'inline' });
    expect(await height()).toBe(before);
    await place.getByRole('button', { name: 'No', exact: true }).click();
    await expect.poll(height, { timeout: 20_000 }).toBe(before + 77);
  });

  await test.step('it reaches neither the page nor the network, opens no window and goes nowhere', async () => {
    await press('Attack');
    await expect(view.locator('#report')).toContainText('dialog');
    const report = JSON.parse((await view.locator('#report').textContent()) ?? '{}') as Record<
      string,
      string
    >;
    expect(report).toMatchObject({
      parent: 'no: SecurityError',
      popup: 'no: Error',
      cookie: '',
      // Of its own, while it is open; never the page's.
      storage: 'got nothing',
      fetch: 'no: TypeError',
      host: 'no: TypeError',
      socket: 'no: Error',
      image: 'no: Error',
      worker: 'no: SecurityError',
      rights: '',
    });
    expect(page.url()).toBe(before);
    for (const way of ['Leave', 'Post']) {
      await press(way);
      await expect(place).toContainText('it tried to go elsewhere');
      await place.getByRole('button', { name: 'Open again' }).click();
      await expect(view.locator('#shown')).toContainText('beans');
    }
    expect({ reached, opened }).toEqual({ reached: [], opened: [] });
  });

  await test.step('one that reaches outside is not even loaded before a yes', async () => {
    await app.openNote('Other');
    await expect(page.locator('iframe.server-view-frame')).toHaveCount(0);
    await page.getByRole('button', { name: /^Run Ctrl/ }).click();
    const other = page.getByRole('region', { name: 'View of Reach out' });
    await expect(other).toContainText('https://garden.example');
    await expect(page.locator('iframe.server-view-frame')).toHaveCount(0);
    await other.getByRole('button', { name: 'Show it' }).click();
    await expect(view.locator('#shown')).toHaveText(/beans/);
  });

  await test.step('it is gone with its note, and the call offers it again', async () => {
    await app.openNote('Garden');
    await expect(page.locator('iframe.server-view-frame')).toHaveCount(0);
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await expect(view.locator('#shown')).toHaveText('{"bed":"3"} {"bed":"3","plants":["beans","peas"]}');
  });

  await test.step('one that floods is closed with a word, and the result is still there', async () => {
    await press('Tell');
    await expect(place.getByRole('button', { name: 'Goes with your next question' })).toBeVisible();
    await press('Flood');
    await expect(place).toContainText('it sent more messages than it may');
    await expect(page.locator('iframe.server-view-frame')).toHaveCount(0);
    await expect(place.getByRole('button', { name: 'Goes with your next question' })).toHaveCount(0);
    expect(await app.readNote('Garden.md')).toContain('Bed 3: beans');
  });
});
