import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '../../src/contract/errors';
import type { ServerEntry } from '../../src/contract/mcp';
import type { ResolvedAgent } from '../../src/core/agents';
import { createLog, createObservable } from '../../src/core/foundation';
import { createHooks, type Hooks, hookContributions } from '../../src/core/hooks';
import { createTrust } from '../../src/core/trust';
import { createVault } from '../../src/core/vault';
import { createVaultContents } from '../../src/core/vaults/vault-contents';
import { readFrontMatter } from '../../src/markdown';
import { createHouse } from '../chat/support/house';
import { catalogTool, text } from '../chat/support/scripted-mcp';
import { calls, says } from '../chat/support/scripted-provider';
import { settled } from '../providers/memory-wire';

const template = {
  name: 'Sum',
  path: 'Sum.md',
  description: '',
  arguments: [],
  takesSelection: false,
  template: 'Sum up {{note}}.',
};
const sum = { name: 'Sum', on: 'saved', run: { prompt: 'sum' } } as const;
const critic: ResolvedAgent = {
  name: 'Critic',
  path: '.interlinear/agents/Critic.md',
  provider: null,
  model: null,
  tools: [],
  problem: null,
  instructions: 'Find what is wrong.',
} as unknown as ResolvedAgent;

/** A vault on disk with these hooks, real tools and conversations; the model and the servers are the test's. */
async function hooked(
  hooks: unknown,
  options: {
    trusted?: boolean;
    /** The hook of this name was not there when the person was asked. */
    slippedIn?: string;
    /** What the prompt says, filled in. */
    prompt?: string;
    house?: Parameters<typeof createHouse>[0];
  } = {},
) {
  const root = mkdtempSync(join(tmpdir(), 'interlinear-hooks-'));
  const file = join(root, '.interlinear/hooks.json');
  mkdirSync(join(root, '.interlinear'));
  writeFileSync(join(root, 'Talk.md'), 'Some text');
  if (hooks !== null) writeFileSync(file, typeof hooks === 'string' ? hooks : JSON.stringify({ hooks }));
  const log = createLog(() => undefined);
  let made: Hooks | null = null;
  const { answer, ...inner } = createHouse({
    ...options.house,
    beforeCall: async (call, signal) => made?.calling(call, signal),
    beforeAnswer: async (path, signal, onHook) => made?.answering(path, signal, onHook),
    afterAnswer: (path, phase) => made?.answered(path, phase),
  });
  const trust = createTrust(join(root, '.interlinear/trust-of-the-app.json'), () => undefined);
  trust.setTrusted(root, options.trusted ?? true);
  const pins = () => trust.madeIn(root);
  const text = hooks === null ? '' : readFileSync(file, 'utf8');
  trust.pinsOf(root)?.agree(hookContributions(text).filter(({ name }) => name !== options.slippedIn));
  const vault = createVault({ log, clock: inner.clock, trust, moveToTrash: unlink });
  await vault.open(root);
  const problems: Parameters<Parameters<typeof createHooks>[0]['onProblem']>[0][] = [];
  const prompts = {
    list: createObservable([template]),
    fill: (_path: string, { note }: { note: string | null }) => options.prompt ?? `Sum up ${note}.`,
  };
  const create = () =>
    createHooks({ ...inner, vault, prompts, log, pins, onProblem: (problem) => problems.push(problem) });
  const first = create();
  made = first;
  onTestFinished(async () => {
    await made?.close();
    await inner.chat.close();
    await vault.close();
    rmSync(root, { recursive: true, force: true });
  });
  const listed = (of: Hooks = first) => {
    const list = of.list.get();
    return list.kind === 'listed' ? list : { hooks: [], problems: [], trusted: false };
  };
  const count = Array.isArray(hooks) ? hooks.length : hooks === null ? 0 : 1;
  await expect.poll(() => listed().hooks.length + listed().problems.length).toBeGreaterThanOrEqual(count);
  return {
    ...inner,
    answer,
    vault,
    hooks: first,
    problems,
    file,
    listed,
    contributions: () => createVaultContents(trust)(root),
    /** The same data in a core that has been started again. */
    async again() {
      await first.close();
      made = create();
      const next = made;
      await expect.poll(() => listed(next).hooks.length).toBe(count);
      return next;
    },
    save: async () => vault.write('Talk.md', `Saved ${Math.random()}`, (await vault.read('Talk.md')).version),
    last: (name: string) => listed().hooks.find((hook) => hook.name === name)?.lastRun ?? null,
  };
}

