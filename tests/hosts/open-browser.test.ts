import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openInBrowser } from '../../src/node/open-browser';

const inDesktop = { DISPLAY: ':0' };
const onLinux = test.runIf(process.platform === 'linux');

/** A system whose opener writes down each of its arguments, a line each. */
function withOpener() {
  const folder = mkdtempSync(join(tmpdir(), 'opener-'));
  const told = join(folder, 'told');
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" > '${told}.part' && mv '${told}.part' '${told}'\n`;
  writeFileSync(join(folder, 'xdg-open'), script, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}${delimiter}/usr/bin${delimiter}/bin`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return told;
}

onLinux('an address is one argument of the system’s opener, and no shell reads it', async () => {
  const told = withOpener();
  const address = 'https://example.org/?a=$(id)`id`;|&"<>\'x y#--help';
  await openInBrowser(address, inDesktop);
  await expect.poll(() => existsSync(told)).toBe(true);
  expect(readFileSync(told, 'utf8')).toBe(`${address}\n`);
});

onLinux('without a desktop nothing is started, and that is said', async () => {
  const told = withOpener();
  await expect(openInBrowser('https://example.org', {})).rejects.toMatchObject({ code: 'host.unsupported' });
  expect(existsSync(told)).toBe(false);
});

onLinux('a system without an opener says so', async () => {
  vi.stubEnv('PATH', mkdtempSync(join(tmpdir(), 'empty-')));
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(openInBrowser('https://example.org', inDesktop)).rejects.toMatchObject({
    code: 'host.unsupported',
  });
});
