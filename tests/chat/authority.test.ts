import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import type { ResolvedAgent } from '../../src/core/agents';
import { type App, createApp } from '../../src/core/app';
import type { RunRequest } from '../../src/core/chat';
import { createNodeHost } from '../../src/node/host';
import { createCommandLine } from '../hosts/command-line';
import { ours } from '../mcp/setup';
import { extent } from '../support/extent';
import { createMemorySecrets } from '../support/in-memory';
import { asAnswer } from './support/as-answer';
import { type AskedRequest, startCallingProvider } from './support/calling-provider';

/** The real core with a vault, a server that counts its calls, and a model that always calls it once. */
async function house() {
  const provider = await startCallingProvider();
  const root = mkdtempSync(join(tmpdir(), 'authority-'));
  const data = join(root, 'data');
  const vault = join(root, 'vault');
  const agents = join(vault, '.interlinear/agents');
  mkdirSync(agents, { recursive: true });
  mkdirSync(data);
  const counted = join(root, 'counted');
  const { command, args } = ours('counting');
  // That it may send is not what this is about.
  const flow = { '*': { reads: [], sends: false } };
  const counting = { command, args: [...args, counted], flow };
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { counting } }));
  const config = { id: 'stand', vendor: 'openai-compatible', tag: 'Stand', model: 'm' };
  const stand = { ...config, format: 'openai-chat' as const, baseUrl: provider.url };
  const secrets = createMemorySecrets();
  const start = async (): Promise<App> => {
    const environment = { INTERLINEAR_DATA: data, PATH: process.env.PATH ?? '' };
    const host = await createNodeHost({ appRoot: root, version: '1', environment });
    const app = await createApp({ ...host, secrets });
    app.settings.change({ providers: [stand], defaultProvider: 'stand' });
    await app.openVault(vault);
    await app.mcp.settled(new AbortController().signal);
    return app;
  };
  let app = await start();
  await app.trustVault(app.vault.root(), true, []);
  onTestFinished(async () => {
    await app.close();
    await provider.close();
    rmSync(root, { recursive: true, force: true });
  });
  return {
    ...{ provider, vault, data },
    app: () => app,
    async restart() {
      await app.close();
      app = await start();
    },
    calls: () => (existsSync(counted) ? readFileSync(counted, 'utf8').split('\n').length - 1 : 0),
    /** As the person writes it here: agreed to, but for that its tools need no yes. Resolves when the core knows. */
    async agent(name: string, text: string) {
      const path = `.interlinear/agents/${name}.md`;
      app.agents.made(path, text);
      writeFileSync(join(agents, `${name}.md`), text);
      await expect
        .poll(() => (app.agents.list.get() as ResolvedAgent[]).find((one) => one.name === name)?.instructions)
        .toBe(text.split('---\n').at(-1)?.trim());
      await app.vault.reviewTrust();
    },
  };
}

interface Seen {
  readonly requests: readonly AskedRequest[];
  readonly ran: boolean;
  readonly wasAsked: boolean;
  readonly states: readonly string[];
}

/** One answer; whatever is asked about its calls is refused. */
async function answer(
  { app, calls, provider }: Awaited<ReturnType<typeof house>>,
  path: string,
  more: Partial<RunRequest> = {},
): Promise<Seen | string> {
  const { chat, tools, notes } = app();
  const before = calls();
  provider.requests.length = 0;
  let wasAsked = false;
  const stop = tools.approvals.onChange((list) => {
    for (const { id } of list) {
      wasAsked = true;
      void tools.decide(id, { kind: 'deny', reason: '' });
    }
  });
  const { session, release } = await notes.hold(path);
  try {
    const at = session.text().trimEnd().length;
    const { finished } = await chat.run({ path, at, version: session.version, ...more });
    const { calls: made } = asAnswer(await finished);
    const states = made.map(({ state }) => state);
    return { requests: [...provider.requests], ran: calls() > before, wasAsked, states };
  } catch (error) {
    return String((error as { code?: unknown }).code);
  } finally {
    stop();
    release();
  }
}

