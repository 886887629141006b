import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { isAppError } from '../../src/contract/errors';
import { parseConversation } from '../../src/markdown';
import { createFollower, type Follower } from '../notes/follower';
import { extent } from '../support/extent';
import { comeIn, ensureBuilt, startCore, type Visitor } from './support/core';
import { wireOf } from './support/notes-wire';
import { createRandom } from './support/random';
import { startTalkingProvider } from './support/talking-provider';

const runs = extent(18, 300);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
/** Apps that are killed side by side, each with folders of its own. */
const lanes = Math.min(3, runs);
const path = 'Talk.md';
const tags = { newChat: [], user: ['User'], system: ['System'], assistant: ['Local'] };

beforeAll(ensureBuilt, 120_000);

function numbersOf(text: string, run: string): number[] {
  return [...text.matchAll(new RegExp(`‹${run}\\.(\\d+)›`, 'g'))].map(([, number]) => Number(number));
}

const isCounted = (numbers: readonly number[]) => numbers.every((number, index) => number === index);

/** Every mark is whole and no character was cut. */
const isWhole = (text: string) =>
  !text.includes('\uFFFD') && !/[‹›]/.test(text.replaceAll(/‹[\w.]+›/g, '')) && text.startsWith('# Talk\n');

function callsOf(text: string) {
  return parseConversation(text, tags, ['counting']).turns.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'call' ? [part.call] : [])),
  );
}

const idOf = (call: ReturnType<typeof callsOf>[number]) => String(call.arguments.id);

