import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { ServerState } from '../src/contract/mcp';
import type { ServerAction, ServerCondition } from '../src/contract/server-state';
import { type SignInService, startSignInService } from '../tests/support/sign-in-service';
import { demoAtOnce, expect, test } from './support/fixtures';

/** What a server can be told, in the places where it is shown; `switch` is only on its page. */
type Button = ServerAction | 'switch';

/** The words on it, and how the server is made to do it: what is written into its file before, and what comes of it. */
interface Press {
  readonly steer?: string;
  readonly becomes: string;
}

interface Row {
  readonly words: string | RegExp;
  readonly tone: string;
  readonly on: boolean;
  /** How its program begins. */
  readonly begins: string;
  readonly config?: Record<string, unknown>;
  readonly buttons: Partial<Record<Button, Press>>;
}

const ready: Press = { steer: 'well', becomes: 'Ready' };
const anew: Press = { steer: 'mute', becomes: 'Starting' };
const stopped: Press = { becomes: 'Stopped' };
const off: Press = { becomes: 'Off' };
const quick = { checkInterval: 1_000 };

/** Every state that a server can be in, and every button that it then has. */
const table: Readonly<Record<ServerCondition, Row>> = {
  stopped: {
    ...{ words: 'Stopped', tone: 'neutral', on: true, begins: 'well', config: { autostart: false } },
    buttons: { start: ready, switch: off },
  },
  starting: {
    ...{ words: 'Starting', tone: 'accent', on: true, begins: 'mute', config: { initTimeout: 600_000 } },
    buttons: { stop: stopped, restart: ready, switch: off },
  },
  ready: {
    ...{ words: 'Ready', tone: 'good', on: true, begins: 'well' },
    buttons: { stop: stopped, restart: anew, switch: off },
  },
  degraded: {
    ...{ words: 'Slow', tone: 'warn', on: true, begins: 'listless' },
    buttons: { stop: stopped, restart: ready, switch: off },
  },
  unhealthy: {
    ...{ words: 'Not responding', tone: 'bad', on: true, begins: 'silent', config: quick },
    buttons: { restart: anew, stop: stopped, switch: off },
  },
  'needs-sign-in': {
    ...{ words: 'Needs sign-in', tone: 'warn', on: true, begins: 'well' },
    buttons: {
      'sign-in': { becomes: 'Needs sign-in' },
      restart: { becomes: 'Needs sign-in' },
      switch: off,
    },
  },
  waiting: {
    ...{ words: /^Next attempt in/, tone: 'warn', on: true, begins: 'dies', config: { restarts: 100 } },
    buttons: { restart: ready, stop: stopped, switch: off },
  },
  failed: {
    ...{ words: 'Failed', tone: 'bad', on: true, begins: 'well', config: { cwd: '/no/such/folder' } },
    buttons: { start: { becomes: 'Failed' }, switch: off },
  },
  off: {
    ...{ words: 'Off', tone: 'neutral', on: false, begins: 'well', config: { enabled: false } },
    buttons: { 'turn-on': ready, switch: ready },
  },
  'given-up': {
    ...{ words: 'Off after failures', tone: 'bad', on: false, begins: 'dies', config: { restarts: 0 } },
    buttons: { 'turn-on': ready, restart: ready, 'keep-off': off, switch: ready },
  },
};

const labels: Readonly<Record<ServerAction, string>> = {
  'turn-on': 'Turn on again',
  'keep-off': 'Keep off',
  start: 'Start',
  stop: 'Stop',
  restart: 'Restart',
  'sign-in': 'Sign in',
};
/** Buttons beside them that do nothing to the server. */
const others = new Set(['Browse its tools', 'More', 'Log', 'With a code', 'Overview']);

const folder = mkdtempSync(join(tmpdir(), 'interlinear-steered-'));
const program = resolve(import.meta.dirname, '../tests/servers/steered.mjs');
const modeFile = (name: string) => join(folder, name);
const conditions = Object.keys(table) as ServerCondition[];
/** A server of its own for every button, since pressing it changes the state. */
const each = conditions.flatMap((condition) =>
  (Object.keys(table[condition].buttons) as Button[]).map((button) => ({
    condition,
    button,
    name: `${condition}--${button}`,
    row: table[condition],
    press: table[condition].buttons[button] as Press,
  })),
);
let service: SignInService;

test.beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  service = await startSignInService();
});
test.afterAll(() => {
  service.close();
  rmSync(folder, { recursive: true, force: true });
});

