import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { ends, folder, isAlive, ours } from './setup';

const here = dirname(fileURLToPath(import.meta.url));

/** Plain Node cannot resolve our imports without their endings, so the app is packed first, as it is for people. */
async function packed(): Promise<string> {
  const outDir = folder();
  await build({
    logLevel: 'silent',
    configFile: false,
    ssr: { noExternal: true },
    build: {
      ssr: join(here, 'host-process.ts'),
      outDir,
      rollupOptions: { output: { entryFileNames: 'host.mjs' } },
    },
  });
  return join(outDir, 'host.mjs');
}

test('kill -9 of the app leaves no server and no grandchild, not even stubborn ones', async () => {
  const data = folder();
  const servers = { stubborn: ours('stubborn'), grandchild: ours('grandchild') };
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: servers }));
  const app = spawn(process.execPath, [await packed(), data, folder()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve) =>
    app.stdout.once('data', (chunk) => resolve(String(chunk))),
  );
  const pids = line.trim().split(' ').map(Number);
  expect(pids).toHaveLength(3);
  expect(pids.every(isAlive)).toBe(true);
  app.kill('SIGKILL');
  for (const pid of pids) expect(await ends(pid)).toBe(true);
});
