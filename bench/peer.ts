import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A module of `bench/peers/<name>`, whose packages are installed there when a bench first asks for them: what is only
 * measured against is no part of the project. Null where they can't be installed, such as without a network.
 */
export async function loadPeer<Module>(name: string, file: string): Promise<Module | null> {
  const folder = join(process.cwd(), 'bench/peers', name);
  if (!existsSync(join(folder, 'node_modules'))) {
    console.log(`Installing what is measured against (bench/peers/${name}) …`);
    const { status } = spawnSync(
      'npm',
      ['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--loglevel=error'],
      { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32', timeout: 180_000 },
    );
    if (status !== 0) return null;
  }
  return (await import(/* @vite-ignore */ pathToFileURL(join(folder, file)).href)) as Module;
}