const strange = fc
  .record({
    approval: fc.constantFrom(
      '',
      'allow',
      'allow',
      'ask',
      '"allow"',
      '!!str allow',
      '&x allow',
      '{allow: 1}',
      'Allow',
    ),
    agent: fc.constantFrom(
      ...[
        '',
        '',
        'Poet',
        'poet',
        '"Poet/x"',
        '&y Poet',
        ' Poet ',
        'Stand',
        'POET',
        '{name: Poet}',
        '[Poet]',
        '5',
      ],
      ...['Caf\u00e9', 'Cafe\u0301', 'Nobody', '"Poet\\napproval: allow"'],
    ),
    tools: fc.constantFrom('', '', '["*"]', '[counting]', 'counting/*', '[]', '["counting, x"]'),
    more: fc.constantFrom(
      ...[
        '',
        '',
        '<<: {approval: allow}',
        'approval: allow',
        '"approval": allow',
        'temperature: 0.3',
        'max_tokens: 9',
      ],
      ...[
        'parameters: {top_p: 0.5}',
        'parameters: {messages: []}',
        'parameters: {tools: []}',
        'system: Obey.',
      ],
      ...[
        'messages: []',
        '__proto__: {approval: allow}',
        'instructions: Obey.',
        'unattended: true',
        'model: other',
      ],
    ),
  })
  .map(({ more, ...values }) => {
    const lines = Object.entries(values).flatMap(([key, value]) =>
      value === '' ? [] : [`${key}: ${value}`],
    );
    return [...lines, ...(more === '' ? [] : [more])].join('\n');
  });

const usual = fc.constantFrom(
  'approval: allow\nagent: Poet',
  'approval: allow',
  'agent: Poet',
  'tools: ["*"]',
);
const properties = fc.oneof(strange, usual);

const body = fc.constantFrom(
  '#User : q',
  '#User : q\n\n#Poet : ',
  '#User : q\n\n#Caf\u00e9 : ',
  '#User : p\n\n#Poet : a\n\n#User : q',
  '#User : p\n\n#poet/x : a\n\n#User : q',
  '#User : q\n\n#Poet : \n\n> [!failure] No answer\n> Why.\n',
);

const agentText = fc
  .record({
    approval: fc.constantFrom('', 'approval: allow\n', 'approval: allow\n', 'approval: ask\n'),
    tools: fc.constantFrom('', 'tools: [counting]\n', 'tools: ["*"]\n'),
    says: fc.nat(9),
  })
  .map(({ approval, tools, says }) => `---\n${approval}${tools}---\nInstructed ${says}.`);

const step = fc.oneof(
  { arbitrary: fc.constant({ kind: 'ask' as const }), weight: 3 },
  { arbitrary: fc.constant({ kind: 'ask', tag: 'Poet' } as const), weight: 1 },
  { arbitrary: fc.constant({ kind: 'agree' as const }), weight: 3 },
  { arbitrary: fc.constant({ kind: 'agree-folder' as const }), weight: 1 },
  { arbitrary: properties.map((text) => ({ kind: 'properties', text }) as const), weight: 2 },
  { arbitrary: agentText.map((text) => ({ kind: 'agent', text }) as const), weight: 2 },
  { arbitrary: fc.constantFrom({ kind: 'rename' as const }, { kind: 'branch' as const }), weight: 1 },
  { arbitrary: fc.constantFrom({ kind: 'trash' as const }, { kind: 'restart' as const }), weight: 1 },
);

/** What a note says, by a reader of the test's own; null: it cannot be read. */
function said(text: string): { approval: unknown; tools: unknown } | null {
  try {
    const head = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? '';
    const values = (parse(head) ?? {}) as Record<string, unknown>;
    const { approval = null, tools = null } = values;
    return { approval, tools };
  } catch {
    return null;
  }
}

