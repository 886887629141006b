import type { WaitingRetry } from '../../contract/chat';
import type { Handlers } from '../../contract/define';
import { AppError } from '../../contract/errors';
import type { AppOperations } from '../../contract/operations';
import { Settings } from '../../contract/settings';
import type { Brought, VaultChange, VaultEntry, VaultState } from '../../contract/vault';
import { exampleEntries, exampleHealth, exampleProviders, exampleRuns, exampleVendors } from './example-data';
import { createExampleHistory } from './example-history';
import { createExampleMcp } from './example-mcp';
import { exampleProjects } from './example-projects';
import { createExampleRecovery } from './example-recovery';
import { exampleTools, exampleUses } from './example-tools';
import { createExampleVersions } from './example-versions';
import { live } from './live';

export interface ExampleOptions {
  vault: string;
  theme: string;
  language: string;
  empty: boolean;
}

const soon = (ms = 500) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function exampleBrings(vault: string): Brought[] {
  const consent: Brought['consent'] = { kind: 'new' };
  const tracker = {
    kind: 'server' as const,
    name: 'tracker',
    lines: ['npx -y tracker-server@2.1.0 --read-only', `env: TRACKER_TOKEN=\${secret:tracker}`],
    fingerprint: '1',
  };
  if (vault === 'untrusted')
    return [
      { ...tracker, consent },
      {
        kind: 'hook',
        name: 'Sum up',
        lines: ['on: saved · journal/*.md', 'prompt: summary'],
        fingerprint: '2',
        consent,
      },
    ];
  if (vault !== 'changed') return [];
  const before = ['npx -y tracker-server@2.0.4 --read-only', `env: TRACKER_TOKEN=\${secret:tracker}`];
  return [{ ...tracker, consent: { kind: 'changed', before } }];
}

