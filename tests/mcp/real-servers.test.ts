import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, ends, everything, filesystem, idOf, memory, until, world } from './setup';

test('the everything server over stdio: tools, calls, counts, and nothing left after the end', async () => {
  const { mcp, until: when } = await world({ everything });
  const server = await when('everything', ({ state, prompts }) => state.kind === 'ready' && prompts !== null);
  expect(server.server?.era).toBe('legacy');
  expect(server.tools).toBeGreaterThan(8);
  expect(server.resources).toBeGreaterThan(0);
  expect(server.prompts).toBeGreaterThan(0);
  expect(server.rejected).toEqual([]);
  const result = await call(mcp, 'everything', 'echo', { message: 'hello' });
  expect(result).toMatchObject({ isError: false, parts: [{ kind: 'text', text: 'Echo: hello' }] });
  expect(mcp.instructions().map(({ serverName }) => serverName)).toContain('everything');
});
