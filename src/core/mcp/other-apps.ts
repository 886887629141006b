import { join } from 'node:path';
import type { ServerDraft } from '../../contract/mcp';
import { readFileAt } from '../../files';
import { recognise } from './import-config';
import { originOf } from './server-config';

/** The servers that another program on this computer has, and are not here yet. */
export interface OtherApp {
  readonly app: string;
  readonly file: string;
  readonly servers: ServerDraft[];
}

const mostBytes = 1_000_000;

/** Looks into the files of other programs, and changes nothing there. A file that is not there or makes no sense is left out. */
export async function serversOfOtherApps(parts: {
  platform: NodeJS.Platform;
  environment: Readonly<Record<string, string | undefined>>;
  vault: string | null;
  configured: readonly ServerDraft[];
}): Promise<OtherApp[]> {
  const here = new Set(parts.configured.map(originOf));
  const found = await Promise.all(
    filesOf(parts).map(async ({ app, file }) => {
      const read = recognise(await textOf(file));
      const servers = 'servers' in read && read.kind === 'json' ? read.servers : [];
      const inMilliseconds = app === 'Cline' ? servers.map(fromSeconds) : servers;
      return { app, file, servers: inMilliseconds.filter((draft) => !here.has(originOf(draft))) };
    }),
  );
  return onceEach(found);
}

/** Cline counts in seconds. */
function fromSeconds(draft: ServerDraft): ServerDraft {
  return draft.timeout === undefined ? draft : { ...draft, timeout: draft.timeout * 1_000 };
}

/** What several programs have is offered once, under the names of all of them. */
function onceEach(found: readonly OtherApp[]): OtherApp[] {
  const groups = new Map<string, { apps: string[]; files: string[]; servers: ServerDraft[] }>();
  for (const origin of new Set(found.flatMap(({ servers }) => servers.map(originOf)))) {
    const having = found.filter(({ servers }) => servers.some((draft) => originOf(draft) === origin));
    const files = having.map(({ file }) => file);
    const server = having[0]?.servers.find((draft) => originOf(draft) === origin);
    if (!server) continue;
    const apps = having.map(({ app }) => app);
    const group = groups.get(files.join('\0')) ?? { apps, files, servers: [] };
    group.servers.push(server);
    groups.set(files.join('\0'), group);
  }
  return [...groups.values()].map(({ apps, files, servers }) => ({
    app: [...new Set(apps)].join(', '),
    file: files.join(', '),
    servers,
  }));
}

function filesOf({
  platform,
  environment,
  vault,
}: Pick<Parameters<typeof serversOfOtherApps>[0], 'platform' | 'environment' | 'vault'>) {
  const home = environment.HOME ?? environment.USERPROFILE;
  const settings =
    platform === 'win32'
      ? environment.APPDATA
      : platform === 'darwin'
        ? home && join(home, 'Library/Application Support')
        : (environment.XDG_CONFIG_HOME ?? (home && join(home, '.config')));
  return [
    ...(settings
      ? [
          { app: 'Claude Desktop', file: join(settings, 'Claude/claude_desktop_config.json') },
          { app: 'VS Code', file: join(settings, 'Code/User/mcp.json') },
          { app: 'VS Code Insiders', file: join(settings, 'Code - Insiders/User/mcp.json') },
          {
            app: 'Cline',
            file: join(
              settings,
              'Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
            ),
          },
        ]
      : []),
    ...(home
      ? [
          { app: 'Cursor', file: join(home, '.cursor/mcp.json') },
          { app: 'Claude Code', file: join(home, '.claude.json') },
          { app: 'Windsurf', file: join(home, '.codeium/windsurf/mcp_config.json') },
          { app: 'Gemini CLI', file: join(home, '.gemini/settings.json') },
          { app: 'Zed', file: join(home, '.config/zed/settings.json') },
          { app: 'opencode', file: join(home, '.config/opencode/opencode.json') },
        ]
      : []),
    ...(vault
      ? [
          { app: 'TARS', file: join(vault, '.obsidian/plugins/tars/data.json') },
          { app: '.mcp.json', file: join(vault, '.mcp.json') },
          { app: '.vscode/mcp.json', file: join(vault, '.vscode/mcp.json') },
        ]
      : []),
  ];
}

async function textOf(file: string): Promise<string> {
  try {
    return (await readFileAt(file, mostBytes)).toString('utf8');
  } catch {
    return '';
  }
}
