import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const at = (path: string) => resolve(import.meta.dirname, path);

/** One build: the Electron main process, the Node host's command line and the vault server share their chunks. */
export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      target: 'node24',
      // One file starts in half the time of five hundred.
      externalizeDeps: false,
      rollupOptions: {
        input: {
          index: at('src/main/index.ts'),
          cli: at('src/node/cli.ts'),
          'vault-server': at('src/vault-server/main.ts'),
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