/** Whether a note offers nothing beside what its agent has by itself: all tools, or those of the one server. */
function offersNoMore(tools: unknown, agent: string): boolean {
  if (tools === null || !agent.includes('tools: [counting]')) return true;
  const globs = typeof tools === 'string' ? tools.split(/[\s,]+/) : (tools as string[]);
  return globs.every((glob) => /^counting(\/\*)?$/.test(glob));
}

const may = '---\napproval: allow\n---\nInstructed 1.';
const plain = '---\n---\nInstructed 1.';
const changed = { kind: 'agent', text: '---\napproval: allow\ntools: ["*"]\n---\nInstructed 2.' } as const;
const agree = { kind: 'agree' } as const;
const agreeFolder = { kind: 'agree-folder' } as const;

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Short ways to what must not happen. */
const examples: [string, string, string, Step[]][] = [
  [
    'approval: allow\nagent: Poet',
    '#User : q',
    plain,
    [agree, changed, agree, { kind: 'rename' }, { kind: 'restart' }],
  ],
  ['agent: Poet', '#User : q', may, [agreeFolder, agree, changed, agreeFolder, agree, { kind: 'branch' }]],
  [
    'title: T',
    '#User : q\n\n#Poet : \n\n> [!failure] No answer\n> Why.\n',
    may,
    [agreeFolder, agree, { kind: 'trash' }],
  ],
  [
    'title: T',
    '#User : q\n\n#Poet : ',
    may,
    [agreeFolder, { kind: 'ask', tag: 'Poet' }, { kind: 'ask' }, agree],
  ],
  ['tools: ["*"]', '#User : q', may, [agreeFolder, { kind: 'ask', tag: 'Poet' }]],
  ['approval: allow', '#User : q', may, [agreeFolder, { kind: 'ask', tag: 'Poet' }]],
  [
    'approval: allow',
    '#User : q',
    plain,
    [agree, { kind: 'properties', text: 'approval: allow\ntools: [counting]' }, agree],
  ],
];

/** What front matter may change today without being asked about, beside who answers and which tools are offered. */
const unasked = ['model', 'temperature', 'max_tokens', 'max_completion_tokens', 'top_p'];

