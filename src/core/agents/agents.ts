import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent } from '../../contract/agents';
import { type Clock, createPicture, type Log } from '../foundation';
import type { Vault } from '../vault';
import { readAgentNote } from './agent-note';
import type { Agents, ResolvedAgent } from './index';
import { agentTag } from './tags';

const folder = '.interlinear/agents';
const settleMs = 100;

/** The agents of the vault that is open, as long as the person trusts it. Read again whenever their folder changes. */
export function createAgents(parts: {
  vault: Pick<Vault, 'state' | 'root' | 'read' | 'onDiskChange'>;
  clock: Clock;
  log: Log;
}): Agents {
  const { vault, clock, log } = parts;
  const list = createPicture<Agent[]>([]);
  let agents: readonly ResolvedAgent[] = [];
  const watchers: FSWatcher[] = [];
  let reading = Promise.resolve();
  let cancelSoon: (() => void) | null = null;
  let closed = false;

  function show(found: readonly ResolvedAgent[]): void {
    agents = found;
    list.set([...found]);
  }

  function refresh(): void {
    reading = reading.then(readAll).catch((error: unknown) => {
      log.warn('agents not read', { error });
      show([]);
    });
  }

  function soon(): void {
    cancelSoon?.();
    cancelSoon = closed ? null : clock.after(settleMs, refresh);
  }

  async function readAll(): Promise<void> {
    for (const watcher of watchers.splice(0)) watcher.close();
    const state = vault.state.get();
    if (closed || state.kind !== 'open' || !state.trusted) return show([]);
    watchFolders(vault.root());
    const names = await readdir(join(vault.root(), ...folder.split('/'))).catch(() => []);
    const notes = names.filter((name) => /\.md$/i.test(name) && !name.startsWith('.')).sort();
    const found = await Promise.all(
      notes.map(async (name) => {
        const path = `${folder}/${name}`;
        try {
          return readAgentNote(
            path,
            (await vault.read(path)).text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n'),
          );
        } catch (error) {
          log.warn('agent not read', { path, error });
          return null;
        }
      }),
    );
    if (!closed) show(found.filter((agent) => agent !== null));
  }

  /** The folders that exist, so that one of them being made is noticed too. A vault does not report dot folders. */
  function watchFolders(root: string): void {
    const parents = [root, join(root, '.interlinear'), join(root, '.interlinear', 'agents')];
    for (const [index, path] of parents.entries()) {
      try {
        const watcher = watch(path, { persistent: false }, (_event, name) => {
          if (index > 0 || name === '.interlinear') soon();
        });
        watcher.on('error', () => watcher.close());
        watchers.push(watcher);
      } catch {
        return;
      }
    }
  }

  const stops = [
    vault.state.onChange(refresh),
    vault.onDiskChange(({ changed, removed }) => {
      if ([...changed, ...removed].some((path) => path.startsWith('.interlinear'))) soon();
    }),
  ];
  refresh();

  return {
    list,
    find(name) {
      const wanted = name.toLowerCase();
      return agents.find(
        (agent) => agent.name.toLowerCase() === wanted || agentTag(agent.name).toLowerCase() === wanted,
      );
    },
    async close() {
      closed = true;
      cancelSoon?.();
      for (const stop of stops) stop();
      await reading;
      for (const watcher of watchers.splice(0)) watcher.close();
    },
  };
}
