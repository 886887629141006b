import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { build, type Plugin } from 'vite';

const at = (path: string) => resolve(import.meta.dirname, path);

/**
 * The vault server is built apart, with just what it needs: whoever starts it waits for it.
 */
const vaultServer: Plugin = {
  name: 'vault-server',
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
        rollupOptions: {
          input: { 'vault-server': at('src/vault-server/main.ts') },
          output: {
            format: 'es',
            entryFileNames: '[name].js',
            chunkFileNames: 'chunks/vault-[name]-[hash].js',
          },
        },
      },
    });
  },
};

/** One build: the Electron main process and the Node host's command line share their chunks. */
export default defineConfig({
  main: {
    plugins: [vaultServer],
    build: {
      outDir: 'out/main',
      target: 'node24',
      // One file starts in half the time of five hundred.
      externalizeDeps: false,
      rollupOptions: {
        input: {
          index: at('src/main/index.ts'),
          cli: at('src/node/cli.ts'),
        },
        external: ['electron', /^@napi-rs\//],
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
      rollupOptions: { input: { index: at('src/renderer/index.html') } },
    },
    plugins: [react()],
  },
});
