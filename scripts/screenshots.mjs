// Does the main job in the built app on a copy of the sample vault and writes what a reader of the README sees.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright';
import { ensureChromium } from './ensure-chromium.mjs';
import { projectNode, root } from './run.mjs';

const images = join(root, 'docs/images');
/** So that commands are as short as a reader would write them. */
const tools = join(root, 'node_modules/.bin');
const demo = { id: 'demo', vendor: 'demo', tag: 'Demo', model: 'demo', parameters: { pace: 1 } };

async function start(theme) {
  const folder = await mkdtemp(join(tmpdir(), 'interlinear-screenshots-'));
  const vault = join(folder, 'Garden');
  const data = join(folder, 'data');
  await cp(join(root, 'resources/sample-vault'), vault, { recursive: true });
  await mkdir(data);
  await writeFile(join(data, 'settings.json'), JSON.stringify({ version: 1, theme, providers: [demo] }));
  await writeFile(
    join(data, 'mcp.json'),
    JSON.stringify({
      mcpServers: {
        memory: { command: 'mcp-server-memory' },
        everything: { command: 'mcp-server-everything' },
      },
    }),
  );
  const env = { ...process.env, PATH: `${tools}${delimiter}${process.env.PATH}`, INTERLINEAR_DATA: data };
  const cli = join(root, 'out/main/cli.js');
  const invited = () =>
    /http\S+/.exec(
      spawnSync(projectNode(), [cli, 'browsers', 'invite'], { env, encoding: 'utf8' }).stdout,
    )?.[0];
  const child = spawn(projectNode(), [cli, 'serve', vault, '--no-open'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await new Promise((found, failed) => {
    child.once('exit', (code) => failed(new Error(`The app ended with ${code}.`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const match = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(line);
      if (match) found(invited());
    });
  });
  return {
    address,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function doTheJob(page, shot) {
  const area = (name) => page.getByRole('navigation').getByRole('button', { name, exact: true }).click();
  const waiting = page.getByRole('article', { name: /^Run / });
  await page.getByText('MCP 3/3').waitFor();
  await page.keyboard.press('Control+Shift+n');
  await page.locator('.cm-content:focus').waitFor();
  await page.keyboard.insertText('What is still open for opening day of the seed library?');
  await page.keyboard.press('Control+Enter');
  await waiting.waitFor();
  // A question takes no key in its first half second.
  await page.waitForTimeout(700);
  await page.keyboard.press('Alt+y');
  await page.getByText('Then 2 more').waitFor();
  await shot('conversation-approval');

  await page.keyboard.press('Alt+a');
  const answered = page.getByRole('button', { name: /^Answer/ });
  while (!(await answered.isVisible())) {
    await waiting.or(answered).first().waitFor();
    if (await waiting.isVisible()) await page.keyboard.press('Alt+a');
  }
  await page.keyboard.press('Control+Shift+b');
  await page.getByText('What will be sent').waitFor();
  await page.mouse.move(0, 0);
  await shot('finished-answer');

  await page.keyboard.press('Control+Shift+t');
  await page.getByRole('dialog').getByText('read_docs').first().click();
  await shot('tool-browser');
  await page.keyboard.press('Escape');

  await area('Health');
  await page.getByText('Slowest tools').waitFor();
  await shot('health');
  await area('Servers');
  await page.getByRole('list', { name: 'All servers' }).getByText('everything').click();
  await shot('servers');

  await area('Projects');
  await page.getByRole('heading', { name: 'Workstreams' }).waitFor();
  await shot('projects');
  await page.getByText('Canvas', { exact: true }).click();
  await page.getByRole('button', { name: 'Arrange' }).waitFor();
  await shot('canvas');
}

await mkdir(images, { recursive: true });
const chrome = await ensureChromium();
if (!chrome) throw new Error('No browser was found to look through.');
const browser = await chromium.launch({
  executablePath: chrome.path,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  for (const theme of ['light', 'dark']) {
    const app = await start(theme);
    try {
      const page = await browser.newPage({
        viewport: { width: 1280, height: 800 },
        deviceScaleFactor: 2,
        locale: 'en-GB',
        reducedMotion: 'reduce',
      });
      await page.goto(app.address);
      await doTheJob(page, async (name) => {
        // Fonts, charts and the last change of the note settle within a few frames.
        await page.waitForTimeout(600);
        await page.screenshot({ path: join(images, `${name}-${theme}.png`) });
      });
      await page.close();
    } finally {
      await app.stop();
    }
  }
} finally {
  await browser.close();
}
