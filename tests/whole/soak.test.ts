import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { createFollower } from '../notes/follower';
import { extent } from '../support/extent';
import { comeIn, ensureBuilt, type RunningCore, startCore, type Visitor } from './support/core';
import { wireOf } from './support/notes-wire';
import { createRandom } from './support/random';
import { startTalkingProvider } from './support/talking-provider';

const minutes = Number(process.env.SOAK_MINUTES ?? extent(0.4, 30));
/** From here on the figures of its last third are compared with those of the third before. */
const comparedFrom = 5;

/** What the core holds, in bytes and numbers, after it threw away what nothing needs. */
interface Counted {
  readonly heap: number;
  readonly timers: number;
  readonly handles: number;
  readonly files: number;
}

beforeAll(ensureBuilt, 120_000);

async function foldersWith(settings: (url: string) => object, url: string) {
  const folder = await mkdtemp(join(tmpdir(), 'interlinear-soak-'));
  const [vault, other, data] = [join(folder, 'vault'), join(folder, 'other'), join(folder, 'data')];
  for (const place of [vault, other, data]) await mkdir(place);
  await writeFile(join(other, 'Elsewhere.md'), 'Elsewhere.\n');
  for (let n = 0; n < 200; n++) await writeFile(join(vault, `Note ${n}.md`), `Words of note ${n}.\n`);
  await writeFile(join(data, 'settings.json'), JSON.stringify(settings(url)));
  const counting = {
    command: process.execPath,
    args: [join(import.meta.dirname, '../servers/counting.mjs'), join(folder, 'record')],
    flow: { '*': { reads: [], sends: false } },
  };
  await writeFile(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { counting } }));
  return { folder, vault, other, data };
}

const settingsFor = (url: string) => ({
  version: 1,
  providers: [
    {
      ...{ id: 'local', vendor: 'openai-compatible', tag: 'Local', model: 'm', format: 'openai-chat' },
      baseUrl: url,
    },
  ],
  defaultProvider: 'local',
  tools: { approval: 'allow', callsPerNote: -1 },
});

/** One after the other: a note's life, another program's hand, an answer with tools that is stopped, a window that comes back. */
async function round(visitor: Visitor, vault: string, number: number): Promise<void> {
  const { client } = visitor;
  const { path } = await client.call('vault.create', { path: 'Fresh.md', text: '' });
  const window = createFollower(path, `window-${number}`);
  window.connect(wireOf(visitor));
  await window.until(() => window.sessionId !== null);
  for (let word = 0; word < 20; word++) {
    window.type(window.text().length, window.text().length, `word ${word} `);
    await pause(5);
  }
  await window.until(() => !window.hasUnsent());
  await client.call('notes.save', { path });
  await writeFile(join(vault, path), `${window.text()}and of another program`);
  await window.until(() => window.text().endsWith('another program'));
  window.disconnect();
  await client.call('vault.rename', { from: path, to: `Renamed ${number}.md` });
  await client.call('vault.trash', { path: `Renamed ${number}.md` });

  const talk = `Talk ${number}.md`;
  await client.call('vault.create', { path: talk, text: `#User : Go on run${number}.\n` });
  const asking = createFollower(talk, `asking-${number}`);
  asking.connect(wireOf(visitor));
  await asking.until(() => asking.sessionId !== null);
  const at = asking.text().indexOf('#User : ') + 8;
  const version = asking.version();
  const { runId } = await client.call('chat.run', { path: talk, at, version });
  await asking.until(() => asking.text().includes(`‹run${number}.20›`));
  await client.call('chat.stop', { runId });
  await client.call('notes.save', { path: talk });
  asking.disconnect();
  await client.call('vault.trash', { path: talk });
}

async function count(core: RunningCore, file: string): Promise<Counted> {
  const before = (await readFile(file, 'utf8').catch(() => '')).length;
  process.kill(core.pid, 'SIGUSR2');
  for (;;) {
    await pause(50);
    const line = (await readFile(file, 'utf8').catch(() => '')).slice(before);
    if (!line.endsWith('\n')) continue;
    const files = (await readdir(`/proc/${core.pid}/fd`)).length;
    return { ...(JSON.parse(line.trim().split('\n').at(-1) ?? '') as Counted), files };
  }
}

const middle = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

async function quit(core: RunningCore): Promise<number> {
  const began = performance.now();
  await core.end('SIGTERM');
  return Math.round(performance.now() - began);
}

test.skipIf(process.platform !== 'linux')(
  `${minutes} minutes of notes made, renamed and trashed, answers, other programs and changed vaults: memory, timers, handles and files stay as they are, and it quits at once`,
  { timeout: minutes * 60_000 + 300_000 },
  async () => {
    const provider = await startTalkingProvider('counting__count', createRandom(7));
    const { folder, vault, other, data } = await foldersWith(settingsFor, provider.url);
    const file = join(folder, 'counted.jsonl');
    const loaded = pathToFileURL(join(import.meta.dirname, 'support/counted.mjs')).href;
    const core = startCore(vault, data, { NODE_OPTIONS: `--import ${loaded}`, COUNTED: file });
    const visitor = await comeIn(core);
    const counted: Counted[] = [];
    const began = performance.now();
    let rounds = 0;
    for (; performance.now() - began < minutes * 60_000; rounds++) {
      await round(visitor, vault, rounds);
      if (rounds % 10 === 9) {
        await visitor.client.call('vault.open', { path: other, force: true });
        await visitor.client.call('vault.open', { path: vault, force: true });
      }
      await pause(1_500);
      counted.push(await count(core, file));
    }
    await visitor.client.call('vault.open', { path: other, force: true });
    visitor.leave();
    const changed = await quit(core);

    const again = startCore(vault, data);
    const second = await comeIn(again);
    await round(second, vault, rounds);
    second.leave();
    const usual = await quit(again);
    await provider.close();
    await rm(folder, { recursive: true, force: true });

    const third = Math.floor(counted.length / 3);
    const [earlier, later] = [counted.slice(third, 2 * third), counted.slice(2 * third)];
    const of = (part: readonly Counted[], name: keyof Counted) => middle(part.map((one) => one[name]));
    const names = ['heap', 'timers', 'handles', 'files'] as const;
    const figures = Object.fromEntries(names.map((name) => [name, [of(earlier, name), of(later, name)]]));
    // biome-ignore lint/suspicious/noConsole: the figures are what it is run for
    console.info(JSON.stringify({ minutes, rounds, ...figures, quitMs: { usual, changed } }));
    expect(rounds).toBeGreaterThan(2);
    // A loaded machine takes its time; what hangs takes longer.
    expect(Math.max(usual, changed)).toBeLessThan(5_000);
    if (minutes < comparedFrom) return;
    expect(of(later, 'heap') / of(earlier, 'heap')).toBeLessThan(1.1);
    for (const name of ['timers', 'handles', 'files'] as const)
      expect(of(later, name) - of(earlier, name), name).toBeLessThanOrEqual(2);
  },
);
