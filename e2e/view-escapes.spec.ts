import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { resolve } from 'node:path';
import { demoAtOnce, expect, test } from './support/fixtures';

/** Whatever arrives was not kept inside. */
const reached: string[] = [];
const http = createServer(({ url }, response) => {
  reached.push(`http ${url}`);
  response.writeHead(200, { 'content-type': 'text/html' }).end();
});
http.on('connection', () => reached.push('a connection'));
const tcp = createTcp((socket) => {
  reached.push('turn');
  socket.on('error', () => undefined).destroy();
});
const udp = createSocket('udp4').on('message', () => reached.push('udp'));
await Promise.all([
  new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready)),
  new Promise<void>((ready) => tcp.listen(0, '127.0.0.1', ready)),
  new Promise<void>((ready) => udp.bind(0, '127.0.0.1', ready)),
]);
const at = (server: { address(): unknown }) => `127.0.0.1:${(server.address() as AddressInfo).port}`;
// Tests of a file may run in several turns of one process: they end with the process.
for (const server of [http, tcp, udp]) server.unref();

const note = (tool: string) => `Here: \n\n\`\`\`escapes\ntool: ${tool}\n\`\`\`\n`;
test.use({
  settings: demoAtOnce,
  notes: { 'Escape.md': note('escape'), 'Grab.md': note('grab'), 'Steal.md': note('steal') },
  servers: {
    escapes: {
      command: process.execPath,
      args: [resolve(import.meta.dirname, '../tests/servers/view-escapes.mjs')],
      env: { UDP: at(udp), TCP: at(tcp), HTTP: `http://${at(http)}` },
      approval: { escape: 'allow', grab: 'allow', steal: 'allow' },
    },
  },
  // What a view tries is blocked, and the browser says so.
  expectedErrors: /./,
});

const whenSlow = { timeout: 40_000 };

test('a view gets no connection past its policy, whatever realm it makes for itself', async ({ app }) => {
  test.setTimeout(120_000);
  const { page } = app;
  await app.openNote('Escape');
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  const report = page.frameLocator('iframe.server-view-frame').locator('#report');
  await expect(report).toContainText('"over"', { timeout: 80_000 });
  const ways = JSON.parse((await report.textContent()) ?? '{}') as Record<string, string>;
  expect(Object.keys(ways).length).toBeGreaterThan(35);
  expect(Object.entries(ways).filter(([, came]) => /made/.test(came))).toEqual([]);
  expect(reached).toEqual([]);

  await test.step('and the canary sings where nothing stops it', async () => {
    const free = await page.context().newPage();
    await free.goto(`http://${at(http)}/free`);
    await free.evaluate(
      async (urls) => {
        const peer = new RTCPeerConnection({ iceServers: [{ urls }] });
        peer.createDataChannel('x');
        await peer.setLocalDescription(await peer.createOffer());
      },
      `stun:${at(udp)}`,
    );
    await expect.poll(() => reached.includes('udp') && reached.includes('http /free'), whenSlow).toBe(true);
    await free.close();
  });
});

test('a view gets no key before the person goes into it, by mouse or keyboard, and Escape leaves it', async ({
  app,
}) => {
  test.setTimeout(120_000);
  const { page } = app;
  await app.openNote('Grab');
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  const view = page.frameLocator('iframe.server-view-frame');
  await expect(view.locator('#report')).toHaveText(/\d\d/, whenSlow);
  expect(await page.locator('.cm-scroller').evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  await page.locator('.cm-line').first().click();
  await page.keyboard.press('End');
  const words = 'My password is hunter2. '.repeat(9).slice(0, 200);
  await page.keyboard.type(words, { delay: 5 });
  await expect.poll(() => app.readNote('Grab.md'), whenSlow).toContain(words);
  await expect(view.locator('#keys')).toHaveText('');

  const cover = page.getByRole('button', { name: 'Click or press Enter to use this view' });
  const closed = page.getByText('it took the keyboard without being asked');
  /** One that takes the focus in the moment of leaving is closed, and keys of that moment are lost. */
  const isLeft = async () => {
    await expect(cover.or(closed)).toBeVisible(whenSlow);
    if (!(await closed.isVisible())) return;
    await page.getByRole('button', { name: 'Open again' }).click();
    await expect(cover).toBeVisible(whenSlow);
    await expect(view.locator('#report')).toHaveText(/\d/, whenSlow);
  };
  /** The view hears a moment later that somebody is in it; keys before that are not its own. */
  const typeInIt = (word: string) =>
    expect(async () => {
      await page.keyboard.type(word);
      await expect(view.locator('#keys')).toHaveText(new RegExp(`${word}$`), { timeout: 2_000 });
    }).toPass(whenSlow);
  for (const goIn of [() => cover.click(), () => cover.press('Enter')]) {
    await goIn();
    await expect(cover).toHaveCount(0);
    await typeInIt('abc');
    await page.keyboard.press('Escape');
    await isLeft();
  }
  await cover.click();
  await typeInIt('def');
  await page.locator('.cm-line').first().click();
  await isLeft();
  await page.locator('.cm-line').first().click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('Back. ');
  await expect.poll(() => app.readNote('Grab.md'), whenSlow).toContain('Back. Here:');
  await expect(view.locator('#keys').filter({ hasText: /B/ })).toHaveCount(0);
});

test('a view that takes the keyboard through a frame of its own is closed, and the note has it again', async ({
  app,
}) => {
  const { page } = app;
  await app.openNote('Steal');
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  await expect(page.getByRole('region', { name: 'View of steal' })).toContainText(
    'it took the keyboard without being asked',
    whenSlow,
  );
  await page.locator('.cm-line').first().click();
  await page.keyboard.press('End');
  await page.keyboard.type('safe');
  await expect.poll(() => app.readNote('Steal.md'), whenSlow).toContain('safe');
});
