import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { projectNode, root, run } from './run.mjs';

/** Installs what is missing. Answers whether everything is there. */
export async function ensureInstalled() {
  // A package from the registry carries no lock file; its dependencies came with it.
  if (!existsSync(join(root, 'package-lock.json')) || isInstalled()) return true;
  return alone(async () => {
    if (isInstalled()) return true;
    console.error('Installing what the project needs (npm ci) …');
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    const { code } = await run('npm', ['ci', ...quiet], { toStderr: true });
    if (code !== 0) console.error('The installation failed. Is the package registry reachable? Try: npm ci');
    return code === 0;
  });
}

/** Two that install at once, as when two MCP clients start after an update, empty the folder of each other. */
async function alone(work) {
  const lock = join(root, '.installing');
  const isTaken = () => {
    try {
      process.kill(Number(readFileSync(lock, 'utf8')), 0);
      return true;
    } catch (error) {
      // It is another person's program, which runs.
      return error.code === 'EPERM';
    }
  };
  let said = false;
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      // Where nothing can be written nothing can be installed either: npm says so.
      if (error.code !== 'EEXIST') return work();
    }
    if (isTaken()) {
      if (!said) console.error('Another one installs what the project needs; waiting …');
      said = true;
      await delay(200);
    } else rmSync(lock, { force: true });
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Whether every package of the lock file is there in its version; optional ones may be for other systems. */
function isInstalled() {
  try {
    // A linked folder belongs to another checkout, and installing would empty it.
    if (lstatSync(join(root, 'node_modules')).isSymbolicLink()) return true;
    const wanted = packagesOf('package-lock.json');
    const present = packagesOf('node_modules/.package-lock.json');
    return Object.entries(wanted).every(
      ([path, { version, optional }]) =>
        path === '' || (optional && !present[path]) || present[path]?.version === version,
    );
  } catch {
    return false;
  }
}

function packagesOf(lockFile) {
  return JSON.parse(readFileSync(join(root, lockFile), 'utf8')).packages;
}

/** Runs the program under the project's own Node when this one is too old for it; else answers undefined. */
export async function underProjectNode(script, args) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 16)) return undefined;
  if (projectNode() === process.execPath) {
    console.error(`Node ${process.versions.node} is too old, and the project's own is missing. Try: npm ci`);
    return 1;
  }
  // Paths among the words are meant from where they were typed.
  return (await run(projectNode(), [script, ...args], { cwd: process.cwd() })).code;
}