const note = catalogTool({ name: 'note', approval: 'allow' });
const find = catalogTool({ name: 'find', approval: 'allow' });

test('a prompt is asked when a note is saved, and its own writing starts nothing', async () => {
  const house = await hooked([{ name: 'Sum', on: 'saved', note: '*.md', run: { prompt: 'sum' } }], {
    house: { note: 'Some text', scripts: [() => says('Short.')] },
  });
  await house.save();
  await expect.poll(() => house.last('Sum')?.outcome).toBe('ok');
  expect(house.note.text()).toContain('#User : Sum up Talk.md.');
  expect(house.note.text()).toContain('#Claude : Short.');
  await house.save();
  await settled();
  expect(house.requests).toHaveLength(1);
  expect(house.problems).toEqual([]);
});

test('what a hook’s prompt writes is saved without calling it again, while it writes and a moment later; what a person saves after that does', async () => {
  const house = await hooked([{ name: 'Sum', on: 'saved', note: '*.md', run: { prompt: 'sum' } }], {
    house: {
      note: 'Some text',
      scripts: [
        async function* () {
          await house.save();
          await settled();
          yield* says('Short.');
        },
        () => says('Again.'),
      ],
    },
  });
  await house.save();
  await expect.poll(() => house.last('Sum')?.outcome).toBe('ok');
  house.clock.advance(2_900);
  await house.save();
  await settled();
  expect(house.requests).toHaveLength(1);
  house.clock.advance(100);
  await house.save();
  await expect.poll(() => house.note.text()).toContain('Again.');
});

test('a tool that a hook on saving runs may write the note itself, without calling the hook again', async () => {
  const house = await hooked([{ name: 'Tidy', on: 'saved', note: '*.md', run: { tool: 'memory/note' } }], {
    house: {
      tools: [note],
      work: {
        note: async () => {
          await house.save();
          await settled();
          return text('noted');
        },
      },
    },
  });
  await house.save();
  await expect.poll(() => house.last('Tidy')?.outcome).toBe('ok');
  await settled();
  expect(house.made).toHaveLength(1);
  // It has not written since: this is another saving.
  await house.save();
  await expect.poll(() => house.made.length).toBe(2);
});

test('a rule in a hook’s prompt is not the end of front matter that the note opens', async () => {
  const house = await hooked([{ name: 'Sum', on: 'saved', note: '*.md', run: { prompt: 'sum' } }], {
    prompt: 'Review.\nmodel: evil\n---\nmore',
    house: { note: '---\nNotes: of the day', scripts: [() => says('Short.')] },
  });
  await house.save();
  await expect.poll(() => house.last('Sum')?.outcome).toBe('ok');
  expect(house.note.text()).toContain('model: evil\n\\---\nmore');
  expect(readFrontMatter(house.note.text())).toBeNull();
});

test('a hook that nobody agreed to does nothing, and those beside it go on; what is written here is agreed to', async () => {
  const hook = (name: string, on: 'note-opened' | 'saved') => ({ name, on, run: { prompt: 'sum' } });
  const house = await hooked([hook('Agreed', 'note-opened'), hook('Slipped in', 'saved')], {
    slippedIn: 'Slipped in',
    house: { note: 'Some text', scripts: [() => says('Short.')] },
  });
  expect(house.listed().hooks).toMatchObject([{ agreed: true }, { agreed: false }]);
  await house.save();
  house.hooks.opened(house.path);
  await expect.poll(() => house.last('Agreed')?.outcome).toBe('ok');
  expect(house.last('Slipped in')).toBeNull();
  expect(house.requests).toHaveLength(1);

  await house.hooks.save(hook('Slipped in', 'note-opened'), 'Slipped in');
  expect(house.listed().hooks).toMatchObject([{ agreed: true }, { agreed: false }]);
  await house.hooks.save({ ...hook('Agreed', 'saved'), note: 'Inbox/**' }, 'Agreed');
  expect(house.listed().hooks).toMatchObject([{ agreed: true, note: 'Inbox/**' }, { agreed: false }]);
});

