import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** Writes down when it begins and ends, and installs as npm does: first nothing is there. */
const npm = `#!/bin/sh
echo begin >> npm.log
rm -rf node_modules
sleep 0.3
mkdir node_modules && cp package-lock.json node_modules/.package-lock.json
echo end >> npm.log
`;

function clone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'interlinear-installing-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['scripts/ensure-node.mjs', 'scripts/run.mjs'])
    cpSync(name, join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { a: { version: '1' } } }));
  mkdirSync(join(folder, 'programs'));
  writeFileSync(join(folder, 'programs/npm'), npm, { mode: 0o755 });
  return folder;
}

async function install(folder: string): Promise<number> {
  const program = `import('./scripts/ensure-node.mjs').then(async (it) => process.exit((await it.ensureInstalled()) ? 0 : 1))`;
  const child = spawn(process.execPath, ['-e', program], {
    cwd: folder,
    env: { ...process.env, PATH: `${join(folder, 'programs')}${delimiter}${process.env.PATH}` },
    stdio: 'ignore',
  });
  const [code] = await once(child, 'exit');
  return code as number;
}

const logOf = (folder: string) => readFileSync(join(folder, 'npm.log'), 'utf8').split('\n').filter(Boolean);

test.skipIf(process.platform === 'win32')(
  'of three that start at once one installs, and the others wait for it',
  async () => {
    const folder = clone();
    expect(await Promise.all([install(folder), install(folder), install(folder)])).toEqual([0, 0, 0]);
    expect(logOf(folder)).toEqual(['begin', 'end']);
  },
);

test.skipIf(process.platform === 'win32')(
  'one that was killed while it installed holds up nobody',
  async () => {
    const folder = clone();
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    writeFileSync(join(folder, '.installing'), String(gone.pid));
    expect(await install(folder)).toBe(0);
    expect(logOf(folder)).toEqual(['begin', 'end']);
  },
);
