import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { isAppError } from '../../src/contract/errors';
import { parseConversation } from '../../src/markdown';
import { createFollower } from '../notes/follower';
import { startProviderServer } from '../provider-server';
import { comeIn, ensureBuilt, startCore, type Visitor } from './support/core';

beforeAll(ensureBuilt, 120_000);

const chunk = (content: string) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content } }] })}\n\n`;

async function home(said = 'Half an answer.') {
  const half = chunk(said);
  const folder = await mkdtemp(join(tmpdir(), 'interlinear-broken-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [vault, other, data] = [join(folder, 'vault'), join(folder, 'other'), join(folder, 'data')];
  for (const made of [vault, other, data]) await mkdir(made);
  const provider = await startProviderServer();
  onTestFinished(() => provider[Symbol.asyncDispose]());
  provider.answer({
    headers: { 'content-type': 'text/event-stream' },
    body: half + chunk(' Never said.'),
    stallAt: half.length,
  });
  await writeFile(join(vault, 'Talk.md'), '# Talk\n\n#User : Hello?\n');
  const local = { id: 'local', vendor: 'openai-compatible', tag: 'Local', model: 'm', format: 'openai-chat' };
  const settings = {
    version: 1,
    providers: [{ ...local, baseUrl: `${provider.url}/v1` }],
    defaultProvider: 'local',
  };
  await writeFile(join(data, 'settings.json'), JSON.stringify(settings));
  await writeFile(join(data, 'mcp.json'), JSON.stringify({ bundled: { vault: { enabled: false } } }));
  const start = () => {
    const core = startCore(vault, data);
    onTestFinished(() => core.end('SIGKILL'));
    return core;
  };
  return { vault, other, data, start, note: () => readFile(join(vault, 'Talk.md'), 'utf8') };
}

/** The note as a window has it. */
async function follow({ client }: Visitor) {
  const follower = createFollower('Talk.md', 'reader');
  follower.connect({
    async *follow(path, seen, signal) {
      try {
        yield* client.stream('notes.follow', { path, seen }, { signal });
      } catch (error) {
        if (!isAppError(error)) throw error;
      }
    },
    // A core that was killed answers no more.
    push: (path, sessionId, version, updates) =>
      client
        .call('notes.push', { path, sessionId, version, updates: [...updates] })
        .catch(() => new Promise(() => undefined)),
  });
  await follower.until(() => follower.sessionId !== null);
  return follower;
}

/** Asks, and comes back when half of the answer is in the note. */
async function askHalf(visitor: Visitor) {
  const follower = await follow(visitor);
  const version = follower.version();
  await visitor.client.call('chat.run', { path: 'Talk.md', at: follower.text().trimEnd().length, version });
  await follower.until(() => follower.text().includes('Half an answer.'));
}

const broken = /#Local : Half an answer\.\n\n> \[!failure\] The answer broke off\n/;

test('an answer whose app was killed says in its note that it broke off, and History says who wrote it', {
  timeout: 60_000,
}, async () => {
  const { start, note } = await home();
  const first = start();
  const visitor = await comeIn(first);
  await askHalf(visitor);
  // How it was before the answer is kept by now.
  for await (const { entries } of visitor.client.stream('versions.timeline', { path: 'Talk.md' }))
    if (entries.length > 0) break;
  await first.end('SIGKILL');
  expect(await note()).not.toContain('[!failure]');

  const second = start();
  const { client } = await comeIn(second);
  await expect.poll(note, { timeout: 20_000 }).toMatch(broken);
  for await (const [run] of client.stream('chat.runs', {})) {
    if (!run) continue;
    expect(run).toMatchObject({ kind: 'answer', phase: { kind: 'broke-off' } });
    break;
  }
  for await (const timeline of client.stream('versions.timeline', { path: 'Talk.md' })) {
    const [half] = timeline.entries;
    const author = half?.by[0];
    if (author?.kind !== 'model' || author.end === undefined) continue;
    expect(half?.by).toMatchObject([{ answer: { model: 'm' }, end: 'broke-off' }]);
    const ends = timeline.entries.flatMap(({ by }) =>
      by.map((one) => (one.kind === 'model' ? one.end : null)),
    );
    expect(ends).not.toContain('answered');
    break;
  }
  await second.end('SIGTERM');

  // Said once.
  const third = start();
  await comeIn(third);
  expect((await note()).match(/\[!failure\]/g)).toHaveLength(1);
});

test('an old answer is still in the note when the app was killed before the new one had a word', {
  timeout: 60_000,
}, async () => {
  const { vault, start, note } = await home('');
  const old = '#Local : OLD words\n\n> [!note] MINE\n> more\n';
  await writeFile(join(vault, 'Talk.md'), `#User : Hello?\n\n${old}\n#User : later\n`);
  const first = start();
  const visitor = await comeIn(first);
  const follower = await follow(visitor);
  const at = follower.text().indexOf('OLD');
  await visitor.client.call('chat.run', { path: 'Talk.md', at, version: follower.version(), replace: true });
  await follower.until(() => follower.text().split('#Local : ').length === 3);
  expect(await note()).toContain(old);
  await first.end('SIGKILL');
  expect(await note()).toContain(old);

  await comeIn(start());
  await expect.poll(note, { timeout: 20_000 }).toContain('[!failure]');
  expect((await note()).match(/OLD|MINE|\[!failure\]/g)).toEqual(['OLD', 'MINE', '[!failure]']);
});