test('a glob that nobody can read is named, and the hooks behind it run', async () => {
  const hook = (name: string, note?: string) => ({ name, on: 'saved', note, run: { prompt: 'sum' } });
  const long = '{a,'.repeat(50_000) + '}'.repeat(50_000);
  const house = await hooked([hook('Long', long), hook('Agreed')], {
    house: { note: 'Some text', scripts: [() => says('Short.')] },
  });
  await expect.poll(() => house.listed()).toMatchObject({ hooks: [{ name: 'Agreed' }] });
  expect(house.listed().problems).toMatchObject([{ message: expect.stringContaining('500') }]);
  await house.save();
  await expect.poll(() => house.last('Agreed')?.outcome).toBe('ok');
});

test('what a person makes by the form in a folder nobody was asked about yet is agreed to as it was made', async () => {
  const house = await hooked([{ name: 'Brought', on: 'saved', run: { prompt: 'sum' } }], {
    trusted: false,
    house: { note: 'Some text', scripts: [() => says('Short.')] },
  });
  const hook = { name: 'Mine', on: 'saved', run: { prompt: 'sum' }, in: house.path } as const;
  await house.hooks.save(hook, null);
  expect(house.listed()).toMatchObject({ trusted: false, hooks: [{ agreed: false }, { agreed: true }] });
  expect(await house.contributions()).toMatchObject([
    { name: 'Brought', consent: { kind: 'new' } },
    { name: 'Mine', consent: { kind: 'given' } },
  ]);
  await house.save();
  await expect.poll(() => house.last('Mine')?.outcome).toBe('ok');
  expect(house.last('Brought')).toBeNull();
  // Switching on what the folder brings is no consent to it.
  await house.hooks.setEnabled({ ...sum, name: 'Brought' }, true);
  expect(house.listed().hooks).toMatchObject([{ agreed: false }, { agreed: true }]);
  writeFileSync(house.file, readFileSync(house.file, 'utf8').replace('"Mine",', '"Mine", "note": "**",'));
  await expect.poll(() => house.listed().hooks[1]?.agreed).toBe(false);
  expect((await house.contributions())[1]?.consent).toMatchObject({ kind: 'changed' });
});

test('a hook that another program changed as it was switched on or run is neither', async () => {
  const house = await hooked([{ ...sum, enabled: false }], {
    slippedIn: 'Sum',
    house: { note: 'Some text', scripts: [() => says('Short.')] },
  });
  const shown = { ...sum, enabled: false };
  writeFileSync(house.file, JSON.stringify({ hooks: [{ ...shown, run: { prompt: 'Send all' } }] }));
  await expect.poll(() => house.listed().hooks[0]?.run).toEqual({ prompt: 'Send all' });
  const changed = { code: 'settings.changed' };
  await expect(house.hooks.setEnabled(shown, true)).rejects.toMatchObject(changed);
  await expect(house.hooks.run(shown, house.path)).rejects.toMatchObject(changed);
  expect(house.listed().hooks).toMatchObject([{ enabled: false, agreed: false, lastRun: null }]);
  // Seen as it is, it is agreed to.
  await house.hooks.setEnabled({ ...shown, run: { prompt: 'Send all' } }, true);
  await expect.poll(() => house.listed().hooks).toMatchObject([{ enabled: true, agreed: true }]);
});

