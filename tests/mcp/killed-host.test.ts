import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ends, folder, isAlive, ours, packedHost } from './setup';

test('kill -9 of the app leaves no server and no grandchild, not even stubborn ones', async () => {
  const data = folder();
  const servers = { stubborn: ours('stubborn'), grandchild: ours('grandchild') };
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: servers }));
  const app = spawn(process.execPath, [await packedHost(), data, folder()], {
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
