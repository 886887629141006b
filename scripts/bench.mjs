// npm run bench [name …]: runs the benches and writes bench/RESULTS.md. Those not named keep their last results.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'vite';
import { ensureBuilt } from './ensure-built.mjs';
import { ensureChromium } from './ensure-chromium.mjs';
import { isWindows, projectNode, root, run } from './run.mjs';

process.chdir(root);
const all = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => basename(file, '.bench.ts'));
const named = process.argv.slice(2);
const unknown = named.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`There is no bench “${unknown.join('”, “')}”. There are: ${all.join(', ')}.`);
  process.exit(2);
}

if (!(await ensureBuilt())) process.exit(1);
const chromium = await ensureChromium();
if (chromium?.path) process.env.CHROMIUM_PATH = chromium.path;

const programs = join(root, 'dist/bench');
const results = join(root, 'bench/results');
mkdirSync(results, { recursive: true });
rmSync(programs, { recursive: true, force: true });
await build({
  root,
  configFile: false,
  logLevel: 'error',
  build: {
    ssr: true,
    outDir: programs,
    minify: false,
    target: 'node24',
    rollupOptions: {
      input: Object.fromEntries(all.map((name) => [name, join(root, `bench/${name}.bench.ts`)])),
      output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name].mjs' },
    },
  },
});

const failed = [];
for (const name of named.length > 0 ? named : all) {
  console.log(`\n── ${name} ──`);
  process.env.BENCH_RESULT = join(results, `${name}.json`);
  const { code } = await run(projectNode(), ['--expose-gc', join(programs, `${name}.mjs`)]);
  if (code !== 0) failed.push(name);
}

const sections = readdirSync(results)
  .filter((file) => all.includes(basename(file, '.json')))
  .map((file) => ({
    name: basename(file, '.json'),
    ...JSON.parse(readFileSync(join(results, file), 'utf8')),
  }));
writeFileSync(join(root, 'bench/RESULTS.md'), page(sections));
console.log('\nWritten: bench/RESULTS.md');
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function page(parts) {
  const missed = parts.flatMap(({ name, figures }) =>
    figures.filter(({ met }) => met === false).map(({ what, ratio, goal }) => ({ name, what, ratio, goal })),
  );
  return `# What was measured

Written by \`npm run bench\`; \`npm run bench ${all[0]}\` measures one part again. Ratios are against a floor or a peer measured in
the same run, in turns with ours. Absolute times depend on the machine and on what else it does.

- Machine: ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}
- ${versions()}

${missed.length === 0 ? 'Every goal was met.' : `Goals missed: ${missed.length}\n\n${missed.map(({ name, what, ratio, goal }) => `- ${name}: ${what}: ${ratio} (goal: ${goal})`).join('\n')}`}

${parts.map(section).join('\n\n')}
`;
}

function section({ name, title, at, load, table, notes }) {
  return `## ${title}

\`npm run bench ${name}\` · ${at} · load of the machine ${load}

${table}${notes.length > 0 ? `\n\n${notes.map((note) => `- ${note}`).join('\n')}` : ''}`;
}

function versions() {
  const version = (name) =>
    JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;
  const packages = [
    'openai',
    '@anthropic-ai/sdk',
    '@modelcontextprotocol/client',
    'ws',
    '@codemirror/view',
    'react',
    'playwright',
  ];
  return `Node ${version('node')}, ${packages.map((name) => `${name} ${version(name)}`).join(', ')}${isWindows ? ', Windows' : ''}`;
}
