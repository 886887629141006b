// Runs the protocol's own conformance suite against our client and our vault server and prints one table.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { cellText } from './conformance-cell.mjs';
import * as vaultServer from './conformance-vault.mjs';
import { projectNode, root, run, tool } from './run.mjs';

/** What the app does not do, and why; anything else has to pass. */
const notOurs = {
  'auth/enterprise-managed-authorization':
    'needs an identity provider of a company that hands out ID-JAG grants',
  'auth/wif-jwt-bearer': 'for workloads in a cloud, not for a person’s computer',
  'sep-2640-client-no-prefetch': 'skills are not a feature of the app',
  'sep-2640-client-verify-digest': 'skills are not a feature of the app',
  'sep-2640-client-verify-size': 'skills are not a feature of the app',
  'sep-2640-client-verify-frontmatter': 'skills are not a feature of the app',
};
const runs = [
  ['2025-11-25', ['--requirements', '2025-11-25']],
  ['2026-07-28', ['--requirements', '2026-07-28']],
  ['all', ['--suite', 'all']],
];

/** How rows of the vault server's scenarios begin. */
const ofVault = 'vault server: ';
const reasons = {
  ...notOurs,
  ...Object.fromEntries(
    Object.entries(vaultServer.notOurs).map(([scenario, reason]) => [ofVault + scenario, reason]),
  ),
};

/** `--brief` shows rows of what failed only. */
const isBrief = process.argv.includes('--brief');
const wanted = process.argv.slice(2).filter((word) => word !== '--brief');

const work = mkdtempSync(join(tmpdir(), 'interlinear-conformance-'));
const table = new Map();
try {
  for (const [entry, name] of [
    ['tests/conformance/client.ts', 'client.mjs'],
    ['src/vault-server/cli.ts', 'vault-server.mjs'],
  ]) {
    await build({
      root,
      configFile: false,
      logLevel: 'error',
      build: {
        ssr: join(root, entry),
        outDir: work,
        emptyOutDir: false,
        target: 'node22',
        rollupOptions: { output: { entryFileNames: name, codeSplitting: false } },
      },
    });
  }
  symlinkSync(join(root, 'node_modules'), join(work, 'node_modules'), 'junction');
  const slots = join(work, 'slots');
  mkdirSync(slots);
  const turn = join(root, 'tests/conformance/in-turn.mjs');
  const client = [projectNode(), turn, join(work, 'client.mjs'), slots].join(' ');
  const chosen = runs.filter(([name]) => wanted.length === 0 || wanted.includes(name));
  // The server's scenarios wait more than they work: they run beside the client's.
  await Promise.all([
    ...chosen.map(async ([title, selection]) => {
      const results = join(work, `${title}-server`);
      tell(await vaultServer.runAgainstVaultServer({ work, title, selection, results }));
      collect(title, results, ofVault);
    }),
    (async () => {
      for (const [title, selection] of chosen) {
        const results = join(work, title);
        const suite = tool('@modelcontextprotocol/conformance', 'dist/index.js');
        const { output } = await run(
          projectNode(),
          [suite, 'client', '--command', client, ...selection, '--timeout', '180000', '-o', results],
          { capture: true },
        );
        tell(output);
        collect(title, results);
      }
    })(),
  ]);
} finally {
  if (!process.env.CONFORMANCE_KEEP) rmSync(work, { recursive: true, force: true });
  else console.log(work);
}
print();

function tell(output) {
  if (process.env.CONFORMANCE_VERBOSE) console.log(output);
}

function collect(title, folder, prefix = '') {
  for (const file of readdirSync(folder, { recursive: true })) {
    if (!file.endsWith('checks.json')) continue;
    const named = file.replaceAll('\\', '/').replace(/(-\d{4}-\d\d-\d\dT[^/]*)?\/checks\.json$/, '');
    const name = prefix ? named.replace(/^server-/, '') : named;
    const scenario = prefix + name;
    const left = prefix ? (vaultServer.checksNotOurs[name] ?? []) : [];
    const checks = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const counted = checks.filter(
      ({ id, status }) => !left.includes(id) && (status === 'SUCCESS' || status === 'FAILURE'),
    );
    const failed = counted.filter(({ status }) => status === 'FAILURE');
    const row = table.get(scenario) ?? {};
    row[title] = { passed: counted.length - failed.length, of: counted.length, failed };
    table.set(scenario, row);
  }
}

function print() {
  const titles = runs.map(([title]) => title);
  if (!isBrief) {
    console.log(`| scenario | ${titles.join(' | ')} | |`);
    console.log(`| --- | ${titles.map(() => '---').join(' | ')} | --- |`);
  }
  let bad = 0;
  for (const [scenario, row] of [...table].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const cells = titles.map((title) => {
      const cell = row[title];
      return cell ? cellText(cell) : '';
    });
    const failed = titles.flatMap((title) => row[title]?.failed ?? []);
    const isUnseen = titles.some((title) => row[title]?.of === 0);
    const reason = failed.length > 0 || isUnseen ? (reasons[scenario] ?? '') : '';
    const isBad = failed.length > 0 && reason === '';
    if (isBad) bad++;
    if (isBad || !isBrief) console.log(`| ${scenario} | ${cells.join(' | ')} | ${reason} |`);
    if (reason === '')
      for (const { id, errorMessage } of failed) console.error(`    ${id}: ${errorMessage ?? ''}`);
  }
  for (const title of titles) {
    for (const isVault of [false, true]) {
      const ours = [...table]
        .filter(([scenario]) => scenario.startsWith(ofVault) === isVault)
        .filter(([scenario, row]) => row[title] && !(scenario in reasons))
        .map(([, row]) => row[title]);
      const sum = (key) => ours.reduce((total, cell) => total + cell[key], 0);
      if (ours.length > 0)
        console.log(
          `${title}, ${isVault ? 'vault server' : 'client'}: ${sum('passed')} of ${sum('of')} checks in ${ours.length} scenarios`,
        );
    }
  }
  process.exitCode = bad === 0 && table.size > 0 ? 0 : 1;
}
