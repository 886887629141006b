import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type App, createApp } from '../../src/core/app';
import { createNodeHost } from '../../src/node/host';
import { ours } from '../mcp/setup';
import { createMemorySecrets } from '../support/in-memory';
import { startCallingProvider } from './support/calling-provider';

/** What was said in each: a tool allowed in the note, “approval: allow” agreed to, the vault’s own tool always allowed. */
const granted = '---\ntools: ["person/*"]\n---\n\n#User : Look after the roses.\n';
const agreed = '---\napproval: allow\ntools: ["person/*"]\n---\n\n#User : Look after the beans.\n';
const always = '---\ntools: ["own/*"]\n---\n\n#User : Look after the shed.\n';
const strange = (text: string) => text.replace(/Look after.*\n/, 'Sell everything.\n');

type Answer = 'runs' | 'asks' | 'has no tool';

/** The real core, a server of the person, one of the vault, and a model that always calls what it is offered. */
async function house() {
  const provider = await startCallingProvider();
  const root = mkdtempSync(join(tmpdir(), 'identity-'));
  const data = join(root, 'data');
  const trash = join(root, 'trash');
  const counted = join(root, 'counted');
  for (const folder of [data, trash]) mkdirSync(folder);
  const { command, args } = ours('counting');
  // Not what this is about.
  const flow = { '*': { reads: [], sends: false } };
  const person = { command, args: [...args, counted], flow };
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { person } }));
  const stand = {
    ...{ id: 'stand', vendor: 'openai-compatible', tag: 'Stand', model: 'm' },
    ...{ format: 'openai-chat' as const, baseUrl: provider.url },
  };

  /** A vault that brings a server of its own, with the same name and words in each. */
  function makeVault(folder: string, notes: Record<string, string>): string {
    mkdirSync(join(folder, '.interlinear'), { recursive: true });
    const script = JSON.stringify(args[0]);
    writeFileSync(
      join(folder, 'tool.mjs'),
      `process.argv[2] = ${JSON.stringify(counted)};\nawait import(${script});\n`,
    );
    // What it counts lies outside of the vault.
    const own = { command, args: ['tool.mjs'], flow, sandbox: false };
    writeFileSync(join(folder, '.interlinear/mcp.json'), JSON.stringify({ mcpServers: { own } }));
    for (const [path, text] of Object.entries(notes)) writeFileSync(join(folder, path), text);
    return folder;
  }

  let vault = makeVault(join(root, 'vault'), { 'g.md': granted, 'c.md': agreed, 's.md': always });
  let app = null as unknown as App;
  async function start(): Promise<void> {
    const environment = { INTERLINEAR_DATA: data, PATH: process.env.PATH ?? '' };
    const host = await createNodeHost({ appRoot: root, version: '1', environment });
    const moveToTrash = async (path: string) => renameSync(path, join(trash, basename(path)));
    app = await createApp({ ...host, secrets: createMemorySecrets(), moveToTrash });
    app.settings.change({ providers: [stand], defaultProvider: 'stand' });
    await open(vault);
  }
  async function open(folder: string): Promise<void> {
    vault = folder;
    await app.openVault(folder);
    await app.mcp.settled(new AbortController().signal);
  }
  async function trust(): Promise<void> {
    const state = app.vault.state.get();
    const contributions = state.kind === 'open' ? state.contributions : [];
    await app.trustVault(
      app.vault.root(),
      true,
      contributions.map(({ fingerprint }) => fingerprint),
    );
    await app.mcp.settled(new AbortController().signal);
  }
  const calls = () => (existsSync(counted) ? readFileSync(counted, 'utf8').split('\n').length - 1 : 0);

  async function answer(path: string, remember: 'note' | 'tool' | null = null): Promise<Answer> {
    const before = calls();
    let wasAsked = false;
    const stop = app.tools.approvals.onChange((list) => {
      for (const { id } of list) {
        wasAsked = true;
        void app.tools.decide(id, remember ? { kind: 'allow', remember } : { kind: 'deny', reason: '' });
      }
    });
    const { session, release } = await app.notes.hold(path);
    try {
      await expect
        .poll(() => session.text(), { timeout: 20_000 })
        .toBe(readFileSync(join(vault, path), 'utf8'));
      const end = session.text().trimEnd().length;
      if (session.text().trimEnd().endsWith('#User :'))
        session.edit('window', { from: end, to: session.text().length, insert: ' Again.' });
      const at = session.text().trimEnd().length;
      const { finished } = await app.chat.run({ path, at, version: session.version });
      await finished;
      await session.save();
      return wasAsked ? 'asks' : calls() > before ? 'runs' : 'has no tool';
    } finally {
      stop();
      release();
    }
  }

  await start();
  onTestFinished(async () => {
    await app.close();
    await provider.close();
    rmSync(root, { recursive: true, force: true });
  });
  await trust();
  expect(await answer('g.md', 'note')).toBe('asks');
  await app.chat.power('c.md').then((power) => app.authority.agree('c.md', power.ask?.powers ?? []));
  expect(await answer('s.md', 'tool')).toBe('asks');
  return {
    ...{ root, trash, open, trust, start, answer, makeVault },
    app: () => app,
    at: (path: string) => join(vault, path),
    read: (path: string) => readFileSync(join(vault, path), 'utf8'),
    /** In place of whatever stands there, as editors do it that write beside and rename. */
    replace(path: string, text: string) {
      writeFileSync(join(root, 'beside'), text);
      renameSync(join(root, 'beside'), join(vault, path));
    },
    isTrusted: () => {
      const state = app.vault.state.get();
      return state.kind === 'open' && state.trusted;
    },
  };
}