test('an answer of a killed app broke off also where another program has the number of its process by now', {
  timeout: 60_000,
}, async () => {
  const { data, start, note } = await home();
  const first = start();
  await askHalf(await comeIn(first));
  await first.end('SIGKILL');
  const database = new DatabaseSync(join(data, 'interlinear.db'));
  expect(database.prepare('update answers_under_way set pid = ?').run(process.pid).changes).toBe(1);
  database.close();
  await comeIn(start());
  await expect.poll(note, { timeout: 20_000 }).toMatch(broken);
});

test('what is said of an answer that was in the middle of code stands below the code', {
  timeout: 60_000,
}, async () => {
  const { start, note } = await home('```js\n// Half an answer.');
  const first = start();
  await askHalf(await comeIn(first));
  await first.end('SIGKILL');
  await comeIn(start());
  await expect.poll(note, { timeout: 20_000 }).toMatch(/Half an answer\.\n```\n\n> \[!failure\]/);
  expect(parseConversation(await note(), tagNames, []).turns.map(({ role }) => role)).toEqual([
    ...['user', 'assistant', 'user'],
  ]);
});

const tagNames = { newChat: [], user: ['User'], system: [], assistant: ['Local'] };

test.each([
  ['in the middle of code, with turns below', '#User : Hello?\n\n#User : next', '```js\nHalf an answer.('],
  ['in the middle of code in a list', '#User : Hello?\n\n#User : next', '- x\n  ```js\n  Half an answer.('],
  [
    'in the middle of code, with code below',
    '#User : Hello?\n\n#User : next\n```\ncode\n```',
    '~~~\nHalf an answer.',
  ],
  [
    'in the middle of code, with an example of turns in code below',
    '#User : Hello?\n\n#User : next\n\n```\n#User : one\n#Local : two\n```',
    '```js\nHalf an answer.',
  ],
  ['before a word, right above a turn', '#User : Hello?\n#User : next', ''],
  ['before a word, right above an answer', '#User : Hello?\n#Local : other\n#User : next', ''],
  ['before a word, with an empty line below', '#User : Hello?\n\n#User : next', ''],
])(
  'when the app is killed %s, all that stands below stays as it was',
  { timeout: 60_000 },
  async (_when, text, said) => {
    const { vault, start, note } = await home(said);
    await writeFile(join(vault, 'Talk.md'), `${text}\n`);
    const first = start();
    const visitor = await comeIn(first);
    const follower = await follow(visitor);
    await visitor.client.call('chat.run', { path: 'Talk.md', at: 10, version: follower.version() });
    await follower.until(() => follower.text().includes(said === '' ? '#Local : \n' : 'Half an answer.'));
    await first.end('SIGKILL');

    await comeIn(start());
    await expect.poll(note, { timeout: 20_000 }).toContain('[!failure]');
    const rolesIn = (note: string) =>
      parseConversation(note, tagNames, []).turns.map(({ role, from, to }) => [
        role,
        note.slice(from, to).trim(),
      ]);
    const after = await note();
    const [question, answer, ...below] = rolesIn(after);
    const [asked, ...was] = rolesIn(text);
    expect(question, after).toEqual(asked);
    expect(answer, after).toEqual(['assistant', expect.stringMatching(/\[!failure\][\s\S]*-->$/)]);
    expect(below, after).toEqual(was);
  },
);

const inCode = '#User : Hello?\n\n#User : next\n';
test.each([
  ['has ended the code', 'answer.', 'answer.\n```\n'],
  ['has taken away what ends the code', '\n```\n\n#User : next', '\n\n#User : next'],
  ['has put code into the turn below', 'next', 'next\n\n```js\nK1K\n```'],
  ['has begun code in the turn below', 'next', 'next\n\n```js\nK1K'],
  ['has put an indented turn right below', '\n\n#User : next', '\n     #User : next'],
])(
  'when the person %s and the app is killed, each word is whose it was',
  { timeout: 60_000 },
  async (what, there, instead) => {
    const isPlain = what.includes('indented');
    const { vault, start, note } = await home(isPlain ? 'Half an answer.' : '```js\nHalf an answer.');
    await writeFile(join(vault, 'Talk.md'), inCode);
    const first = start();
    const visitor = await comeIn(first);
    const follower = await follow(visitor);
    await visitor.client.call('chat.run', { path: 'Talk.md', at: 10, version: follower.version() });
    await follower.until(() => follower.text().includes('Half an answer.'));
    const from = follower.text().indexOf(there);
    expect(from).not.toBe(-1);
    follower.type(from, from + there.length, instead);
    await follower.until(() => !follower.hasUnsent());
    await first.end('SIGKILL');
    await comeIn(start());
    await expect.poll(note, { timeout: 20_000 }).toContain('[!failure]');
    const after = await note();
    const { turns } = parseConversation(after, tagNames, []);
    const roleOf = (word: string) =>
      turns.find(({ from, to }) => from <= after.indexOf(word) && after.indexOf(word) < to)?.role;
    expect([roleOf('Half'), roleOf('[!failure]'), roleOf('next')], after).toEqual([
      'assistant',
      'assistant',
      'user',
    ]);
    if (instead.includes('K1K')) expect(roleOf('K1K'), after).toBe('user');
  },
);

test.each(['```js\nHalf an answer.', 'Half an answer.'])(
  'when the app is killed right after the first words of an answer that is written anew, they are its own: %j',
  { timeout: 60_000 },
  async (said) => {
    const { vault, start, note } = await home(said);
    await writeFile(join(vault, 'Talk.md'), '#User : Hello?\n\n#Local : OLD words.\n\n#User : next\n');
    const first = start();
    const visitor = await comeIn(first);
    const follower = await follow(visitor);
    const at = follower.text().indexOf('OLD');
    await visitor.client.call('chat.run', {
      path: 'Talk.md',
      at,
      version: follower.version(),
      replace: true,
    });
    await follower.until(() => !follower.text().includes('OLD'));
    await first.end('SIGKILL');
    await comeIn(start());
    await expect.poll(note, { timeout: 20_000 }).toContain('[!failure]');
    const after = await note();
    const { turns } = parseConversation(after, tagNames, []);
    expect(
      turns.map(({ role }) => role),
      after,
    ).toEqual(['user', 'assistant', 'user']);
    expect(after).toMatch(/^#User : Hello\?\n\n#Local : [\s\S]*Half an answer\.[\s\S]*-->\s+#User : next\n$/);
  },
);

test('an answer that another vault cuts short, or the end of the app, says so', {
  timeout: 60_000,
}, async () => {
  const { other, start, note } = await home();
  const core = start();
  const visitor = await comeIn(core);
  await askHalf(visitor);
  await visitor.client.call('vault.open', { path: other, force: true });
  expect(await note()).toMatch(broken);
});
