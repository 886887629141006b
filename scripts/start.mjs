// Plain Node 20 and no packages: this runs before anything is installed.
import '../bin/require-node.mjs';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectNode, root, run } from './run.mjs';

/** Milliseconds that fetching Electron may take before the browser is chosen instead. */
const fetchLimit = 60_000;

const electronFolder = join(root, 'node_modules/electron');

function electronBinary() {
  const where = join(electronFolder, 'path.txt');
  if (!existsSync(where)) return undefined;
  const binary = join(electronFolder, 'dist', readFileSync(where, 'utf8'));
  return existsSync(binary) ? binary : undefined;
}

/** The host to start and why. */
async function choose() {
  const wanted = process.env.INTERLINEAR_HOST;
  if (wanted === 'browser') return { why: 'INTERLINEAR_HOST=browser' };
  const display = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!display && wanted !== 'electron') return { why: 'there is no display' };
  let binary = electronBinary();
  if (!binary) {
    console.log('Fetching Electron …');
    await run(projectNode(), [join(electronFolder, 'install.js')], { capture: true, limit: fetchLimit });
    binary = electronBinary();
  }
  if (binary) return { binary, why: wanted ? 'INTERLINEAR_HOST=electron' : 'its binary is installed' };
  return { why: 'the Electron binary could not be fetched' };
}

async function start() {
  const { ensureInstalled } = await import('./ensure-node.mjs');
  if (!(await ensureInstalled())) return 1;
  const { ensureBuilt } = await import('./ensure-built.mjs');
  if (!(await ensureBuilt())) return 1;
  const { binary, why } = await choose();
  const args = process.argv.slice(2);
  if (binary) {
    console.log(`Starting in Electron (${why}).`);
    // Chromium's sandbox refuses to run for root, as in a container.
    const forRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    return (await run(binary, [...forRoot, root, ...args])).code;
  }
  console.log(`Starting in the browser (${why}).`);
  return (await run(projectNode(), [join(root, 'out/main/cli.js'), 'serve', ...args])).code;
}

process.exitCode = await start();
