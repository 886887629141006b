import type { ConfigProblem, ServerDraft } from '../../../contract/mcp';
import type { Pins } from '../../trust';
import { bundledChanges, bundledId, bundledName } from './bundled';
import type { ConfigFile } from './config-file';
import { knowsVault } from './environment';
import { idFromName, readEntry, type ServerConfig, withoutName } from './server-config';
import { mostServers, serverContribution } from './vault-servers';

type ReadFile = Pick<ConfigFile, 'path' | 'content'>;

export interface ListedServers {
  readonly servers: readonly ServerConfig[];
  readonly problems: readonly ConfigProblem[];
}

/**
 * The servers that the files name, and what of the files is of no use: the bundled one, the person's, the vault's, which wins
 * on the same name.
 */
export function listServers({
  user,
  vault,
  bundled,
  folder,
}: {
  user: ReadFile;
  /** Without trust it has no pins. */
  vault: { readonly root: string; readonly file: ReadFile; readonly pins: Pins | null } | null;
  bundled: ServerDraft | null;
  /** Which folder the vault is. */
  folder: string | null;
}): ListedServers {
  const servers: ServerConfig[] = [];
  const problems: ConfigProblem[] = [];
  const ids = new Set<string>();

  function take(level: 'user' | 'vault', file: ReadFile): void {
    const { servers: entries, problem } = file.content();
    const report = (server: string | null, message: string, kind: ConfigProblem['kind'] = 'wrong') =>
      problems.push({ kind, level, file: file.path, server, message });
    if (problem !== null) report(null, problem);
    const namedEntries = Object.entries(entries);
    const most = level === 'vault' ? mostServers : namedEntries.length;
    if (namedEntries.length > most) {
      const [used, all] = [most, namedEntries.length].map((count) => count.toLocaleString('en'));
      report(null, `Only the first ${used} of its ${all} servers are used.`);
    }
    for (const [name, raw] of namedEntries.slice(0, most)) {
      const reason = level === 'vault' ? whyItWaits(vault, name, raw) : null;
      if (reason !== null) {
        report(name, reason, 'waits');
        continue;
      }
      const entry = readEntry(name, raw);
      if (entry.kind === 'wrong') report(name, entry.message);
      else if (bundled !== null && name === bundledName)
        report(name, `The name “${name}” belongs to the server that comes with the app. Rename this one.`);
      else {
        // A file may name any id, also one that is another server's.
        const id = entry.id !== null && !ids.has(entry.id) ? entry.id : idFromName(level, name);
        ids.add(id);
        const server = { id, level, draft: entry.draft };
        servers.push(vault && knowsVault(server) ? { ...server, vault: folder } : server);
      }
    }
  }

  if (bundled !== null) {
    ids.add(bundledId);
    const entry = readEntry(bundledName, {
      ...bundledChanges(user.content().bundled),
      ...withoutName(bundled),
    });
    if (entry.kind === 'ok')
      servers.push({ id: bundledId, level: 'bundled', draft: entry.draft, vault: folder });
  }
  take('user', user);
  if (vault) take('vault', vault.file);
  const winners = new Set(servers.filter(({ level }) => level === 'vault').map(({ draft }) => draft.name));
  return {
    servers: servers.filter(({ level, draft }) => level !== 'user' || !winners.has(draft.name)),
    problems,
  };
}

function whyItWaits(
  vault: { readonly root: string; readonly pins: Pins | null } | null,
  name: string,
  raw: unknown,
): string | null {
  if (!vault?.pins) return 'It waits: servers of this vault start only once you trust the vault.';
  const { pins, root } = vault;
  const server = serverContribution(name, raw, root);
  if (server.lines.length === 0 || pins.isAgreed(server)) return null;
  return pins.agreedLines(server) === null
    ? 'It waits: it is new in this vault, and starts once you agree to it.'
    : 'It waits: it is not what you agreed to any more, and starts once you agree to the change.';
}
