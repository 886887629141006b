import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '..');

/** Runs a built program in this process, or under the project's own Node where this one is too old. */
export async function launch(script, program) {
  const built = join(root, 'out/main', program);
  // A clone brings its scripts; a package from the registry is built and declares the Node it needs.
  if (existsSync(join(root, 'scripts'))) {
    const { ensureInstalled, underProjectNode } = await import('../scripts/ensure-node.mjs');
    const { ensureBuilt } = await import('../scripts/ensure-built.mjs');
    if (!(await ensureInstalled())) process.exit(1);
    if (!existsSync(built) && !(await ensureBuilt())) process.exit(1);
    const code = await underProjectNode(script, process.argv.slice(2));
    if (code !== undefined) process.exit(code);
  }
  await import(pathToFileURL(built).href);
}
