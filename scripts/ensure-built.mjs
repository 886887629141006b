import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { alone } from './alone.mjs';
import { build } from './build.mjs';
import { root } from './run.mjs';

/** Builds if a source is newer than the build. Answers whether there is a build. */
export async function ensureBuilt() {
  const built = join(root, 'out/main/cli.js');
  const sources = join(root, 'src');
  // A package from the registry has only the build.
  if (!existsSync(sources)) return existsSync(built);
  const isNew = () => existsSync(built) && statSync(built).mtimeMs >= newest(sources);
  if (isNew()) return true;
  return alone('building', async () => {
    if (isNew()) return true;
    console.error('Building …');
    return (await build()) === 0;
  });
}

function newest(folder) {
  const config = ['electron.vite.config.ts', 'package.json'].map((name) => join(root, name));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Math.max(...[...config, ...files].map((path) => statSync(path).mtimeMs));
}

if (import.meta.main ?? process.argv[1] === import.meta.filename)
  process.exitCode = (await ensureBuilt()) ? 0 : 1;
