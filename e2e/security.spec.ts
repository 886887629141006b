import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { test as base, expect, spoken } from './support/provider';

/** What tries to run, to load or to lead somewhere. `hit` is the canary. */
const payloads = [
  '<script>hit("script")</script>',
  '<img src=x onerror=hit("img")>',
  '<svg onload=hit("svg")><a href="javascript:hit(1)">x</a></svg>',
  '<iframe srcdoc="<script>parent.hit(2)</script>"></iframe>',
  '<details open ontoggle=hit(3)>x</details>',
  '"><img src=x onerror=hit(4)>',
  '</script></style></textarea></title><script>hit(5)</script>',
  '<math><mtext><table><mglyph><style><img src onerror=hit(6)>',
  '[script link](javascript:hit(7))',
  '[data link](data:text/html,<script>hit(8)</script>)',
  '[file link](file:///etc/passwd)',
  '[spaced link]( java\tscript:hit(9))',
  '<javascript:hit(10)>',
  '![pixel](http://attacker.example/pixel.png)',
  '![script pixel](javascript:hit(11))',
  '<img src="http://attacker.example/img.png">',
  '<link rel=stylesheet href=http://attacker.example/x.css><style>@import "http://attacker.example/y.css"</style>',
  '![[http://attacker.example/embed.png]]',
  '[[javascript:hit(12)]]',
  '<form action=http://attacker.example><button>x</button></form>',
  '<base href=http://attacker.example/>',
  '<meta http-equiv=refresh content="0;url=http://attacker.example/">',
];
const quoted = payloads.map((line) => `> ${line}`).join('\n');
const note = [
  `---\ntitle: '<img src=x onerror=hit("yaml")>'\n---`,
  ...payloads,
  `> [!failure] <img src=x onerror=hit("failure")>\n${quoted}`,
  `> [!thinking]- <img src=x onerror=hit("thinking")>\n${quoted}`,
  `> [!tool]- hostile · <img src=x onerror=hit("tool")>\n> \`\`\`hostile\n> tool: plain\n> said: '<img src=x onerror=hit(13)>'\n> \`\`\`\n> \`\`\`result ok ms=3\n${quoted}\n> \`\`\``,
  `| a | b |\n| --- | --- |\n| ${payloads[1]} | ${payloads[8]} |`,
  '```html\n<script>hit("fence")</script>\n```',
  '#User : <img src=x onerror=hit("turn")>',
].join('\n\n');

const hostileName = '<img src=x onerror=hit("name")>';
const test = base.extend<{ canary: { hits(): Promise<string[]> } }>({
  canary: async ({ page }, use) => {
    const strange: string[] = [];
    await page.addInitScript(() => {
      const hits: string[] = [];
      Object.assign(window, { hits, hit: (what: unknown) => hits.push(`ran: ${what}`) });
      window.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        hits.push(`tried: ${violatedDirective} ${blockedURI}`),
      );
    });
    page.on('dialog', (dialog) => void dialog.dismiss().then(() => strange.push('a dialog')));
    page.on('popup', (popup) => strange.push(`a window: ${popup.url()}`));
    page.on('request', (request) => {
      if (new URL(request.url()).hostname !== '127.0.0.1') strange.push(`a request: ${request.url()}`);
    });
    await use({
      hits: async () => [...strange, ...(await page.evaluate(() => Reflect.get(window, 'hits') as string[]))],
    });
  },
});

// The page's policy blocks what is tried here, and says so.
test.use({ expectedErrors: /Content Security Policy|404/ });

test.use({
  notes: {
    'Hostile.md': note,
    [`${hostileName}.md`]: '#User : Ask the tool.\n',
    'Quiet.md': 'Nothing here.\n',
  },
  servers: {
    [hostileName]: {
      command: process.execPath,
      args: [resolve(import.meta.dirname, '../tests/servers/hostile.mjs')],
      env: { PAYLOADS: JSON.stringify(payloads) },
    },
  },
});