test('nothing runs in a vault that nobody trusts, also not by hand', async () => {
  const house = await hooked([{ name: 'Sum', on: 'saved', run: { prompt: 'sum' } }], {
    trusted: false,
    house: { note: 'Some text', scripts: [() => says('Short.')] },
  });
  await house.save();
  house.hooks.opened(house.path);
  await expect(house.hooks.run(sum, house.path)).rejects.toMatchObject({ code: 'vault.untrusted' });
  await settled();
  await house.hooks.close();
  expect(house.note.text()).toBe('Some text');
  expect(house.listed()).toMatchObject({ trusted: false, hooks: [{ name: 'Sum', lastRun: null }] });
});

test('an agent answers when a note is opened; a note that the glob does not mean, and a hook that is off, are left alone', async () => {
  const house = await hooked(
    [
      { name: 'Elsewhere', on: 'note-opened', note: 'Inbox/**', run: { prompt: 'sum' } },
      { name: 'Off', on: 'note-opened', enabled: false, run: { prompt: 'sum' } },
      { name: 'Critic', on: 'note-opened', note: 'T*.md', run: { agent: 'Critic' } },
    ],
    { house: { note: '#User : Is it right?', scripts: [() => says('No.')], agents: [critic] } },
  );
  house.hooks.opened(house.path);
  await expect.poll(() => house.last('Critic')?.outcome).toBe('ok');
  expect(house.note.text()).toContain('#Critic : No.');
  expect(house.requests).toHaveLength(1);
  expect(JSON.stringify(house.requests[0]?.messages)).toContain('Find what is wrong.');
});

test('a schedule comes round when its time is over, also across a new start', async () => {
  const daily = [{ name: 'Sum', on: 'schedule', every: '2h', in: 'Talk.md', run: { prompt: 'sum' } }];
  const house = await hooked(daily, {
    house: { note: 'Some text', scripts: [() => says('Short.'), () => says('Again.')] },
  });
  house.clock.advance(3_600_000);
  const next = await house.again();
  house.clock.advance(3_600_000);
  await expect.poll(() => house.note.text()).toContain('Short.');
  house.clock.advance(3_600_000);
  await expect.poll(() => house.listed(next).hooks[0]?.lastRun?.outcome).toBe('ok');
  await next.close();
  expect(house.requests).toHaveLength(1);
});

test('tools run before and after an answer and before and after each of its calls, in that order; a hook calls no hooks', async () => {
  const tool = (name: string, on: string) => ({
    name,
    on,
    run: { tool: 'memory/note', arguments: { text: `${name} {{note}}`, deep: [{ at: '{{note}}' }] } },
  });
  const order: string[] = [];
  const house = await hooked(
    [
      tool('before', 'before-answer'),
      tool('after', 'after-answer'),
      { ...tool('call', 'before-tool-call'), tool: 'memory/*' },
      { ...tool('called', 'after-tool-call'), tool: 'memory/*' },
      { ...tool('other', 'before-tool-call'), tool: 'elsewhere/*' },
    ],
    {
      house: {
        note: '#User : Find it.',
        tools: [note, find],
        work: {
          note: ({ text: said, deep }) => {
            order.push(`${said}${JSON.stringify(deep) === '[{"at":"Talk.md"}]' ? '' : ' (not filled in)'}`);
            return text('noted');
          },
          find: () => {
            order.push('find');
            return text('found');
          },
        },
        scripts: [
          () => {
            order.push('model');
            return calls('', { id: '1', name: 'memory__find', arguments: {} });
          },
          () => says('There.'),
        ],
      },
    },
  );
  const { phase } = await house.answer();
  expect(phase.kind).toBe('finished');
  await expect.poll(() => house.last('after')?.outcome).toBe('ok');
  await expect.poll(() => house.last('called')?.outcome).toBe('ok');
  expect(order.slice(0, 4)).toEqual(['before Talk.md', 'model', 'call Talk.md', 'find']);
  expect(order.slice(4).sort()).toEqual(['after Talk.md', 'called Talk.md']);
  expect(house.last('other')).toBeNull();
  const byHooks = house.tools.history.find({ by: 'hook', limit: 10 }).map(({ tool }) => tool);
  expect(byHooks).toEqual(['note', 'note', 'note', 'note']);
});