type House = Awaited<ReturnType<typeof house>>;
/** What becomes of a note; the answer is where the one that is asked about stands afterwards. */
type Event = (house: House, path: string, text: string) => Promise<string>;

const knows = ({ app }: House, path: string, isThere: boolean) =>
  expect
    .poll(() =>
      app()
        .vault.entries()
        .some((entry) => entry.path === path),
    )
    .toBe(isThere);

const events: readonly (readonly [string, Answer, Event])[] = [
  [
    'it is trashed, and another one comes to have its name',
    'asks',
    async (house, path, text) => {
      await house.app().vault.trash(path);
      writeFileSync(house.at(path), strange(text));
      await knows(house, path, true);
      return path;
    },
  ],
  [
    'another program deletes it, and another one comes to have its name',
    'asks',
    async (house, path, text) => {
      rmSync(house.at(path));
      await knows(house, path, false);
      writeFileSync(house.at(path), strange(text));
      await knows(house, path, true);
      return path;
    },
  ],
  [
    'it is deleted and written anew while the app is closed',
    'asks',
    async (house, path, text) => {
      await house.app().close();
      rmSync(house.at(path));
      writeFileSync(house.at(path), strange(text));
      await house.start();
      return path;
    },
  ],
  [
    'the app renames it',
    'runs',
    async (house, path) => {
      await house.app().vault.rename(path, `moved/${path}`);
      return `moved/${path}`;
    },
  ],
  [
    'the app renames it, and another one comes to have its name',
    'asks',
    async (house, path, text) => {
      await house.app().vault.rename(path, `moved/${path}`);
      writeFileSync(house.at(path), strange(text));
      await knows(house, path, true);
      return path;
    },
  ],
  [
    'another program renames it',
    'runs',
    async (house, path) => {
      renameSync(house.at(path), house.at(`else-${path}`));
      await knows(house, `else-${path}`, true);
      return `else-${path}`;
    },
  ],
  [
    'another program renames it while the app is closed',
    'runs',
    async (house, path) => {
      await house.app().close();
      renameSync(house.at(path), house.at(`else-${path}`));
      await house.start();
      return `else-${path}`;
    },
  ],
  [
    'another note is moved over it',
    'asks',
    async (house, path, text) => {
      house.replace(path, strange(text));
      return path;
    },
  ],
  [
    'we save it ten times',
    'runs',
    async (house, path) => {
      const { session, release } = await house.app().notes.hold(path);
      for (let n = 0; n < 10; n++) {
        session.edit('window', { from: session.text().length, to: session.text().length, insert: `${n}\n` });
        await session.save();
      }
      release();
      return path;
    },
  ],
  [
    'an editor puts a file with one more line in its place',
    'runs',
    async (house, path) => {
      house.replace(path, `${house.read(path).trimEnd()}\n\n#User : And the lawn.\n`);
      return path;
    },
  ],
  [
    'an editor does so while the app is closed',
    'runs',
    async (house, path) => {
      await house.app().close();
      house.replace(path, `${house.read(path).trimEnd()}\n\n#User : And the lawn.\n`);
      await house.start();
      return path;
    },
  ],
  [
    'an editor writes one more line into it',
    'runs',
    async (house, path) => {
      appendFileSync(house.at(path), '\n#User : And the lawn.\n');
      return path;
    },
  ],
];

