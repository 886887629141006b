import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer } from 'vite';
import { root } from './run.mjs';

const policy = /<meta\s+http-equiv="Content-Security-Policy"[^>]*>/;

// The page with hot reload, and the Node host beside it, started anew when a source of the core changes.
const page = await createServer({
  configFile: false,
  root: join(root, 'src/renderer'),
  // The page's own policy knows no socket for hot reload.
  plugins: [react(), { name: 'no-policy', transformIndexHtml: (html) => html.replace(policy, '') }],
  appType: 'spa',
  server: { middlewareMode: true },
});
const core = await createServer({
  configFile: false,
  root,
  appType: 'custom',
  server: { middlewareMode: true, ws: false, hmr: false, watch: {} },
  optimizeDeps: { noDiscovery: true },
});

const vault = process.argv[2];
let running;
let port;

async function startCore() {
  const { startDevelopmentHost } = await core.ssrLoadModule('/src/node/development.ts');
  running = await startDevelopmentHost({ appRoot: root, vault, port, middleware: page.middlewares });
  if (port === undefined) console.log(`Interlinear (development) is at ${running.invite()}`);
  port = running.port;
}

await startCore();

let restarting = Promise.resolve();
let due;
core.watcher.on('change', (path) => {
  if (!/[\\/]src[\\/](bridge|contract|core|files|markdown|node)[\\/]/.test(path)) return;
  clearTimeout(due);
  due = setTimeout(() => {
    restarting = restarting.then(async () => {
      console.log('The core changed; starting it anew.');
      await running.close();
      core.moduleGraph.invalidateAll();
      await startCore();
    });
    restarting.catch((error) => console.error(error));
  }, 100);
});

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await running.close();
    await Promise.all([page.close(), core.close()]);
    process.exit(0);
  });
}
