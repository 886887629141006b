import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { build } from 'vite';

const repository = resolve(import.meta.dirname, '../..');

export interface Built {
  /** A file that plain Node runs. */
  readonly file: string;
  remove(): Promise<void>;
}

/**
 * Bundles a TypeScript entry (a path in the repository) into a temporary folder, so that tests can start it as a process.
 * `whole`: with its packages, which makes it start in half the time.
 */
export async function built(entry: string, { whole = false } = {}): Promise<Built> {
  const folder = await mkdtemp(join(tmpdir(), 'interlinear-built-'));
  const name = `${basename(entry, '.ts')}.mjs`;
  await build({
    root: repository,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: whole || undefined },
    build: {
      ssr: resolve(repository, entry),
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      target: 'node22',
      rollupOptions: { output: { format: 'es', entryFileNames: name, codeSplitting: false } },
    },
  });
  // Packages stay outside the bundle and are found through this link.
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return { file: join(folder, name), remove: () => rm(folder, { recursive: true, force: true }) };
}