test.each(events)('what was allowed in a note is that note’s: %s: it %s', async (_name, expected, event) => {
  const here = await house();
  const answers: Record<string, Answer> = {};
  for (const [path, text] of [
    ['g.md', granted],
    ['c.md', agreed],
  ] as const)
    answers[path] = await here.answer(await event(here, path, text));
  expect(answers).toEqual({ 'g.md': expected, 'c.md': expected });
  expect(here.isTrusted()).toBe(true);
});

test('a vault that the person moves keeps all that was said in it', async () => {
  const here = await house();
  await here.app().close();
  renameSync(here.at(''), join(here.root, 'moved'));
  await here.start().catch(() => undefined);
  await here.open(join(here.root, 'moved'));
  expect(here.isTrusted()).toBe(true);
  expect(await here.answer('g.md')).toBe('runs');
  expect(await here.answer('c.md')).toBe('runs');
  expect(await here.answer('s.md')).toBe('runs');
});

const strangers = { 'g.md': strange(granted), 'c.md': strange(agreed), 's.md': strange(always) };

test.each([
  ['at its path while the app is closed', true],
  ['at its path while the app runs', false],
])('a stranger’s vault that comes to stand %s has nothing of what was said', async (_name, isClosed) => {
  const here = await house();
  if (isClosed) await here.app().close();
  renameSync(here.at(''), join(here.root, 'mine'));
  here.makeVault(join(here.root, 'stranger'), strangers);
  renameSync(join(here.root, 'stranger'), here.at(''));
  if (isClosed) await here.start();
  else {
    await here.app().vault.sweep();
    // It is not opened by itself.
    await expect.poll(() => here.app().vault.state.get().kind, { timeout: 20_000 }).toBe('lost');
    await here.open(here.at(''));
  }
  await expect.poll(() => here.app().vault.state.get().kind, { timeout: 20_000 }).toBe('open');
  await here.app().mcp.settled(new AbortController().signal);
  expect(here.isTrusted()).toBe(false);
  expect(here.app().vault.state.get()).toMatchObject({ wasTrusted: true });
  expect(await here.answer('s.md')).toBe('has no tool');
  await here.trust();
  expect(await here.answer('g.md')).toBe('asks');
  expect(await here.answer('c.md')).toBe('asks');
  // Of the same name and words as the one that was always allowed.
  expect(await here.answer('s.md')).toBe('asks');
});

test('another vault has nothing of what was said in one, and leaves it what it has', async () => {
  const here = await house();
  const mine = here.at('');
  await here.open(here.makeVault(join(here.root, 'other'), strangers));
  expect(here.isTrusted()).toBe(false);
  await here.trust();
  expect(await here.answer('g.md')).toBe('asks');
  expect(await here.answer('c.md')).toBe('asks');
  expect(await here.answer('s.md', 'tool')).toBe('asks');
  expect(here.app().tools.grants.get()).toMatchObject([
    { scope: 'note', path: 'g.md', vaultName: 'vault' },
    { scope: 'tool', vaultName: 'vault' },
    { scope: 'tool', vaultName: 'other' },
  ]);
  await here.open(mine);
  expect(await here.answer('g.md')).toBe('runs');
  expect(await here.answer('c.md')).toBe('runs');
  expect(await here.answer('s.md')).toBe('runs');
});
