import { expect, test } from 'vitest';
import { ours, world } from './setup';

const { signal } = new AbortController();
async function waitingTime(mcp: { settled(signal: AbortSignal): Promise<void> }) {
  const before = performance.now();
  await mcp.settled(signal);
  return performance.now() - before;
}

test('a server whose tools could not be listed keeps no question waiting', async () => {
  const { command, args } = ours('many-names');
  const { mcp, until } = await world({ bad: { command, args: [...args, 'schemas', '100', '310'] } });
  await until('bad', ({ state }) => state.kind === 'degraded');
  expect(await waitingTime(mcp)).toBeLessThan(2_000);
});

test('a server that never answers is waited for once', async () => {
  const { mcp, server } = await world({ bad: { ...ours('never-answers'), initTimeout: 60_000 } });
  expect(await waitingTime(mcp)).toBeGreaterThan(9_000);
  expect(server('bad').state.kind).toBe('starting');
  expect(await waitingTime(mcp)).toBeLessThan(2_000);
});