test.use({
  // No browser of this machine is opened: the address is on the screen.
  environment: { DISPLAY: '', WAYLAND_DISPLAY: '' },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern.
  servers: async ({}, use) => {
    for (const { name, row } of each) writeFileSync(modeFile(name), row.begins);
    await use(
      Object.fromEntries(
        each.map(({ name, condition, row }) => [
          name,
          condition === 'needs-sign-in'
            ? { url: service.url }
            : { command: process.execPath, args: [program, modeFile(name)], ...row.config },
        ]),
      ),
    );
  },
});

/** What the place shows of the server and can do there. */
interface Shown {
  readonly whole: Locator;
  readonly words: Locator;
  readonly dot: Locator;
}

const page = {
  async servers(screen: Page, name: string): Promise<Shown> {
    await screen.locator('.ui-choice', { has: screen.getByText(name, { exact: true }) }).click();
    const whole = screen.getByRole('article', { name, exact: true });
    const state = whole.locator('.server-state');
    return { whole, words: state.locator('span').nth(1), dot: state.locator('.ui-dot') };
  },
  async health(screen: Page, name: string): Promise<Shown> {
    const whole = screen.getByRole('article', { name, exact: true });
    return { whole, words: whole.locator('.health-state'), dot: whole.locator('header .ui-dot') };
  },
};

/** The buttons that are there now, by what they say. */
async function buttonsOf({ whole }: Shown): Promise<string[]> {
  const names = await whole
    .getByRole('button')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent?.trim() ?? ''));
  return [...new Set(names.filter((name) => !others.has(name)))].sort();
}

async function expectTone({ dot }: Shown, tone: string): Promise<void> {
  await expect(dot).toHaveClass(new RegExp(`ui-dot-${tone}\\b`));
}

test('the table has a row for every state of the contract', () => {
  const kinds = ServerState.options.map(({ shape }) => shape.kind.value);
  const rows = conditions.map((one) => (one === 'off' || one === 'given-up' ? 'disabled' : one));
  expect(new Set(rows)).toEqual(new Set(kinds));
});

for (const place of ['servers', 'health'] as const) {
  test(`on the page “${place}” every button of every state does what it says`, async ({ app }) => {
    const screen = app.page;
    const view = place === 'servers' ? 'Servers' : 'Health';
    const go = () => screen.getByRole('navigation').getByRole('button', { name: view, exact: true }).click();
    await go();
    for (const { name, button, row, press } of each) {
      if (button === 'switch' && place === 'health') continue;
      await test.step(name, async () => {
        const shown = await page[place](screen, name);
        await expect(shown.words).toHaveText(row.words);
        await expectTone(shown, row.tone);
        const expected = Object.keys(row.buttons).filter((one) => one !== 'switch') as ServerAction[];
        await expect.poll(() => buttonsOf(shown)).toEqual(expected.map((one) => labels[one]).sort());
        const toggle = shown.whole.getByRole('switch', { name });
        if (place === 'servers') await expect(toggle).toBeChecked({ checked: row.on });
        if (press.steer) writeFileSync(modeFile(name), press.steer);
        const before = service.seen.length;
        if (button === 'switch') await toggle.click();
        else await shown.whole.getByRole('button', { name: labels[button], exact: true }).click();
        if (button === 'sign-in') return expectSignIn(screen, name, go);
        await expect(shown.words).toHaveText(press.becomes);
        if (name === 'needs-sign-in--restart')
          await expect.poll(() => service.seen.length).toBeGreaterThan(before);
        if (place === 'servers' && press.becomes === 'Off') await expect(toggle).not.toBeChecked();
      });
    }
    const enabled = (name: string) =>
      JSON.parse(readFileSync(join(app.data, 'mcp.json'), 'utf8')).mcpServers[name].enabled;
    await expect.poll(() => enabled('given-up--keep-off')).toBe(false);
    await expect.poll(() => enabled('given-up--turn-on')).toBeUndefined();
  });
}

/** Wherever it is pressed, the address to open is on the server's page, and it can be called off there. */
async function expectSignIn(screen: Page, name: string, back: () => Promise<void>): Promise<void> {
  const whole = screen.getByRole('article', { name, exact: true });
  const address = whole.locator('.server-sign-in-address');
  if (!(await address.isVisible())) {
    const start = whole.getByRole('button', { name: 'Sign in', exact: true });
    await start.or(address).first().waitFor();
    if (await start.isVisible()) await start.click();
  }
  await expect(address).toContainText('/authorize?');
  await whole.getByRole('button', { name: 'Cancel' }).click();
  await expect(whole.locator('.server-state')).toContainText('Needs sign-in');
  await back();
}

