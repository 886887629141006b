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
      return { app, file, servers: servers.filter((draft) => !here.has(originOf(draft))) };
    }),
  );
  return found.filter(({ servers }) => servers.length > 0);
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
        ]
      : []),
    ...(home ? [{ app: 'Cursor', file: join(home, '.cursor/mcp.json') }] : []),
    ...(vault ? [{ app: 'TARS', file: join(vault, '.obsidian/plugins/tars/data.json') }] : []),
  ];
}

async function textOf(file: string): Promise<string> {
  try {
    return (await readFileAt(file, mostBytes)).toString('utf8');
  } catch {
    return '';
  }
}
