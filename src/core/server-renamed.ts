import type { ServerChanges } from '../contract/mcp';
import { editFrontMatter, printName, readFrontMatter } from '../markdown';
import type { App } from './app';

type House = Pick<App, 'mcp' | 'hooks' | 'agents' | 'vault' | 'notices'>;

/** Larger notes are no conversations. */
const largestNote = 2 * 1024 * 1024;
const mostNamed = 20;

/**
 * Changes a server. Where it gets another name, the hooks and agents of the open vault that name it do so by the new one;
 * notes are what somebody wrote, and are only told of.
 */
export async function updateServer(
  house: House,
  serverId: string,
  changes: ServerChanges,
  seen?: string,
): Promise<void> {
  const from = house.mcp.find(serverId)?.name;
  await house.mcp.update(serverId, changes, seen);
  const to = changes.name;
  if (from === undefined || to === undefined || to === from) return;
  if (house.vault.state.get().kind !== 'open') return;
  // It has its new name: what can't be changed along with it is told of, and no failure of that.
  const hooks = await house.hooks.renameServer(from, to).catch(() => []);
  const agents = await renameInAgents(house, from, to);
  const notes = [...agents.left, ...(await notesNaming(house, from))];
  if (hooks.length + agents.changed.length + notes.length === 0) return;
  house.notices.add({ code: 'server-renamed', from, to, hooks, agents: agents.changed, notes });
}

async function renameInAgents(
  { agents, vault }: House,
  from: string,
  to: string,
): Promise<{ changed: string[]; left: string[] }> {
  const changed: string[] = [];
  const left: string[] = [];
  const renamed = (globs: readonly string[]) =>
    globs.map((glob) => (isOf(glob, from) ? to + glob.slice(from.length) : glob));
  for (const { name, path, tools } of agents.list.get().filter((one) => !one.waitsFor)) {
    if (!tools?.some((glob) => isOf(glob, from))) continue;
    try {
      const { text, version } = await vault.read(path);
      const named = Object.entries(readFrontMatter(text)?.values ?? {})
        .filter(([key]) => key === 'tools' || key === 'servers')
        .map(([key, value]) => [key, renamed(listOf(value))]);
      const next = editFrontMatter(text, Object.fromEntries(named));
      agents.edited(path, text, next);
      await vault.write(path, next, version);
      changed.push(name);
    } catch {
      left.push(path);
    }
  }
  return { changed, left };
}

/** Notes with blocks of the server, or that choose their tools by it. */
async function notesNaming({ vault }: House, server: string): Promise<string[]> {
  const fence = `[ \\t>]*(?:\`{3,}|~{3,})[ \\t]*${escaped(printName(server))}[ \\t]*\\r?$`;
  const block = new RegExp(`^${fence}`, 'm');
  const paths: string[] = [];
  for (const { kind, path, size } of vault.entries()) {
    if (kind !== 'note' || size > largestNote) continue;
    if (paths.length === mostNamed) break;
    const text = await vault.read(path).then(
      (note) => note.text,
      () => '',
    );
    const tools = readFrontMatter(text.replaceAll('\r\n', '\n'))?.values.tools;
    if (block.test(text) || listOf(tools).some((glob) => isOf(glob, server))) paths.push(path);
  }
  return paths;
}

const isOf = (glob: string, server: string) => glob === server || glob.startsWith(`${server}/`);
const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

function listOf(value: unknown): string[] {
  const items = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[\s,]+/) : [];
  return items.filter((item) => typeof item === 'string');
}
