import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { projectNode, run, tool } from './run.mjs';

const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser'];
const places = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
    .filter(Boolean)
    .map((folder) => join(folder, 'Google/Chrome/Application/chrome.exe')),
};

export function findChromium() {
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return [process.env.CHROMIUM_PATH, ...(places[process.platform] ?? onPath)].find(
    (path) => path && existsSync(path),
  );
}

/** `{ path }` of an installed browser, `{ path: undefined }` for Playwright's own, null when there is none to be had. */
export async function ensureChromium() {
  const found = findChromium();
  if (found) return { path: found };
  console.log('No Chromium found; fetching one …');
  const fetched = await run(projectNode(), [tool('playwright', 'cli.js'), 'install', 'chromium'], {
    capture: true,
    limit: 300_000,
  });
  if (fetched.code === 0) return { path: undefined };
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    await run('apt-get', ['update', '-qq'], { capture: true, limit: 120_000 });
    await run('apt-get', ['install', '-y', '-qq', 'chromium'], { capture: true, limit: 300_000 });
    const installed = findChromium();
    if (installed) return { path: installed };
  }
  return null;
}