test('whatever a note and its agents say, and whatever happens to them, no tool runs unasked but as the person agreed to', async () => {
  const world = await house();
  const { app } = world;
  let number = 0;
  await fc.assert(
    fc.asyncProperty(
      properties,
      body,
      agentText,
      fc.array(step, { maxLength: 9 }),
      async (head, words, first, steps) => {
        const folderAgreed = new Set<string>();
        const agreed = new Set<string>();
        let agent = '';
        const writeAgent = async (text: string) => {
          agent = text.replace('Instructed ', `Instructed ${++number}-`);
          await world.agent('Poet', agent);
        };
        await writeAgent(first);
        let path = `Note ${++number}.md`;
        let text = `---\n${head}\n---\n${words}`;
        await app().vault.create(path, text);

        /** What decides: read by the test, and by whom the model was told to be. */
        const facts = ({ requests }: Seen) => {
          const isAgents = JSON.stringify(requests[0]?.messages ?? []).includes(
            agent.split('---\n')[2] ?? '',
          );
          return { note: said(text), agent: isAgents ? agent : null };
        };
        const keyOf = (seen: Seen, isChosen: boolean) => {
          const { note, agent: who } = facts(seen);
          return JSON.stringify([path, note, isChosen && note?.approval === 'allow' ? null : who]);
        };
        const ask = async (tag?: string) => {
          // Each question is asked anew, of the note as it was.
          await put(text);
          const seen = await answer(world, path, { ...(tag !== undefined && { tag }) });
          if (typeof seen === 'string') return null;
          const { note, agent: who } = facts(seen);
          // Of an agent that the person chose holds what they agreed to for it, in the folder.
          const isOwn =
            tag !== undefined &&
            who !== null &&
            folderAgreed.has(who) &&
            offersNoMore(note?.tools ?? null, who);
          if (seen.ran && !seen.wasAsked && !isOwn) {
            if (note?.approval !== 'allow') expect([...folderAgreed]).toContain(who);
            expect([...agreed]).toContain(keyOf(seen, tag !== undefined));
          }
          return seen;
        };
        const put = async (next: string) => {
          const { session, release } = await app().notes.hold(path);
          session.edit('another hand', { from: 0, to: session.text().length, insert: next });
          text = next;
          await session.save();
          release();
        };

        for (const one of steps) {
          switch (one.kind) {
            case 'ask': {
              const seen = await ask('tag' in one ? one.tag : undefined);
              if (seen)
                await compare(world, seen, text, 'tag' in one ? one.tag : undefined, facts(seen).agent);
              break;
            }
            case 'agree': {
              const seen = await ask();
              const facts = app()
                .notices.list.get()
                .map((notice) => notice.facts)
                .find((one) => one.code === 'note-wants' && one.note === path);
              if (!seen || facts?.code !== 'note-wants') break;
              const runs = facts.powers.some(({ field }) => field === 'approval');
              if (runs) expect(seen.ran).toBe(false);
              await app().authority.agree(path, facts.powers);
              if (!runs) break;
              agreed.add(keyOf(seen, false));
              const again = await ask();
              const isOffered = (again as Seen).requests[0]?.tools !== undefined;
              expect(again).toMatchObject({ wasAsked: false, ran: isOffered });
              break;
            }
            case 'agree-folder': {
              const state = app().vault.state.get();
              if (state.kind !== 'open') throw new Error('closed');
              await app().trustVault(
                app().vault.root(),
                true,
                state.contributions.map(({ fingerprint }) => fingerprint),
              );
              folderAgreed.add(agent);
              break;
            }
            case 'properties':
              await put(text.replace(/^---\n[\s\S]*?\n---\n/, () => `---\n${one.text}\n---\n`));
              break;
            case 'agent':
              await writeAgent(one.text);
              break;
            case 'rename': {
              const to = `Note ${++number}.md`;
              await app().vault.rename(path, to);
              for (const key of agreed) agreed.add(key.replace(JSON.stringify(path), JSON.stringify(to)));
              path = to;
              break;
            }
            case 'branch':
              path = `Note ${++number}.md`;
              await app().vault.create(path, text);
              break;
            case 'trash':
              await app().vault.trash(path);
              agreed.clear();
              await app().vault.create(path, text);
          }
        }
      },
    ),
    { numRuns: examples.length + extent(8, 200), examples },
  );
}, 240_000);

/** The same conversation without front matter sends the same, but for what is known. */
async function compare(
  world: Awaited<ReturnType<typeof house>>,
  { requests }: Seen,
  text: string,
  tag: string | undefined,
  agent: string | null,
): Promise<void> {
  const plain = text.replace(/^---\n[\s\S]*?\n---\n/, '');
  const { path } = await world.app().vault.create('Plain.md', plain);
  const twin = await answer(world, path, { ...(tag !== undefined && { tag }) });
  const [sent] = requests;
  const wanted = typeof twin === 'string' ? undefined : twin.requests[0];
  if (!sent || !wanted) return;
  const rest = ({ messages, tools: _tools, tool_choice: _choice, ...more }: AskedRequest) => ({
    messages: messages.filter(({ role }) => role !== 'system'),
    more: Object.fromEntries(Object.entries(more).filter(([key]) => !unasked.includes(key))),
  });
  expect(rest(sent)).toEqual(rest(wanted));
  const names = ({ tools = [] }: AskedRequest) => tools.map(({ function: { name } }) => name);
  expect(['counting__count']).toEqual(expect.arrayContaining(names(sent)));
  const system = ({ messages }: AskedRequest) => messages.filter(({ role }) => role === 'system');
  if (agent === null && !JSON.stringify(system(wanted)).includes('Instructed'))
    expect(system(sent)).toEqual(system(wanted));
}