test('every place says the same of a server, and none that all is well', async ({ app }) => {
  const screen = app.page;
  const chosen = each.filter(({ button }) => button === 'switch');
  await screen.getByRole('button', { name: /^\d+ more notices?$/ }).click();
  const status = screen.locator('.status-bar').getByRole('button', { name: /^MCP/ });
  await status.click();
  const popover = screen.locator('.status-popover');
  for (const { name, row } of chosen) {
    const line = popover.locator('li', { hasText: name });
    await expect(line.locator('.status-popover-state')).toHaveText(row.words);
    await expect(line.locator('.ui-dot')).toHaveClass(new RegExp(`ui-dot-${row.tone}\\b`));
  }
  await expect(popover.getByRole('heading')).toContainText('need attention');
  await expect(status.locator('.ui-dot')).toHaveClass(/ui-dot-bad/);
  const notice = screen.getByText(/“given-up--switch” failed too often and was turned off/);
  await expect(notice).toBeVisible();

  await popover.getByRole('button', { name: 'given-up--switch' }).click();
  await expect(screen.getByRole('article', { name: 'given-up--switch', exact: true })).toBeVisible();
  await screen.keyboard.press('ControlOrMeta+,');
  const settings = screen.getByRole('dialog');
  await settings.getByRole('button', { name: 'Servers', exact: true }).click();
  for (const { name, row } of chosen) {
    const line = settings.locator('li', { hasText: name });
    await expect(line.locator('small')).toHaveText(row.words);
    await expect(line.locator('.ui-dot')).toHaveClass(new RegExp(`ui-dot-${row.tone}\\b`));
  }
});

test.describe('what is for all servers', () => {
  test.use({ servers: {}, settings: demoAtOnce });

  test('tools are paused and resumed where it is seen; no file changes, and a new start is still paused', async ({
    app,
  }) => {
    const screen = app.page;
    const file = () => readFileSync(join(app.data, 'mcp.json'), 'utf8');
    const before = file();
    const bar = screen.locator('.status-bar');
    const pause = async () => {
      await bar.getByRole('button', { name: /^MCP/ }).click();
      await screen.getByRole('button', { name: 'Pause all tools' }).click();
      await expect(bar).toContainText('Tools paused');
    };
    await pause();
    await screen.keyboard.press('Escape');
    await bar.getByRole('button', { name: 'Resume' }).click();
    await expect(bar).not.toContainText('Tools paused');
    await pause();
    expect(file()).toBe(before);
    await app.killAndRestart();
    await expect(bar).toContainText('Tools paused');
    await bar.getByRole('button', { name: 'Resume' }).click();
    await expect(bar).not.toContainText('Tools paused');
    await app.killAndRestart();
    await expect(bar.getByRole('button', { name: /^MCP 1\/1/ })).toBeVisible();
    await expect(bar).not.toContainText('Tools paused');
  });

  test('a call that waits is shown whole in its popover, in every width', async ({ app }) => {
    const screen = app.page;
    await app.writeNote('Block.md', '```vault\ntool: list_files\n```\n');
    await app.openNote('Block');
    await screen.locator('.cm-content').click();
    await screen.keyboard.press('ControlOrMeta+Home');
    await screen.keyboard.press('ControlOrMeta+Enter');
    await expect(screen.getByRole('button', { name: /^Allow once/ })).toBeVisible();
    for (const width of [1280, 1000, 640, 400]) {
      await screen.setViewportSize({ width, height: 720 });
      await screen.locator('.approval-tray').click();
      const popover = screen.getByRole('dialog', { name: /waits for you/ });
      await expect(popover).toBeVisible();
      const cut = await popover.evaluate((box) => {
        const edge = box.getBoundingClientRect();
        return [...box.querySelectorAll('button, h3, .ui-badge, .approval-name')].filter((one) => {
          const { left, right } = one.getBoundingClientRect();
          return left < edge.left || right > edge.right || right > innerWidth || left < 0;
        }).length;
      });
      expect([width, cut]).toEqual([width, 0]);
      await screen.keyboard.press('Escape');
    }
  });
});