async function linesOf(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

/** One app's life of many deaths. Answers how often it died while a call was under way. */
async function live(lane: number, deaths: number): Promise<number> {
  const random = createRandom(seed + lane);
  const folder = await mkdtemp(join(tmpdir(), 'interlinear-killed-'));
  const [vault, data, record] = [join(folder, 'vault'), join(folder, 'data'), join(folder, 'record')];
  const provider = await startTalkingProvider('counting__count', random);
  await mkdir(vault);
  await mkdir(data);
  await writeFile(join(vault, path), '# Talk\n\nTyped: \n');
  const local = { id: 'local', vendor: 'openai-compatible', tag: 'Local', model: 'm', format: 'openai-chat' };
  await writeFile(
    join(data, 'settings.json'),
    JSON.stringify({
      version: 1,
      providers: [{ ...local, baseUrl: provider.url }],
      defaultProvider: 'local',
      tools: { approval: 'allow', callsPerNote: -1 },
    }),
  );
  const counting = {
    command: process.execPath,
    args: [join(import.meta.dirname, '../servers/counting.mjs'), record],
    flow: { '*': { reads: [], sends: false } },
  };
  // The server that comes with the app would only take time to start.
  const bundled = { vault: { enabled: false } };
  await writeFile(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { counting }, bundled }));

  const person = createFollower(path, 'person');
  const seen = new Map<string, number>();
  const answered = new Set<string>();
  let typed = 0;
  let inCall = 0;

  const type = () => {
    const text = person.text();
    const at = text.indexOf('\n', text.indexOf('Typed: '));
    person.type(at, at, `‹typed.${typed++}›`);
  };

  /** All that was acknowledged or seen is in the core and in the file, once and in order. */
  async function check(visitor: Visitor, moment: string): Promise<void> {
    const witness: Follower = createFollower(path, 'witness');
    witness.connect(wireOf(visitor));
    await witness.until(() => witness.sessionId !== null && !callsOf(witness.text()).some(isRunning));
    await person.until(() => !person.hasUnsent());
    await witness.until(() => witness.text() === person.text());
    const text = witness.text();
    witness.disconnect();
    expect(await visitor.client.call('notes.save', { path }), moment).toMatchObject({ kind: 'saved' });
    expect(await readFile(join(vault, path), 'utf8'), moment).toBe(text);
    expect(isWhole(text), moment).toBe(true);

    const typedNumbers = numbersOf(text, 'typed');
    expect(isCounted(typedNumbers), moment).toBe(true);
    expect(typedNumbers, moment).toHaveLength(typed);
    for (const [run, number] of seen) {
      const numbers = numbersOf(text, run);
      expect(isCounted(numbers), `${run}, ${moment}`).toBe(true);
      expect(numbers.length, `${run}, ${moment}`).toBeGreaterThanOrEqual(number);
    }

    const calls = callsOf(text);
    const made = await linesOf(record);
    expect(new Set(made).size, `no call was made twice, ${moment}`).toBe(made.length);
    expect(new Set(calls.map(idOf)).size, `no callout stands twice, ${moment}`).toBe(calls.length);
    expect(made.filter((id) => !calls.some((call) => idOf(call) === id))).toEqual([]);
    for (const call of calls) {
      if (answered.has(idOf(call))) expect(call.result.state, `${idOf(call)}, ${moment}`).toBe('ok');
      else expect(['ok', 'interrupted'], moment).toContain(call.result.state);
      if (call.result.state === 'ok') expect(made, moment).toContain(idOf(call));
    }
    expect([...answered].filter((id) => !calls.some((call) => idOf(call) === id))).toEqual([]);
  }

  for (let death = 0; death < deaths; death++) {
    const moment = `death ${death} of lane ${lane}, SEED=${seed}`;
    if (death % 6 === 5) {
      const core = startCore(vault, data);
      await pause(random.below(400));
      await core.end('SIGKILL');
    }
    const core = startCore(vault, data);
    const visitor = await comeIn(core);
    person.connect(wireOf(visitor));
    await person.until(() => person.sessionId !== null);
    await check(visitor, moment);

    const run = `run${lane}x${death}`;
    person.type(person.text().length, person.text().length, `\n\n#User : Go on ${run}.\n`);
    await person.until(() => !person.hasUnsent());
    const question = person.text().lastIndexOf('#User : ');
    const asked = visitor.client
      .call('chat.run', { path, at: question + 8, version: person.version() })
      .catch((error: unknown) => expect(isAppError(error, 'connection.lost'), String(error)).toBe(true));
    if (death % 4 !== 3) {
      await asked;
      await person.until(() => person.text().includes(`‹${run}.`));
    }
    const until = performance.now() + random.below(900);
    while (performance.now() < until) {
      type();
      await pause(random.below(15));
    }
    await core.end('SIGKILL');
    visitor.leave();
    person.disconnect();
    const calls = callsOf(person.text());
    if (calls.some(isRunning)) inCall++;
    for (const call of calls) if (call.result.state === 'ok') answered.add(idOf(call));
    seen.set(run, numbersOf(person.text(), run).length);
    expect(isWhole(await readFile(join(vault, path), 'utf8')), moment).toBe(true);
  }

  const core = startCore(vault, data);
  const visitor = await comeIn(core);
  person.connect(wireOf(visitor));
  await person.until(() => person.sessionId !== null);
  await check(visitor, `the end of lane ${lane}, SEED=${seed}`);
  person.disconnect();
  visitor.leave();
  await core.end('SIGTERM');
  expect((await readdir(vault)).filter((name) => !name.startsWith('.interlinear'))).toEqual([path]);
  await provider.close();
  await rm(folder, { recursive: true, force: true });
  return inCall;
}

const isRunning = (call: ReturnType<typeof callsOf>[number]) => call.result.state === 'running';

test(`the app killed ${runs} times while a person types, an answer streams and tools run: nothing acknowledged is lost or doubled, no tool runs twice`, {
  timeout: 60_000 + runs * 5_000,
}, async () => {
  const share = (lane: number) => Math.floor(runs / lanes) + (lane < runs % lanes ? 1 : 0);
  const inCall = await Promise.all(Array.from({ length: lanes }, (_, lane) => live(lane, share(lane))));
  // Else the calls were never interrupted and nothing was tried.
  if (runs >= 20) expect(inCall.reduce((sum, one) => sum + one)).toBeGreaterThan(0);
});
