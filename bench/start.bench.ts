import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { firstAddress, launchChromium, startApp } from './app-in-chromium';
import { interleaved, median, report } from './measure';

const rounds = 9;
const browser = await launchChromium();
const vault = mkdtempSync(join(tmpdir(), 'interlinear-sample-'));
cpSync(join(process.cwd(), 'resources/sample-vault'), vault, { recursive: true });

/** From starting the program until a person can choose a note. */
async function ours(): Promise<number> {
  const from = performance.now();
  const app = await startApp({ vault });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(app.address);
  await page.getByRole('treeitem').first().waitFor();
  const took = performance.now() - from;
  await context.close();
  await app.close();
  return took;
}

const emptyServer = `
const server = require('node:http').createServer((request, response) => response.end('<!doctype html><p role="treeitem">An empty page</p>'));
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));
`;

async function empty(): Promise<number> {
  const from = performance.now();
  const child = spawn(process.execPath, ['-e', emptyServer], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await firstAddress(child);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole('treeitem').first().waitFor();
  const took = performance.now() - from;
  await context.close();
  const exited = once(child, 'exit');
  child.kill();
  await exited;
  return took;
}

await ours();
await empty();
const times = await interleaved(rounds, ours, empty);
const weighed = await pageWeight();
const editor = await editorWeight();
await browser.close();
rmSync(vault, { recursive: true, force: true });

const ratio = median(times.ours) / median(times.peer);
const weightRatio = weighed.bytes / editor;
report({
  title: 'Starting',
  figures: [
    {
      what: 'from starting the program to a usable page, sample vault',
      ours: `${Math.round(median(times.ours))} ms`,
      peer: `${Math.round(median(times.peer))} ms`,
      ratio: `${ratio.toFixed(2)}×`,
      goal: '≤ 2.5×',
      met: ratio <= 2.5,
    },
    {
      what: 'page weight at start, gzip',
      ours: kb(weighed.bytes),
      peer: kb(editor),
      ratio: `${weightRatio.toFixed(2)}×`,
      goal: '≤ 3×',
      met: weightRatio <= 3,
    },
  ],
  notes: [
    `Start: median of ${rounds} rounds in turns with an empty page from a bare Node server; the browser runs already, each page has a context of its own.`,
    `Weight: everything that the page asks for until two seconds after it is usable (${weighed.files} files; the largest: ${weighed.largest}), each compressed with gzip, against CodeMirror’s packages as the editor uses them, in one minified file.`,
  ],
});

function kb(bytes: number): string {
  return `${Math.round(bytes / 1024)} KB`;
}

async function pageWeight(): Promise<{ bytes: number; files: number; largest: string }> {
  const app = await startApp({ vault });
  const page = await browser.newPage();
  const sizes: [string, number][] = [];
  const reading: Promise<void>[] = [];
  page.on('response', (response) => {
    if (response.status() !== 200) return;
    const read = async () => {
      const body = await response.body();
      const name = new URL(response.url()).pathname.split('/').pop() || 'index.html';
      sizes.push([name, gzipSync(body).length]);
    };
    reading.push(read());
  });
  await page.goto(app.address);
  await page.getByRole('treeitem').first().waitFor();
  await page.waitForTimeout(2000);
  await Promise.all(reading);
  await page.context().close();
  await app.close();
  const largest = sizes.sort(([, a], [, b]) => b - a).slice(0, 5);
  return {
    bytes: sizes.reduce((sum, [, size]) => sum + size, 0),
    files: sizes.length,
    largest: largest.map(([name, size]) => `${name} ${kb(size)}`).join(', '),
  };
}

async function editorWeight(): Promise<number> {
  const folder = mkdtempSync(join(process.cwd(), 'dist/editor-'));
  const packages = [
    '@codemirror/autocomplete',
    '@codemirror/commands',
    '@codemirror/lang-markdown',
    '@codemirror/lang-yaml',
    '@codemirror/language',
    '@codemirror/lint',
    '@codemirror/search',
    '@codemirror/state',
    '@codemirror/view',
  ];
  writeFileSync(
    join(folder, 'entry.js'),
    packages.map((name, at) => `export * as p${at} from '${name}';`).join('\n'),
  );
  const built = await build({
    root: process.cwd(),
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: true,
      lib: { entry: join(folder, 'entry.js'), formats: ['es'], fileName: 'editor' },
    },
  });
  rmSync(folder, { recursive: true });
  const [first] = [built].flat();
  if (!first || !('output' in first)) throw new Error('The editor was not built.');
  const code = first.output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('');
  return gzipSync(code).length;
}
