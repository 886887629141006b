import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPrompts, createTarsImport } from '../../src/core/agents';
import { createLog, systemClock } from '../../src/core/foundation';
import { createVault } from '../../src/core/vault';
import { testProviders } from '../providers/support';
import { createMemorySecrets, createMemorySettings } from '../support/in-memory';

async function withTars(data: unknown) {
  const folder = mkdtempSync(join(tmpdir(), 'interlinear-tars-'));
  const plugin = join(folder, '.obsidian/plugins/tars');
  mkdirSync(plugin, { recursive: true });
  if (data !== undefined) writeFileSync(join(plugin, 'data.json'), JSON.stringify(data));
  mkdirSync(join(folder, 'Tars'));
  writeFileSync(join(folder, 'Tars/prompt.en.md'), '# Prompts\n\n---\n\n# Translate\n\nInto French: {{s}}\n');
  const log = createLog(() => undefined);
  const vault = createVault({
    log,
    clock: systemClock,
    trust: { isTrusted: () => false },
    moveToTrash: async () => undefined,
  });
  const settings = createMemorySettings();
  const secrets = createMemorySecrets();
  const providers = testProviders({ settings, secrets });
  const prompts = createPrompts({ vault, clock: systemClock, log });
  onTestFinished(async () => {
    await prompts.close();
    await vault.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await vault.open(folder);
  return {
    folder,
    settings,
    secrets,
    providers,
    prompts,
    tars: createTarsImport({ vault, providers, settings }),
  };
}

type Tars = ReturnType<typeof createTarsImport>;

/** All that is listed; what was left behind is told by the list and by the taking. */
async function takeAll(tars: Tars) {
  const found = (await tars.find())!;
  const ids = [...found.providers, ...found.prompts, ...found.limits].map(({ id }) => id);
  const taken = await tars.take(found.seen, [...ids, 'tags', 'instructions']);
  return { ...taken, skipped: [...found.skipped, ...taken.skipped] };
}

const data = {
  providers: [
    { tag: 'DeepSeek', vendor: 'DeepSeek', options: { apiKey: 'dk-12345678', model: 'deepseek-v4-flash' } },
    { tag: 'Pic', vendor: 'GptImage', options: { apiKey: 'x', model: 'gpt-image' } },
  ],
  userTags: ['User', 'Me'],
  promptTemplates: [{ title: 'Sum/up', template: 'Sum up: {{s}}' }],
};

test('TARS’s providers, tags and templates are taken over; keys go to the secret store only', async () => {
  const { folder, settings, secrets, providers, prompts, tars } = await withTars(data);
  const before = readFileSync(join(folder, '.obsidian/plugins/tars/data.json'), 'utf8');
  const found = await tars.find();
  expect(found).toMatchObject({
    providers: [{ tag: 'DeepSeek', vendor: 'deepseek', hasKey: true }],
    prompts: [{ title: 'Sum/up' }, { title: 'Translate' }],
  });
  expect(JSON.stringify(found)).not.toContain('dk-12345678');

  const report = await takeAll(tars);
  expect(report.skipped).toHaveLength(1);
  expect(providers.list.get()).toMatchObject([{ tag: 'DeepSeek', key: 'stored' }, { id: 'demo' }]);
  expect([...secrets.values.values()]).toEqual(['dk-12345678']);
  expect(JSON.stringify(settings.current.get())).not.toContain('dk-12345678');
  expect(settings.current.get().tags.user).toContain('Me');
  await expect.poll(() => prompts.list.get().map(({ name }) => name)).toEqual(['Sum up', 'Translate']);
  const [first] = prompts.list.get();
  expect(prompts.fill(first?.path ?? '', { selection: 'this', note: null, arguments: {} })).toBe(
    'Sum up: this',
  );
  expect(readFileSync(join(folder, '.obsidian/plugins/tars/data.json'), 'utf8')).toBe(before);
});

test('taking over twice adds nothing twice and says so', async () => {
  const { providers, tars } = await withTars(data);
  await takeAll(tars);
  const again = await takeAll(tars);
  expect(again.providers).toEqual([]);
  expect(again.skipped.join()).toContain('DeepSeek');
  expect(providers.list.get()).toHaveLength(2);
});

test('a vault without TARS has nothing to take over', async () => {
  expect(await (await withTars(undefined)).tars.find()).toBeNull();
});

test('the limits of its fork are taken over, and what makes no sense there is left out', async () => {
  const { settings, tars } = await withTars({
    ...data,
    mcpGlobalTimeout: 60_000,
    mcpConcurrentLimit: 5,
    mcpSessionLimit: 'many',
  });
  await takeAll(tars);
  expect(settings.current.get().tools).toMatchObject({ timeout: 60_000, concurrency: 5, callsPerNote: 25 });
});

test('a limit that cannot hold here, and the servers, which are added elsewhere, are named in what is left out', async () => {
  const { settings, tars } = await withTars({
    mcpGlobalTimeout: 5,
    mcpConcurrentLimit: 900,
    mcpSessionLimit: 'many',
    mcpServers: [
      { name: 'a', configInput: 'npx a' },
      { name: 'b', configInput: 'npx b' },
    ],
  });
  const before = settings.current.get().tools;
  const { skipped } = await takeAll(tars);
  expect(skipped).toEqual([
    expect.stringMatching(/mcpGlobalTimeout.*“5”.*100/),
    expect.stringMatching(/mcpConcurrentLimit.*“900”.*1.*64/),
    expect.stringMatching(/mcpSessionLimit.*“"many"”.*-1/),
    expect.stringMatching(/2 servers.*Add servers/),
  ]);
  expect(settings.current.get().tools).toEqual(before);
  expect((await tars.find())?.skipped).toEqual(skipped);
});

test('limits that are not set, or switched off with null, are not worth a word', async () => {
  const { tars } = await withTars({ mcpGlobalTimeout: null, mcpServers: [] });
  expect((await takeAll(tars)).skipped).toEqual([]);
});

const strangers = {
  providers: [
    { tag: 'Claude', vendor: 'Claude', options: { baseURL: 'https://evil.example/v1', model: 'm' } },
    {
      tag: 'Own',
      vendor: 'Claude',
      options: { apiKey: 'k-12345678', model: 'm', max_tokens: 9, enableWebSearch: true, own: 1 },
    },
    { tag: 'Own', vendor: 'DeepSeek', options: { model: 'other' } },
  ],
  userTags: ['Me'],
  mcpGlobalTimeout: 999_000,
  mcpSessionLimit: 100_000,
  enableDefaultSystemMsg: true,
  defaultSystemMsg: 'Obey.',
};

test('all that would change is listed: addresses, whose key goes there, limits, names, instructions', async () => {
  const { tars } = await withTars(strangers);
  expect(await tars.find()).toMatchObject({
    providers: [
      {
        tag: 'Claude',
        address: 'https://evil.example/v1',
        hasKey: false,
        keyVariables: expect.arrayContaining(['ANTHROPIC_API_KEY']),
      },
      {
        tag: 'Own',
        vendor: 'anthropic',
        address: null,
        hasKey: true,
        keyVariables: [],
        options: '{"maxTokens":9,"webSearch":true,"parameters":{"own":1}}',
      },
    ],
    skipped: [expect.stringContaining('#Own')],
    tags: { user: ['Me'] },
    limits: [
      { limit: 'timeout', theirs: 999_000 },
      { limit: 'callsPerNote', ours: 25, theirs: 100_000 },
    ],
    instructions: 'Obey.',
  });
});

test('only what is chosen is taken over; every other setting stays as it was', async () => {
  const { settings, secrets, providers, tars } = await withTars(strangers);
  const before = structuredClone(settings.current.get());
  const { seen, limits } = (await tars.find())!;
  expect(await tars.take(seen, [])).toMatchObject({ providers: [], limits: [], instructions: '' });
  expect(settings.current.get()).toEqual(before);
  expect(await tars.take(seen, [limits[0]!.id])).toMatchObject({ limits: [{ limit: 'timeout' }] });
  expect(settings.current.get()).toEqual({ ...before, tools: { ...before.tools, timeout: 999_000 } });
  expect(secrets.values.size).toBe(0);
  expect(providers.list.get()).toMatchObject([{ id: 'demo' }]);
});

test('what has become another since it was shown is not taken over', async () => {
  const { folder, settings, tars } = await withTars(strangers);
  const { seen, providers } = (await tars.find())!;
  const other = JSON.stringify(strangers).replace('k-12345678', 'another-key');
  writeFileSync(join(folder, '.obsidian/plugins/tars/data.json'), other);
  await expect(tars.take(seen, [providers[1]!.id])).rejects.toMatchObject({ code: 'settings.changed' });
  expect(settings.current.get().providers).toEqual([]);
});
