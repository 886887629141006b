import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { test as base, expect, type Page } from '@playwright/test';
import { undeclaredText } from '../../src/contract/operation-errors';
import { invited } from '../../tests/support/invited';
import { clearBench } from './bench';
import { openElectron } from './electron';
import { mountSmallDisk, unmount } from './small-disk';

const root = resolve(import.meta.dirname, '../..');

/** The built app on a vault of its own, with a data folder of its own. */
export interface AppUnderTest {
  readonly page: Page;
  readonly vault: string;
  readonly data: string;
  /** The core's process. */
  readonly pid: () => number;
  /** Empty as long as there is no such file: it may be on its way. */
  readNote(path: string): Promise<string>;
  /** As readNote, of the data folder. */
  readData(path: string): Promise<string>;
  writeNote(path: string, text: string): Promise<void>;
  removeNote(path: string): Promise<void>;
  openNote(name: string): Promise<void>;
  /** Chooses from the palette what these words find first. */
  runCommand(words: string): Promise<void>;
  /** Answers the call that waits longest, once it is this tool's. */
  decide(tool: string, key: 'Alt+y' | 'Alt+a' | 'Alt+n'): Promise<void>;
  /** Another window on the same core. */
  secondWindow(): Promise<Page>;
  /** `kill -9` of the core. The page stays as it is. */
  kill(): Promise<void>;
  /** The core ends by itself, as when its machine is shut down. */
  end(): Promise<void>;
  /** Stops the core where it stands, as a debugger does; the answer lets it go on. */
  freeze(): () => void;
  /** Starts it anew on the same folders, or on another vault; the answer is where it is now, with an invitation. */
  restart(otherVault?: string): Promise<string>;
  /** Both; then the page is opened again. */
  killAndRestart(): Promise<void>;
}

/** Settings under which the demo writes quicker than by itself, but slow enough to be watched and stopped. */
export const demoQuick = {
  providers: [{ id: 'demo', vendor: 'demo', tag: 'Demo', model: 'demo', parameters: { pace: 12 } }],
};

/** Settings under which the demo answers without a pause. */
export const demoAtOnce = {
  providers: [{ id: 'demo', vendor: 'demo', tag: 'Demo', model: 'demo', parameters: { pace: 1 } }],
};

interface Options {
  /** Notes by path. */
  notes: Record<string, string>;
  settings: Record<string, unknown>;
  /** `mcp.json` of the user level. */
  servers: Record<string, unknown>;
  environment: Record<string, string>;
  /** Folders (`vault`, `data/…`) that are small disks of their own. */
  smallDisks: string[];
  /** What the console may say as an error without failing the test, beside that the connection was lost. */
  expectedErrors: RegExp;
}

interface Running {
  readonly process: ChildProcess;
  readonly address: string;
}

async function start(vault: string, data: string, environment: Record<string, string>): Promise<Running> {
  const child = spawn(
    join(root, 'node_modules/.bin/node'),
    [join(root, 'out/main/cli.js'), 'serve', vault, '--no-open'],
    { env: { ...process.env, ...environment, INTERLINEAR_DATA: data }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const address = await new Promise<string>((found, failed) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      said.push(line);
      const match = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(line);
      if (match) found(match[0]);
    });
    child.once('exit', (code) => failed(new Error(`The app ended with ${code}: ${said.join('\n')}`)));
  });
  return { process: child, address: invited(address, data) };
}