/** Answers everything a screen may ask, from examples in memory. */
export function createExampleCore(options: ExampleOptions): Handlers<AppOperations> {
  const open: VaultState = {
    kind: 'open',
    path: '/home/ada/notes',
    name: 'notes',
    trusted: options.vault !== 'untrusted',
    brings: exampleBrings(options.vault),
    writable: true,
  };
  const vault = live<VaultState>(
    options.vault === 'none'
      ? { kind: 'none' }
      : options.vault === 'lost'
        ? { kind: 'lost', path: '/media/stick/notes', name: 'notes', instead: 'nothing', movedTo: null }
        : open,
  );
  const settings = live(Settings.parse({ theme: options.theme, language: options.language }));
  const providers = live(options.empty ? [] : exampleProviders);
  const catalog = live(options.empty ? [] : exampleTools);
  const lastUsed = live(options.empty ? [] : exampleUses);
  const entries = live<VaultChange>({ kind: 'all', entries: options.empty ? [] : exampleEntries });
  const all = () => {
    const change = entries.get();
    return change.kind === 'all' ? change.entries : [];
  };
  const setAll = (next: VaultEntry[]) => entries.set({ kind: 'all', entries: next });
  const entry = (path: string, kind: VaultEntry['kind']): VaultEntry => ({
    path,
    kind,
    size: 0,
    modified: Date.now(),
  });
  const changeTool = (serverId: string, tool: string, change: object) =>
    catalog.set(
      catalog
        .get()
        .map((one) => (one.serverId === serverId && one.name === tool ? { ...one, ...change } : one)),
    );
  const notices = live(
    options.vault === 'untrusted'
      ? [
          {
            id: 'n1',
            at: Date.now(),
            facts: {
              code: 'hook-failed' as const,
              hook: 'Sum up answers',
              reason: 'There is no prompt “Sum up”.',
            },
          },
        ]
      : [],
  );

  return {
    ...createExampleMcp(options.empty),
    ...createExampleVersions(options.empty),
    ...createExampleRecovery(options.empty),
    'app.info': () => ({
      kind: 'node',
      version: '0.1.0',
      platform: 'linux',
      canPickFolder: true,
      secretStore: 'file',
    }),
    'app.openExternal': () => undefined,
    'vault.close': () => vault.set({ kind: 'none' }),
    'vault.lookAround': () => undefined,
    'app.pickFolder': () => '/home/ada/notes',
    'app.notices': (_, { signal }) => notices.follow(signal),
    'app.dismissNotice': ({ id }) => notices.set(notices.get().filter((notice) => notice.id !== id)),

    'vault.state': (_, { signal }) => vault.follow(signal),
    'vault.open': async ({ path }) => {
      await soon();
      if (path.includes('missing'))
        throw new AppError('vault.not-found', `There is no folder “${path}”.`, { path });
      vault.set(open);
      return { path };
    },
    'vault.openSample': async () => {
      await soon();
      vault.set(open);
      return { path: '/home/ada/notes' };
    },
    'vault.recent': () =>
      options.empty
        ? []
        : [
            { path: '/home/ada/notes', name: 'notes' },
            { path: '/home/ada/Documents/Research journal', name: 'Research journal' },
          ],
    'vault.trust': ({ trusted }) => vault.set({ ...open, trusted, brings: [] } as VaultState),
    'vault.entries': (_, { signal }) => entries.follow(signal),
    'vault.read': ({ path }) => ({ text: `# ${path}`, version: '1' }),
    'vault.write': () => ({ version: '2' }),
    'vault.create': ({ path }) => {
      let free = path;
      for (let n = 2; all().some((one) => one.path === free); n++) free = path.replace(/\.md$/, ` ${n}.md`);
      setAll([...all(), entry(free, 'note')]);
      return { path: free };
    },
    'vault.createFolder': ({ path }) => setAll([...all(), entry(path, 'folder')]),
    'vault.rename': ({ from, to }) =>
      setAll(
        all().map((one) =>
          one.path === from || one.path.startsWith(`${from}/`)
            ? { ...one, path: to + one.path.slice(from.length) }
            : one,
        ),
      ),
    'vault.trash': ({ path }) =>
      setAll(all().filter((one) => one.path !== path && !one.path.startsWith(`${path}/`))),
    'vault.imageAddress': ({ target }) => `/files/${encodeURIComponent(target)}`,

    'notes.follow': async function* (_, { signal }) {
      yield {
        kind: 'opened' as const,
        sessionId: 's1',
        epoch: 'e1',
        version: 0,
        text: '',
        save: { kind: 'saved' as const, at: Date.now() },
        readOnly: false,
      };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
    'notes.push': ({ version, updates }) => ({ version: version + updates.length }),
    'notes.keep': () => ({ keptAs: null }),
    'notes.save': () => ({ kind: 'saved', at: Date.now() }),

    'chat.run': () => ({ runId: 'run-2' }),
    'chat.promptTurns': () => ({ turns: [] }),
    'chat.stop': () => undefined,
    'chat.runBlock': () => ({ callId: 'c2' }),
    'chat.agreeToNote': () => undefined,
    'chat.stopCall': () => undefined,
    'chat.retryLater': () => undefined,
    'chat.waiting': (_, { signal }) => live<WaitingRetry[]>([]).follow(signal),
    'chat.runs': (_, { signal }) => live(options.empty ? [] : exampleRuns).follow(signal),
    'chat.answerer': () => ({ tag: 'Claude', model: 'claude-sonnet-4-5', unavailable: [] }),
    'chat.preview': () => ({
      provider: 'Anthropic',
      model: 'claude-sonnet-4-5',
      turns: 4,
      estimatedTokens: 3_120,
      toolTokens: 2_410,
      tools: 26,
      contextWindow: 200_000,
      estimatedCost: 0.004,
      expanded: [],
      attachments: [],
      warnings: [],
      unsent: [],
    }),

    'tools.catalog': (_, { signal }) => catalog.follow(signal),
    'tools.lastUsed': (_, { signal }) => lastUsed.follow(signal),
    'tools.call': async ({ tool, arguments: args }) => {
      await soon(900);
      return {
        callId: 'c3',
        status: tool.startsWith('delete') ? ('error' as const) : ('ok' as const),
        parts: [
          {
            kind: 'text' as const,
            text: tool.startsWith('delete') ? 'Nothing has that name.' : '3 nodes found <b>inert</b>',
          },
          {
            kind: 'json' as const,
            value: { asked: args, entities: [{ name: 'Apollo', entityType: 'project' }] },
          },
        ],
        ms: 143,
        at: Date.now(),
        cached: false,
        truncated: false,
        definition: 'a1b2c3d4',
      };
    },
    'tools.approvals': (_, { signal }) => live([]).follow(signal),
    'tools.decide': () => undefined,
    'tools.setEnabled': ({ serverId, tool, enabled }) => changeTool(serverId, tool, { enabled }),
    'tools.setTimeout': ({ serverId, tool, timeout }) => changeTool(serverId, tool, { timeout }),
    'tools.setApproval': ({ serverId, tool, approval }) => changeTool(serverId, tool, { approval }),
    'tools.grants': (_, { signal }) =>
      live([
        {
          id: 'g1',
          scope: 'tool' as const,
          serverId: 'srv-memory',
          serverName: 'memory',
          tool: 'search_nodes',
          path: null,
          grantedAt: Date.now() - 86_400_000,
        },
        {
          id: 'g2',
          scope: 'server' as const,
          serverId: 'srv-vault',
          serverName: 'vault',
          tool: null,
          path: null,
          grantedAt: Date.now() - 3_600_000,
        },
      ]).follow(signal),
    'tools.revoke': () => undefined,
    'tools.limits': (_, { signal }) =>
      live({
        ...{ running: 1, waiting: 0, atOnce: 3, callsPerNote: 25 },
        notes: [{ path: 'Welcome.md', calls: 12 }],
      }).follow(signal),
    'tools.resetLimit': () => undefined,

    ...createExampleHistory(options.empty),

    'views.open': async function* () {},
    'views.call': () => {
      throw new AppError('view.gone', 'There are no views here.', {});
    },
    'views.read': () => [],
    'views.resources': () => ({ resources: [], templates: [] }),
    'views.prompts': () => [],
    'views.tell': () => undefined,

    'providers.vendors': () => exampleVendors,
    'providers.list': (_, { signal }) => providers.follow(signal),
    'providers.save': ({ provider, key }) => {
      const providerId = provider.id ?? `p${Date.now()}`;
      const known = providers.get().find(({ id }) => id === providerId);
      const saved = {
        ...provider,
        id: providerId,
        label: exampleVendors.find(({ id }) => id === provider.vendor)?.label ?? provider.vendor,
        key: key ? ('stored' as const) : (known?.key ?? ('missing' as const)),
        isDefault: known?.isDefault ?? false,
        keyRefused: false,
        tagTaken: null,
      };
      providers.set(
        known ? providers.get().map((one) => (one === known ? saved : one)) : [...providers.get(), saved],
      );
      return { providerId };
    },
    'providers.remove': ({ providerId }) =>
      providers.set(providers.get().filter(({ id }) => id !== providerId)),
    'providers.setDefault': ({ providerId }) =>
      providers.set(providers.get().map((one) => ({ ...one, isDefault: one.id === providerId }))),
    'providers.models': () => ({ models: ['example-large', 'example-small'], listedAt: 0, problem: null }),
    async *'providers.pull'() {
      yield { status: 'pulling', completed: 40, total: 100 };
    },
    'providers.prices': async function* () {
      yield {
        date: '2026-11-21',
        prices: [{ vendor: 'openai', model: 'gpt-5.5', input: 5, output: 30, own: false }],
      };
    },
    'providers.setPrice': () => undefined,
    'providers.usage': () => [
      {
        name: '2026-11-22',
        answers: 12,
        inputTokens: 48_000,
        outputTokens: 6_100,
        cachedInputTokens: 12_000,
        cost: 0.31,
        unpriced: 0,
      },
    ],
    'providers.check': async ({ provider, key }) => {
      await soon(800);
      return provider.vendor === 'openai' && !key
        ? {
            kind: 'failed' as const,
            failure: 'auth' as const,
            message: '401: Incorrect API key provided.',
            next: 'Create a key on the vendor’s page, paste it here and check again.',
          }
        : { kind: 'ok' as const, ms: 412, models: [provider.model, 'another-model', 'third-model'] };
    },

    'agents.prompts': async function* () {
      yield [];
    },
    'agents.fillPrompt': () => ({ text: '' }),
    'hooks.list': async function* () {
      yield { kind: 'listed', trusted: true, hooks: [], problems: [] };
    },
    'hooks.save': () => undefined,
    'hooks.setEnabled': () => undefined,
    'hooks.remove': () => undefined,
    'hooks.run': ({ path }) => ({ at: Date.now(), event: null, path, ms: 4, outcome: 'ok', detail: '' }),
    'agents.findTars': () => null,
    'agents.importTars': () => ({
      seen: '',
      providers: [],
      tags: { newChat: [], user: [], system: [] },
      prompts: [],
      limits: [],
      instructions: '',
      skipped: [],
    }),
    'agents.list': (_, { signal }) => live([]).follow(signal),
    'settings.current': (_, { signal }) => settings.follow(signal),
    'settings.troubles': () => [],
    'settings.change': ({ changes }) => {
      const before = settings.get();
      const merged = Object.entries(changes).map(([name, value]) => {
        const old = before[name as keyof Settings];
        const group =
          typeof value === 'object' && value !== null && !Array.isArray(value) && typeof old === 'object';
        return [name, group ? { ...old, ...value } : value];
      });
      const next = Settings.parse({ ...before, ...Object.fromEntries(merged) });
      settings.set(next);
      return next;
    },
    'health.report': (_, { signal }) =>
      live(
        options.empty ? { servers: [], callsPerMinute: [], slowestTools: [], providers: [] } : exampleHealth,
      ).follow(signal),

    ...exampleProjects,
  };
}