test.describe('what others wrote stays text', () => {
  // The canary has to be there before the page is.
  test.use({ environment: async ({ canary: _canary }, use) => use({}) });

  test('in a note, in its cards and in its name', async ({ app, canary }) => {
    const { page } = app;
    await app.openNote('Hostile');
    const text = page.locator('.cm-content');
    for (let screens = 0; screens < 12; screens++) {
      for (const toggle of await page.locator('.cm-card-toggle[aria-expanded=false]').all())
        await toggle.click({ timeout: 500 }).catch(() => undefined);
      await text.press('PageDown');
    }
    await page.keyboard.press('ControlOrMeta+Home');
    const asked = page.getByRole('alertdialog');
    for (const link of await page.locator('.cm-link').all()) {
      await link.click({ modifiers: ['ControlOrMeta'], timeout: 500 }).catch(() => undefined);
      // Where it leads is shown first.
      if (await asked.isVisible()) await asked.getByRole('button', { name: 'Open' }).click();
      await expect(asked).toHaveCount(0);
    }
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await app.openNote(hostileName);
    await expect(page.getByRole('tab', { name: hostileName })).toBeVisible();
    expect(await canary.hits()).toEqual([]);
  });

  test('in the names, descriptions, results and logs of a server', async ({ app, canary, provider }) => {
    const { page } = app;
    await page.getByRole('button', { name: 'Servers', exact: true }).click();
    await page
      .getByRole('list', { name: 'Servers' })
      .getByRole('button', { name: /^<img src=x/ })
      .click();
    const server = page.getByRole('article', { name: hostileName });
    await expect(server.getByRole('status')).toContainText('Ready');
    await server.getByRole('tab', { name: 'Log' }).click();
    await expect(server.getByRole('log')).toContainText('onerror=hit("img")');

    await server.getByRole('button', { name: 'Browse its tools' }).click();
    const tools = page.getByRole('dialog');
    await expect(tools.getByRole('option').first()).toBeVisible();
    for (const option of (await tools.getByRole('option').all()).slice(0, 24)) await option.click();
    // Only what is in sight is drawn.
    await tools.getByPlaceholder('Search all tools').fill('plain');
    await tools.getByRole('option').filter({ hasText: 'plain' }).first().click();
    await expect(tools.locator('.tool-title img')).toHaveAttribute('src', /^data:image\/svg/);
    await expect(page.locator('img[src^=http]')).toHaveCount(0);
    for (const link of await tools.locator('.ui-markdown a').all()) {
      const href = await link.getAttribute('href');
      expect(href ?? 'none').toMatch(/^(none|https?:|mailto:)/);
    }
    await tools.getByRole('tab', { name: 'Try', exact: true }).click();
    await page.keyboard.press('Escape');

    const call = { index: 0, id: 'c1', type: 'function' };
    const name = '_img_src_x_onerror_hit_name___plain';
    const args = JSON.stringify({ said: payloads[1] });
    const chunk = (choice: object) =>
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, ...choice }] })}\n\n`;
    provider.answer(
      {
        body:
          chunk({ delta: { tool_calls: [{ ...call, function: { name, arguments: args } }] } }) +
          chunk({ delta: {}, finish_reason: 'tool_calls' }) +
          'data: [DONE]\n\n',
      },
      { body: spoken(...payloads.map((line) => `${line}\n\n`)) },
    );
    await app.openNote(hostileName);
    await page.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(page.locator('.approval')).toContainText('onerror=hit');
    await expect(page.locator('.approval[data-armed="true"]').first()).toBeVisible();
    await page.keyboard.press('Alt+y');
    await expect(page.getByRole('button', { name: /^Answer/ })).toBeVisible();
    await expect(page.locator('.cm-call')).toBeVisible();
    await page.locator('.cm-card-toggle').first().click();

    await page.getByRole('button', { name: 'History', exact: true }).click();
    await page.getByText('plain').first().click();
    await page.getByRole('button', { name: 'Health', exact: true }).click();
    await expect(page.getByText(hostileName).first()).toBeVisible();
    expect(await canary.hits()).toEqual([]);
  });

  test('and the canary sings where something does run or is tried', async ({ app, canary }) => {
    await app.page.evaluate(() => Reflect.get(window, 'hit')('on purpose'));
    await app.page.evaluate(() => {
      document.body.insertAdjacentHTML(
        'beforeend',
        '<img src="http://attacker.example/x.png" onerror="hit(1)">',
      );
    });
    await expect
      .poll(canary.hits)
      .toEqual(expect.arrayContaining(['ran: on purpose', expect.stringMatching(/^tried: img-src/)]));
    expect(await canary.hits()).not.toContain('ran: 1');
  });
});

test('a character that hides or turns text is written out where a call is approved', async ({
  app,
  provider,
}) => {
  const { page } = app;
  const args = JSON.stringify({ said: 'safe\u202egpj.exe\u{e0041}' });
  const delta = {
    tool_calls: [
      {
        index: 0,
        id: 'c1',
        type: 'function',
        function: { name: '_img_src_x_onerror_hit_name___plain', arguments: args },
      },
    ],
  };
  const chunk = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm' };
  const line = (choice: object) =>
    `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }] })}\n\n`;
  provider.answer({
    body: `${line({ delta })}${line({ delta: {}, finish_reason: 'tool_calls' })}data: [DONE]\n\n`,
  });
  await app.openNote(hostileName);
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.locator('.approval pre')).toContainText('safe\\u202egpj.exe\\udb40\\udc41');
});

test.describe('a folder that brings servers', () => {
  const configWith = (marker: string) => ({
    mcpServers: {
      brought: {
        command: process.execPath,
        args: ['-e', `require('fs').writeFileSync(${JSON.stringify(marker)}, '')`],
        // What it leaves lies outside of the vault.
        sandbox: false,
      },
    },
  });

  test('starts nothing until the person trusts it', async ({ app }) => {
    const { page } = app;
    const marker = join(app.data, 'started');
    await app.writeNote('.interlinear/mcp.json', JSON.stringify(configWith(marker)));
    await app.killAndRestart();
    await expect(page.getByText('This folder brings things that can run')).toBeVisible();
    // The servers that may start have by then.
    await expect(page.getByText(/MCP 2\/2/)).toBeVisible();
    expect(existsSync(marker)).toBe(false);
    await page.getByRole('button', { name: 'Trust this folder' }).click();
    await expect.poll(() => existsSync(marker)).toBe(true);

    // Another program (a checkout, a sync) changes what was agreed to.
    const later = join(app.data, 'started later');
    await app.writeNote('.interlinear/mcp.json', JSON.stringify(configWith(later)));
    await expect(page.getByText('is not what you agreed to')).toBeVisible();
    await expect(page.locator('.contributions del')).toContainText(marker);
    await expect(page.locator('.contributions ins')).toContainText(later);
    expect(existsSync(later)).toBe(false);
    await page.getByRole('button', { name: 'Agree to this' }).click();
    await expect.poll(() => existsSync(later)).toBe(true);
    await expect(page.locator('.contributions')).toHaveCount(0);
  });
});

/** What a page can make of our socket: the first words that are said to it, and the last. */
async function spokenTo(page: Page, origin: string): Promise<string> {
  return page.evaluate(
    (address) =>
      new Promise<string>((done) => {
        const socket = new WebSocket(address);
        socket.onmessage = () =>
          socket.send(JSON.stringify({ t: 'call', id: 1, op: 'vault.recent', input: {} }));
        socket.onclose = () => done('hung up on');
        socket.onerror = () => done('refused');
      }),
    `${origin.replace('http', 'ws')}/bridge`,
  );
}

test('a browser without an invitation sees nothing but how to get one', async ({ app, browser }) => {
  const { origin } = new URL(app.page.url());
  const stranger = await browser.newContext();
  const page = await stranger.newPage();
  await page.goto(`${origin}/#invitation=guessed`);
  await expect(page.getByRole('heading', { name: 'This browser has not been invited' })).toBeVisible();
  await expect(page.getByText('interlinear browsers invite')).toBeVisible();
  expect(await spokenTo(page, origin)).toBe('hung up on');
  for (const path of ['/files/picture.png', '/files/Welcome.md'])
    expect((await page.request.get(`${origin}${path}`)).status(), path).toBe(404);
  await stranger.close();
});

test('a page of another port gets nowhere in a browser that is let in', async ({ app, context }) => {
  const { origin, port } = new URL(app.page.url());
  const elsewhere = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Elsewhere</title>'),
  ).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
  expect(await spokenTo(page, origin)).toBe('refused');
  expect(await spokenTo(page, `http://localhost:${port}`)).toBe('refused');
  const read = await page.evaluate(
    (address) =>
      Promise.all([
        fetch(address, { credentials: 'include' }).then(
          (response) => response.text(),
          () => 'not read',
        ),
        new Promise((done) => {
          const frame = document.createElement('iframe');
          frame.src = address;
          frame.onload = () =>
            done(frame.contentDocument === null ? 'not read' : frame.contentDocument.title);
          document.body.append(frame);
        }),
      ]),
    `${origin}/`,
  );
  expect(read).toEqual(['not read', 'not read']);
  expect(await context.cookies()).toEqual([]);
  elsewhere.close();
  elsewhere.closeAllConnections();
});
