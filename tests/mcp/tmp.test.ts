import { expect, test } from 'vitest';
import { ours, world, idOf } from './setup';
test('x', async () => {
  const t0 = performance.now();
  const all = await world({ bad: { ...ours('never-answers'), initTimeout: 1500 } });
  all.mcp.servers.onChange(({servers}) => process.stderr.write(`${Math.round(performance.now()-t0)} ${JSON.stringify(servers.find(s=>s.name==='bad')?.state)}\n`));
  await all.until('bad', (server) => server.state.kind === 'waiting');
  await all.mcp.close();
  process.stderr.write(`${Math.round(performance.now()-t0)} closed\n`);
});