test('what runs before an answer holds it up for a minute at most', async () => {
  const house = await hooked([{ name: 'Slow', on: 'before-answer', run: { tool: 'memory/note' } }], {
    house: {
      note: '#User : Hello',
      tools: [note],
      work: { note: (_args, signal) => new Promise((_, reject) => signal.addEventListener('abort', reject)) },
      scripts: [() => says('At last.')],
    },
  });
  const answer = house.answer();
  await expect.poll(() => house.made.length).toBe(1);
  expect(house.requests).toHaveLength(0);
  house.clock.advance(60_000);
  await answer;
  expect(house.note.text()).toContain('At last.');
});

test('whoever stops an answer that a hook holds up stops the hook, and reads which; nothing is asked or written', async () => {
  const hook = (name: string) => ({ name, on: 'before-answer', run: { tool: 'memory/note' } });
  const house = await hooked([hook('Slow'), hook('Next')], {
    house: {
      note: '#User : Hello',
      tools: [note],
      work: { note: (_args, signal) => new Promise((_, reject) => signal.addEventListener('abort', reject)) },
      scripts: [() => says('Hello.')],
    },
  });
  const ended = house.chat
    .run({ path: 'Talk.md', at: house.note.text().length, version: house.note.version })
    .then(({ finished }) => finished);
  await expect.poll(() => house.made.length).toBe(1);
  const [run] = house.chat.runs.get();
  expect(run).toMatchObject({ path: 'Talk.md', finishedAt: null, kind: 'hook', hook: 'Slow' });
  await expect(house.answer()).rejects.toMatchObject({ code: 'chat.busy' });
  house.chat.stop(run?.runId ?? '');
  expect(await ended).toMatchObject({ kind: 'hook', hook: 'Slow', finishedAt: expect.any(Number) });
  await expect.poll(() => house.last('Slow')?.outcome).toBe('stopped');
  expect(house.last('Next')).toBeNull();
  expect(house.made).toHaveLength(1);
  expect(house.requests).toEqual([]);
  expect(house.note.text()).toBe('#User : Hello');
  expect(house.problems).toEqual([]);
});

test('a tool that has to be asked for is not called, and the hook says so', async () => {
  const house = await hooked([{ name: 'Log', on: 'note-opened', run: { tool: 'memory/note' } }], {
    house: { tools: [catalogTool({ name: 'note', approval: 'ask' })], work: { note: () => text('noted') } },
  });
  house.hooks.opened(house.path);
  await expect.poll(() => house.last('Log')?.outcome).toBe('failed');
  expect(house.last('Log')?.detail).toContain('is not allowed without asking');
  expect(house.made).toEqual([]);
  expect(house.tools.approvals.get()).toEqual([]);
});

test('a hook on a server that nobody is signed in at says so, one on a server that is not there its nearest name', async () => {
  const guarded = { id: 'g', name: 'guarded', state: { kind: 'needs-sign-in' } } as ServerEntry;
  const house = await hooked(
    [
      { name: 'Log', on: 'note-opened', run: { tool: 'guarded/note' } },
      { name: 'Typo', on: 'note-opened', run: { tool: 'garded/note' } },
    ],
    {
      house: {
        mcp: {
          servers: createObservable({ servers: [guarded], problems: [], paused: false }),
          find: (name) => (name === 'guarded' ? guarded : undefined),
          ready: async () => {
            throw new AppError('mcp.sign-in-needed', 'The server asks you to sign in.', { serverId: 'g' });
          },
        },
      },
    },
  );
  house.hooks.opened(house.path);
  await expect.poll(() => house.last('Typo')?.outcome).toBe('failed');
  expect(house.last('Log')?.detail).toContain('asks you to sign in');
  expect(house.last('Typo')?.detail).toContain(
    'There is no server “garded”. The nearest names are: guarded.',
  );
});

