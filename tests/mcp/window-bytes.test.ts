import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createBridgeClient, createWirePair, serveBridge, type Wire } from '../../src/bridge';
import { operations } from '../../src/contract/operations';
import { createApp } from '../../src/core/app';
import { createHandlers } from '../../src/core/handlers';
import { createNodeHost } from '../../src/node/host';
import { followedByWindows } from '../support/window';
import { folder, ours } from './setup';

function counting(wire: Wire): { wire: Wire; bytes: () => number } {
  let bytes = 0;
  const send = (frame: unknown) => {
    bytes += JSON.stringify(frame).length;
    wire.send(frame);
  };
  return { wire: { ...wire, send }, bytes: () => bytes };
}

test('a call of one of 200 tools sends a window less than 2 kB beside its own result', async () => {
  const data = folder();
  const vault = folder();
  writeFileSync(
    join(data, 'mcp.json'),
    JSON.stringify({ mcpServers: { many: { id: 'a', ...ours('many-tools') } } }),
  );
  const environment = { INTERLINEAR_DATA: data, PATH: process.env.PATH ?? '' };
  const app = await createApp(await createNodeHost({ appRoot: vault, version: '1', environment }));
  onTestFinished(() => app.close());
  await app.openVault(vault);
  await app.mcp.settled(new AbortController().signal);
  const [near, far] = createWirePair();
  onTestFinished(() => near.close());
  const { wire, bytes } = counting(far);
  serveBridge(wire, operations, createHandlers(app), (error) => {
    throw error;
  });
  const client = createBridgeClient(near, operations);
  const newest = new Map<string, unknown>();
  for (const name of followedByWindows)
    void (async () => {
      for await (const item of client.stream(name, {})) newest.set(name, item);
    })().catch(() => undefined);
  await expect.poll(() => newest.size).toBe(followedByWindows.length);
  expect(newest.get('tools.catalog')).toHaveLength(200);
  const call = (tool: string) => {
    const seen = app.tools.find('a', tool)?.revision;
    return client.call('tools.call', { serverId: 'a', tool, arguments: {}, path: null, seen });
  };
  // Its first use of all may say more.
  await call('look_1');
  const uses = (name: string) =>
    JSON.stringify(newest.get('tools.lastUsed')).includes(`"${name}"`) &&
    JSON.stringify(newest.get('history.changes'));
  for (const tool of ['look_7', 'look_8', 'look_8']) {
    const before = { bytes: bytes(), changes: JSON.stringify(newest.get('history.changes')) };
    const outcome = await call(tool);
    expect(outcome.parts).toEqual([{ kind: 'text', text: `${tool} found it` }]);
    await expect.poll(() => uses(tool) !== false && uses(tool) !== before.changes).toBe(true);
    expect(bytes() - before.bytes - JSON.stringify(outcome).length).toBeLessThan(2_000);
  }
  expect(newest.get('tools.catalog')).toEqual(app.tools.catalog.get());
}, 30_000);