async function stop({ process: child }: Running, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

/** Told by the browser itself, and by the app in words; so is what was still being loaded as the page left. */
const connectionLost = /WebSocket|ERR_|Unable to preload|Failed to fetch dynamically imported/;

export const test = base.extend<Options & { app: AppUnderTest; newBench: undefined }>({
  notes: [{ 'Welcome.md': 'Hello.\n' }, { option: true }],
  settings: [{}, { option: true }],
  servers: [{}, { option: true }],
  environment: [{}, { option: true }],
  smallDisks: [[], { option: true }],
  expectedErrors: [/(?!)/, { option: true }],

  newBench: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern.
    async ({}, use) => {
      clearBench();
      await use(undefined);
    },
    { auto: true },
  ],

  app: async (
    { context, page: tab, notes, settings, servers, environment, smallDisks, expectedErrors },
    use,
    { project },
  ) => {
    const folder = await mkdtemp(join(tmpdir(), 'interlinear-e2e-'));
    const vault = join(folder, 'vault');
    const data = join(folder, 'data');
    const write = async (path: string, text: string) => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    };
    const read = (path: string) =>
      readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw error;
      });
    await mkdir(vault);
    for (const disk of smallDisks) mountSmallDisk(join(folder, disk));
    for (const [path, text] of Object.entries(notes)) await write(join(vault, path), text);
    await write(
      join(data, 'settings.json'),
      JSON.stringify({ version: 1, recentVaults: [vault], ...settings }),
    );
    await write(join(data, 'mcp.json'), JSON.stringify({ mcpServers: servers }));

    const shell = project.name === 'electron' ? await openElectron(data, environment) : null;
    const page = shell?.page ?? tab;
    let running = shell ? null : await start(vault, data, environment);
    const failures: string[] = [];
    const isExpected = (words: string) => connectionLost.test(words) || expectedErrors.test(words);
    page.on('pageerror', (error) => {
      if (!isExpected(error.message)) failures.push(error.message);
    });
    page.on('console', (message) => {
      if (message.type() === 'error' && !isExpected(message.text())) failures.push(message.text());
    });
    // To find what only holds on a quick machine.
    const slowed = Number(process.env.SLOWED ?? 1);
    if (slowed > 1)
      await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowed });
    if (running) await page.goto(running.address);
    // From here on the keys do something.
    await page.locator('.status-bar').waitFor();

    const app: AppUnderTest = {
      page,
      vault,
      data,
      pid: () => running?.process.pid ?? shell?.pid ?? 0,
      readNote: (path) => read(join(vault, path)),
      readData: (path) => read(join(data, path)),
      writeNote: (path, text) => write(join(vault, path), text),
      removeNote: (path) => rm(join(vault, path)),
      openNote: (name) => openNote(page, name),
      async runCommand(words) {
        await page.keyboard.press('ControlOrMeta+p');
        const palette = page.getByRole('dialog');
        await expect(palette.getByRole('combobox')).toBeFocused();
        await page.keyboard.insertText(words);
        await expect(palette.getByRole('option', { selected: true })).toContainText(words, {
          ignoreCase: true,
        });
        await page.keyboard.press('Enter');
      },
      async decide(tool, key) {
        const asked = page.getByRole('article', { name: /^Run / });
        await expect(asked.getByText(tool).first()).toBeVisible();
        // Keys that allow do nothing in the first moment.
        await expect(page.locator('.approval[data-armed="true"]', { hasText: tool }).first()).toBeVisible();
        await page.keyboard.press(key);
      },
      async secondWindow() {
        const other = await context.newPage();
        other.on('pageerror', (error) => failures.push(error.message));
        await other.goto(new URL('/', inBrowser(running).address).href);
        return other;
      },
      kill: () => stop(inBrowser(running), 'SIGKILL'),
      end: () => stop(inBrowser(running), 'SIGTERM'),
      freeze() {
        const { process: child } = inBrowser(running);
        child.kill('SIGSTOP');
        return () => void child.kill('SIGCONT');
      },
      async restart(otherVault = vault) {
        running = await start(otherVault, data, environment);
        return running.address;
      },
      async killAndRestart() {
        await app.kill();
        await app.restart();
        // As from a bookmark: the browser is known, and the port was kept.
        await page.goto(new URL('/', inBrowser(running).address).href);
        await page.locator('.status-bar').waitFor();
      },
    };
    await use(app);
    await shell?.close();
    if (running) await stop(running, 'SIGTERM');
    for (const disk of smallDisks) unmount(join(folder, disk));
    expect(failures, 'errors thrown in the page').toEqual([]);
    const log = await read(join(data, 'logs/interlinear.log'));
    expect(
      log.split('\n').filter((line) => line.includes(undeclaredText)),
      'failures that the contract does not name',
    ).toEqual([]);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },
});

/** Returns when it can be typed into: until its text is there, keys go nowhere. */
export async function openNote(page: Page, name: string): Promise<void> {
  await page.getByRole('treeitem', { name, exact: true }).click();
  const note = page.locator(`section.note[aria-label$=${JSON.stringify(`${name}.md`)}]`);
  await expect(note).toHaveAttribute('aria-busy', 'false');
}

function inBrowser(running: Running | null): Running {
  if (!running) throw new Error('Only the browser host has an address of its own.');
  return running;
}

export { expect };
