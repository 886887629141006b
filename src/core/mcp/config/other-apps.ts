import { basename, join } from 'node:path';
import { isAppError } from '../../../contract/errors';
import type { NotTaken, ServerDraft } from '../../../contract/mcp';
import { fileFailure, readFileAt } from '../../../files';
import { nothingAround } from './foreign-entry';
import type { Taken } from './import-command';
import { type Format, readConfigText, withOwnNames } from './import-config';
import { wordsOf } from './server-config';

/** The servers that another program on this computer has, and are not here yet. */
export interface OtherApp {
  readonly app: string;
  readonly file: string;
  readonly servers: ServerDraft[];
  readonly skipped: NotTaken[];
}

interface Found {
  readonly app: string;
  readonly file: string;
  readonly servers: readonly Taken[];
  readonly skipped: readonly NotTaken[];
}

const mostBytes = 1_000_000;
/** Programs that count in seconds. */
const inSeconds = new Set(['Cline', 'Goose']);

/**
 * Looks into the files of other programs, and changes nothing there. A file that is not there is left out; one that cannot be
 * read has no servers and says why.
 */
export async function serversOfOtherApps(parts: {
  platform: NodeJS.Platform;
  environment: Readonly<Record<string, string | undefined>>;
  vault: string | null;
  configured: readonly ServerDraft[];
}): Promise<OtherApp[]> {
  const here = new Set(parts.configured.map(wordsOf));
  const apps = await Promise.all(
    filesOf(parts).map(async ({ app, file, format = 'json' }) => {
      const seconds = inSeconds.has(app) ? true : null;
      const around = { ...nothingAround, seconds, dollars: app === 'Gemini CLI' };
      const text = await textOf(file);
      if (text === null) return [];
      const result = typeof text === 'string' ? readConfigText(text, format, around) : text;
      if (result.kind === 'wrong') {
        const skipped = [{ server: basename(file), what: null, reason: result.hint }];
        return [{ app, file, servers: [], skipped }];
      }
      const servers = result.servers.filter(({ draft }) => !here.has(wordsOf(draft)));
      const projects = [...new Set([null, ...servers.map(({ project }) => project)])];
      const skipped = servers.length > 0 ? [...result.skipped, ...result.ofAll] : result.skipped;
      return projects.map(
        (project): Found => ({
          app: project === null ? app : `${app} (${basename(project)})`,
          file: project === null ? file : `${file} (${project})`,
          servers: servers.filter((server) => server.project === project),
          skipped: project === null ? skipped : [],
        }),
      );
    }),
  );
  const all = apps.flat();
  const unread = all.filter(({ servers, skipped }) => servers.length === 0 && skipped.length > 0);
  return [...onceEach(all), ...unread.map((one) => ({ ...one, servers: [], skipped: [...one.skipped] }))];
}

/** What several programs have is offered once, under the names of all of them. */
function onceEach(entries: readonly Found[]): OtherApp[] {
  const groups = new Map<string, { having: Found[]; servers: Taken[] }>();
  const all = entries.flatMap(({ servers }) => servers.map(({ draft }) => wordsOf(draft)));
  for (const origin of new Set(all)) {
    const isIt = ({ draft }: Taken) => wordsOf(draft) === origin;
    const having = entries.filter(({ servers }) => servers.some(isIt));
    const server = having[0]?.servers.find(isIt);
    if (!server) continue;
    const key = having.map(({ file }) => file).join('\0');
    const group = groups.get(key) ?? { having, servers: [] };
    group.servers.push(server);
    groups.set(key, group);
  }
  const earlier = new Set<Found>();
  return [...groups.values()].map(({ having, servers }) => {
    // An entry that makes no sense is named once, with the first of what its file has.
    const wrong = having.flatMap((one) => (earlier.has(one) ? [] : one.skipped));
    for (const one of having) earlier.add(one);
    const result = withOwnNames(servers);
    return {
      app: [...new Set(having.map(({ app }) => app))].join(', '),
      file: having.map(({ file }) => file).join(', '),
      servers: result.servers,
      skipped: [...result.skipped, ...wrong],
    };
  });
}

function filesOf({
  platform,
  environment,
  vault,
}: Pick<Parameters<typeof serversOfOtherApps>[0], 'platform' | 'environment' | 'vault'>): {
  app: string;
  file: string;
  format?: Format;
}[] {
  const home = environment.HOME ?? environment.USERPROFILE;
  const settings =
    platform === 'win32'
      ? environment.APPDATA
      : platform === 'darwin'
        ? home && join(home, 'Library/Application Support')
        : (environment.XDG_CONFIG_HOME ?? (home && join(home, '.config')));
  const isWindows = platform === 'win32';
  // Programs that are the same everywhere but on Windows, also on macOS.
  const programs = isWindows
    ? environment.APPDATA
    : ((platform === 'linux' ? environment.XDG_CONFIG_HOME : undefined) ?? (home && join(home, '.config')));
  const codex = environment.CODEX_HOME;
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
    ...(programs
      ? [
          { app: 'Zed', file: join(programs, isWindows ? 'Zed' : 'zed', 'settings.json') },
          {
            app: 'Goose',
            file: join(programs, isWindows ? 'Block/goose/config' : 'goose', 'config.yaml'),
            format: 'yaml' as const,
          },
        ]
      : []),
    ...(home
      ? [
          { app: 'Cursor', file: join(home, '.cursor/mcp.json') },
          { app: 'Claude Code', file: join(home, '.claude.json') },
          { app: 'Windsurf', file: join(home, '.codeium/windsurf/mcp_config.json') },
          { app: 'Gemini CLI', file: join(home, '.gemini/settings.json') },
          { app: 'opencode', file: join(home, '.config/opencode/opencode.json') },
          { app: 'opencode', file: join(home, '.config/opencode/opencode.jsonc') },
          { app: 'Codex', file: join(codex ?? join(home, '.codex'), 'config.toml'), format: 'toml' as const },
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

/** Null: there is none, or nothing is in it. */
async function textOf(file: string): Promise<string | { kind: 'wrong'; hint: string } | null> {
  try {
    return (await readFileAt(file, mostBytes)).toString('utf8').trim() || null;
  } catch (error) {
    const failure = fileFailure(error, file);
    if (isAppError(failure, 'vault.not-found')) return null;
    return { kind: 'wrong', hint: failure instanceof Error ? failure.message : String(failure) };
  }
}