test('by hand a hook runs at once, also one that is off, and says how it went', async () => {
  const house = await hooked([{ name: 'Sum', on: 'saved', enabled: false, run: { prompt: 'sum' } }], {
    house: { note: 'Some text', scripts: [() => says('Short.')] },
  });
  expect(await house.hooks.run({ ...sum, enabled: false }, null)).toMatchObject({
    outcome: 'failed',
    detail: 'It does not say which note it works on (“in”).',
  });
  expect(await house.hooks.run({ ...sum, enabled: false }, house.path)).toMatchObject({
    outcome: 'ok',
    path: 'Talk.md',
    event: null,
  });
  expect(house.note.text()).toContain('Short.');
  await expect(house.hooks.run({ ...sum, name: 'Nothing' }, null)).rejects.toMatchObject({
    code: 'request.invalid',
  });
});

test('what is wrong is told with its line, and what is right still works', async () => {
  const house = await hooked(
    `{
  // Notes down what is opened.
  "hooks": [
    { "name": "Log", "on": "note-opened", "run": { "tool": "nowhere/add" } },
    { "name": "x",
      "on": "never", "run": { "prompt": "p" } },
    { "name": "Log", "on": "saved", "run": { "prompt": "p" } },
    { "name": "y", "on": "schedule", "every": "1d", "run": { "prompt": "p" } },
    { "name": "z", "on": "before-answer", "run": { "agent": "Critic" } },
  ],
}`,
  );
  expect(house.listed().problems.map(({ line }) => line)).toEqual([6, 7, 8, 9]);
  expect(house.problems).toMatchObject([{ code: 'hooks-file', problems: [{ line: 6 }, {}, {}, {}] }]);
  house.hooks.opened(house.path);
  await expect.poll(() => house.last('Log')?.detail).toContain('nowhere/add');
});

test('a file that is no JSON runs nothing, is not overwritten, and works again once mended', async () => {
  const house = await hooked('{\n  "hooks": [\n    { "name": "Log" "on": "saved" }\n  ]\n}');
  expect(house.listed()).toMatchObject({ hooks: [], problems: [{ line: 3 }] });
  const hook = { name: 'Sum', on: 'saved', run: { prompt: 'sum' } } as const;
  await expect(house.hooks.save(hook, null)).rejects.toMatchObject({ code: 'request.invalid' });
  expect(readFileSync(house.file, 'utf8')).toContain('"Log" "on"');
  writeFileSync(house.file, '{ "hooks": [] }');
  await expect.poll(() => house.listed().problems).toEqual([]);
  await house.hooks.save(hook, null);
  expect(house.listed().hooks).toMatchObject([hook]);
});

test('hooks are added, changed, switched and taken away in the file, and its comments stay', async () => {
  const house = await hooked(null);
  await house.hooks.save({ name: 'Sum', on: 'saved', run: { prompt: 'Sum' } }, null);
  expect(JSON.parse(readFileSync(house.file, 'utf8'))).toEqual({
    hooks: [{ name: 'Sum', on: 'saved', run: { prompt: 'Sum' } }],
  });
  writeFileSync(
    house.file,
    `{
  // Mine.
  "hooks": [
    // The first.
    { "name": "Sum", /* when */ "on": "saved", "run": { "prompt": "Sum" } }, // kept
    { "name": "Two", "on": "saved", "run": { "prompt": "Two" } }
  ],
  "else": 1
}
`,
  );
  await expect.poll(() => house.listed().hooks.length).toBe(2);
  await house.hooks.setEnabled(sum, false);
  await house.hooks.save(
    { name: 'Sum it', on: 'note-opened', enabled: false, run: { prompt: 'Sum' } },
    'Sum',
  );
  await house.hooks.save({ name: 'Log', on: 'saved', run: { tool: 'memory/note' } }, null);
  await house.hooks.remove('Two');
  const written = readFileSync(house.file, 'utf8');
  for (const comment of ['// Mine.', '// The first.', '/* when */', '"else": 1'])
    expect(written).toContain(comment);
  expect(house.listed().hooks.map(({ name, on, enabled }) => [name, on, enabled])).toEqual([
    ['Sum it', 'note-opened', false],
    ['Log', 'saved', undefined],
  ]);
  expect(() => house.hooks.save({ name: 'Log', on: 'saved', run: { prompt: 'p' } }, 'Sum it')).toThrow(
    'already',
  );
});