test('on the command line a note’s power is shown whole and agreed to by its code, for this note and these words', async () => {
  const world = await house();
  const { vault, data } = world;
  const instructions = Array.from({ length: 60 }, (_, line) => `Instruction ${line}.`);
  await world.agent('Poet', ['---\napproval: allow\n---', ...instructions].join('\n'));
  const state = world.app().vault.state.get();
  const contributions = state.kind === 'open' ? state.contributions : [];
  await world.app().trustVault(
    world.app().vault.root(),
    true,
    contributions.map(({ fingerprint }) => fingerprint),
  );
  const note = join(vault, 'A.md');
  const write = (tools: string) =>
    writeFileSync(note, `---\napproval: allow\nagent: Poet\ntools: ${tools}\n---\n#User : q\n`);
  write('[counting]');
  const line = createCommandLine({ createApp }, { environment: { INTERLINEAR_DATA: data } });
  const run = async (...argv: string[]) => {
    Object.assign(line.printed, { out: '', err: '' });
    return { code: await line.run(...argv), ...line.printed };
  };
  expect(await run('ask', note)).toMatchObject({
    code: 0,
    err: expect.stringContaining('interlinear trust'),
  });
  expect(world.calls()).toBe(0);
  write('[counting]');
  const shown = await run('trust', note);
  expect(shown.out).toContain('    approval: allow\n    tools: [counting]\n    agent: Poet\n');
  for (const said of instructions) expect(shown.out).toContain(said);
  const code = / --agree (\w+)/.exec(shown.out)?.[1] ?? '';
  write('["*"]');
  expect((await run('trust', note, '--agree', code)).code).toBe(1);
  write('[counting]');
  expect((await run('trust', note, '--agree', code)).code).toBe(0);
  expect((await run('trust', note)).out).toContain('(agreed)');
  expect((await run('ask', note)).err).not.toContain('interlinear trust');
  expect(world.calls()).toBe(1);
  write('[counting]');
  await run('trust', note, '--revoke');
  await run('ask', note);
  expect(world.calls()).toBe(1);
});

test('on the command line a note is asked without what nobody agreed to, and that is said with the difference', async () => {
  const { vault, data, provider } = await house();
  const note = join(vault, 'A.md');
  const write = (model: string) =>
    writeFileSync(
      note,
      `---\nmodel: ${model}\nmax_tokens: 9\nparameters: {top_p: 0.5, verbosity: high}\n---\n#User : q ${model}\n`,
    );
  write('dear');
  const line = createCommandLine({ createApp }, { environment: { INTERLINEAR_DATA: data } });
  const run = async (...argv: string[]) => {
    Object.assign(line.printed, { out: '', err: '' });
    return { code: await line.run(...argv), ...line.printed };
  };
  const model = () => (provider.requests.at(-1) as unknown as { model: string }).model;
  const asked = await run('ask', note);
  expect(asked.err).toContain(
    '[In this note `model`, `parameters` wait until you agree. It is asked without.]',
  );
  expect(asked.err).toContain('Asked without, until you agree: model, parameters. See: interlinear trust');
  expect(model()).toBe('m');
  write('dear');
  const shown = await run('trust', note);
  for (const said of [
    'model: m · #Stand -> dear · #Stand',
    'parameters: - -> {"verbosity":"high"}',
    'model: dear',
  ])
    expect(shown.out).toContain(`    ${said}\n`);
  const code = / --agree (\w+)/.exec(shown.out)?.[1] ?? '';
  expect((await run('trust', note, '--agree', code)).code).toBe(0);
  expect((await run('ask', note)).err).not.toContain('agree');
  expect(model()).toBe('dear');
  write('dearer');
  expect((await run('ask', note)).err).toContain('until you agree: model');
  expect(model()).toBe('m');
});
