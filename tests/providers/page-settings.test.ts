import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/core/app';
import { createHandlers } from '../../src/core/handlers';
import { createNodeHost } from '../../src/node/host';

const key = 'Zq7secretOfMine42';
const provider = { id: 'p', vendor: 'openai-compatible', tag: 'Local', model: 'm' };

async function page(baseUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  const environment = { INTERLINEAR_DATA: folder, PATH: '', OLLAMA_HOST: '127.0.0.1:1' };
  const app = await createApp(await createNodeHost({ appRoot: folder, version: '1', environment }));
  onTestFinished(async () => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });
  app.settings.change({ providers: [{ ...provider, baseUrl }] });
  const handlers = createHandlers(app);
  const context = { signal: AbortSignal.timeout(10_000) } as never;
  const kept = () => app.settings.current.get().providers[0]?.baseUrl;
  return { handlers, context, kept };
}

async function newest<T>(values: AsyncIterable<T>): Promise<T> {
  for await (const value of values) return value;
  return expect.unreachable();
}

test.each([
  `http://me:${key}@127.0.0.1:1/v1`,
  `me:${key}@127.0.0.1:1`,
  `http://127.0.0.1:1/v1?api_key=${key}`,
])(
  'a page is given the settings without what is secret in the address of a provider: %s',
  async (address) => {
    const { handlers, context, kept } = await page(address);
    const given = await newest(await handlers['settings.current']({}, context));
    const changed = await handlers['settings.change']({ changes: { fontSize: 18 } }, context);
    expect(JSON.stringify([given, changed])).not.toContain(key);
    expect([given, changed].map(({ providers }) => providers[0]?.tag)).toEqual(['Local', 'Local']);
    expect(kept()).toBe(address);
  },
);

test('a page cannot save back the addresses it is shown', async () => {
  const address = `http://me:${key}@127.0.0.1:1/v1`;
  const { handlers, context, kept } = await page(address);
  const { providers } = await newest(await handlers['settings.current']({}, context));
  const change = async () => handlers['settings.change']({ changes: { providers } }, context);
  await expect(change()).rejects.toMatchObject({ code: 'settings.invalid' });
  expect(kept()).toBe(address);
});
