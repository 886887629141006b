import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

const electronFolder = join(import.meta.dirname, 'node_modules/electron');
const electronPath = join(electronFolder, 'path.txt');
const hasElectron =
  existsSync(electronPath) && existsSync(join(electronFolder, 'dist', readFileSync(electronPath, 'utf8')));

if (!hasElectron && process.argv[1]?.includes('playwright') && process.env.TEST_WORKER_INDEX === undefined)
  process.stderr.write(
    'Electron is left out: its binary is not installed (node node_modules/electron/install.js).\n',
  );

// What the start-up files of the machine's own shell do is not tried here.
process.env.SHELL = '/bin/sh';

/** Those that do not go by the browser host's address, tabs or cookies. */
const electronSpecs = /(main-job|tools|servers|providers)\.spec\.ts/;

/** The same specs against both hosts. */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './tests/support/no-process-left.ts',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // Much of a test is waiting.
  workers: 3,
  // A busy machine is slow, not wrong.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: process.env.CI ? [['list'], ['html', { open: 'never' }]] : 'list',
  use: {
    // It costs more than all the rest: TRACE=1 where a failure is to be looked into.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
      args: ['--disable-background-networking', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    },
  },
  projects: [{ name: 'browser' }, ...(hasElectron ? [{ name: 'electron', testMatch: electronSpecs }] : [])],
});
