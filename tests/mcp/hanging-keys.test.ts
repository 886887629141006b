import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { whileLocked } from '../../src/files';
import { endsWithin, idOf, ours, world } from './setup';
import { signInService } from './sign-in-service';

const never = () => new Promise<never>(() => undefined);

/** A key store that never answers, and when it is asked. */
function hanging() {
  const asked = Promise.withResolvers<void>();
  return {
    asked: asked.promise,
    unlock() {
      asked.resolve();
      return never();
    },
  };
}
const { command, args } = ours('environment');
const needing = { command, args, env: { KEY: `\${secret:own}` } };
const signal = new AbortController().signal;

test('a key store that does not answer keeps neither stop nor restart, nor another vault, nor the app’s end waiting', async () => {
  const store = hanging();
  const all = await world({ a: needing }, { secrets: { own: 'given' }, unlock: store.unlock });
  await store.asked;
  const id = idOf(all.mcp, 'a');
  expect(await endsWithin(2_000, all.mcp.restart(id))).toBe(true);
  expect(await endsWithin(2_000, all.mcp.stop(id))).toBe(true);
  expect(all.server('a').state).toEqual({ kind: 'stopped' });
  await all.mcp.start(id);
  expect(await endsWithin(2_500, all.mcp.useVault(null))).toBe(true);
  expect(await endsWithin(2_000, all.mcp.close())).toBe(true);
});

test('a server whose key store does not answer fails with that as its reason, and starts once it does', async () => {
  let isLocked = true;
  const { mcp, until } = await world(
    { a: { ...needing, initTimeout: 300 } },
    { secrets: { own: 'given' }, unlock: () => (isLocked ? never() : Promise.resolve()) },
  );
  const { lastError } = await until('a', (server) => server.lastError !== null);
  expect(lastError?.reason).toEqual({ code: 'no-keys', ms: 300 });
  isLocked = false;
  await mcp.restart(idOf(mcp, 'a'));
  await mcp.ready(idOf(mcp, 'a'));
});

test('a sign-in told by another process, and a key store that does not answer, keep the app’s end waiting no longer', async () => {
  const service = await signInService();
  let isLocked = false;
  const store = hanging();
  const all = await world(
    { guarded: { url: service.url } },
    { unlock: () => (isLocked ? store.unlock() : Promise.resolve()) },
  );
  await all.until('guarded', ({ state }) => state.kind === 'needs-sign-in');
  isLocked = true;
  writeFileSync(join(all.data, 'sign-ins.changed'), randomUUID());
  await store.asked;
  expect(await endsWithin(2_000, all.mcp.close())).toBe(true);
});

test('a sign-in that another process holds keeps neither stop nor the app’s end waiting, and is not renewed after that', async () => {
  const service = await signInService();
  const { mcp, data, until } = await world(
    { guarded: { url: service.url } },
    { openExternal: async (url) => void fetch(url).catch(() => undefined) },
  );
  const id = idOf(mcp, 'guarded');
  await mcp.signIn(id, 'browser', signal);
  service.expire();
  const renewals = () =>
    service.tokenRequests.filter((form) => form.get('grant_type') === 'refresh_token').length;
  await whileLocked(join(data, `sign-in-${id}.lock`), 1_000, async () => {
    await mcp.stop(id);
    const asked = service.seen.length;
    await mcp.start(id);
    await expect.poll(() => service.seen.slice(asked)).toContain('POST /mcp');
    expect(await endsWithin(2_000, mcp.stop(id))).toBe(true);
    await mcp.start(id);
    await until('guarded', ({ state }) => state.kind === 'starting');
    expect(await endsWithin(2_000, mcp.close())).toBe(true);
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(renewals()).toBe(0);
});
