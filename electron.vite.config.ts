import { cpSync } from 'node:fs';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { build, type Plugin } from 'vite';
import { tableHash } from './src/bridge';
import { operations } from './src/contract/operations';

const at = (path: string) => resolve(import.meta.dirname, path);

/**
 * The vault server, the keeper of sandboxes and the checker by schemas are built apart, with just what they need: whoever starts one waits for it.
 */
const ownPrograms: Plugin = {
  name: 'own-programs',
  async writeBundle() {
    await build({
      root: import.meta.dirname,
      configFile: false,
      logLevel: 'warn',
      ssr: { noExternal: true },
      build: {
        ssr: true,
        outDir: at('out/main'),
        emptyOutDir: false,
        minify: false,
        target: 'node24',
        license: { fileName: 'vault-licences.json' },
        rollupOptions: {
          input: {
            'vault-server': at('src/vault-server/main.ts'),
            sandbox: at('src/core/mcp/sandbox/keeper-program.ts'),
            'schema-check': at('src/core/foundation/schema/check-program.ts'),
          },
          output: {
            format: 'es',
            entryFileNames: '[name].js',
            chunkFileNames: 'chunks/vault-[name]-[hash].js',
          },
        },
      },
    });
    // Linux programs that are run by their path.
    const helpers = 'vendor/seccomp';
    for (const arch of ['x64', 'arm64'])
      cpSync(
        at(`node_modules/@anthropic-ai/sandbox-runtime/${helpers}/${arch}`),
        at(`out/main/${helpers}/${arch}`),
        { recursive: true },
      );
  },
};

/**
 * What tells two builds apart is worked out here: describing every operation would hold up each start by a tenth of a
 * second, in the core and in the page.
 */
const knownTable: Plugin = {
  name: 'known-table',
  load: {
    filter: { id: at('src/bridge/table-hash.ts') },
    handler: () => `export const tableHash = () => ${JSON.stringify(tableHash(operations))};`,
  },
};

/** A page asks and does not check: it needs to know which operations there are, not the schemas behind them. */
const slimTable: Plugin = {
  name: 'slim-table',
  load: {
    filter: { id: at('src/contract/operations.ts') },
    handler() {
      const slim = Object.entries(operations).map(([name, operation]) => [
        name,
        { kind: operation.kind, ...('picture' in operation && { picture: operation.picture }) },
      ]);
      return `export const operations = ${JSON.stringify(Object.fromEntries(slim))};`;
    },
  },
};

/** One build: the Electron main process and the Node host's command line share their chunks. */
export default defineConfig(({ command }) => ({
  main: {
    plugins: [ownPrograms, ...(command === 'build' ? [knownTable] : [])],
    build: {
      outDir: 'out/main',
      target: 'node24',
      license: { fileName: 'licences.json' },
      // One file starts in half the time of five hundred.
      externalizeDeps: false,
      rollupOptions: {
        input: {
          index: at('src/main/index.ts'),
          cli: at('src/node/cli.ts'),
        },
        // `trash` starts a program that lies beside its code.
        external: ['electron', /^@napi-rs\//, 'trash'],
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      rollupOptions: {
        input: { index: at('src/preload/index.ts') },
        // A sandboxed preload must be CommonJS.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    build: {
      outDir: at('out/renderer'),
      emptyOutDir: true,
      minify: true,
      license: { fileName: 'licences.json' },
      rollupOptions: {
        input: { index: at('src/renderer/index.html') },
        // Of what only declares, a page gets what it uses.
        treeshake: {
          moduleSideEffects: (id) => !/src.(contract|bridge|markdown)./.test(id) || id.includes('no-eval'),
        },
      },
    },
    plugins: [react(), ...(command === 'build' ? [knownTable, slimTable] : [])],
  },
}));
