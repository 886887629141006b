import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

type Ask = (tool: string, args: Record<string, unknown>) => Promise<unknown>;

/** A task of the generated project, as each server names it. */
export interface Sample {
  readonly id: string;
  /** Relative to the vault. */
  readonly path: string;
  readonly title: string;
}

/** Another server on the same notes. What it has no tool for is left out. */
export interface Peer {
  readonly name: string;
  /** Said beside its figures. */
  readonly remark?: string;
  readonly command: string;
  readonly args: (vault: string) => string[];
  /** Makes of the generated project what the server reads. */
  prepare?(vault: string): Promise<void>;
  list?(ask: Ask, vault: string): Promise<unknown>;
  read?(ask: Ask, vault: string, note: Sample): Promise<unknown>;
  /** In the text of the notes; `names` searches names of files only. */
  search?(ask: Ask, vault: string, words: string): Promise<unknown>;
  readonly searches?: 'text' | 'names';
  edit?(ask: Ask, vault: string, note: Sample, round: number): Promise<unknown>;
}

const repository = process.cwd();
const folder = join(repository, 'bench/peers/vault');
const tasks = 'Projects/tasks';

/** The peers that can be had here, and a line for each that can't. */
export function vaultPeers(): { readonly peers: readonly Peer[]; readonly missing: readonly string[] } {
  const missing: string[] = [];
  const peers = [filesystem()];
  const problem = install();
  const add = (name: string, make: () => Peer): void => {
    try {
      peers.push(make());
    } catch (error) {
      const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
      missing.push(`${name} was not measured: ${problem ?? why}`);
    }
  };
  add('mcpvault', mcpvault);
  add('obsidian-mcp', obsidianMcp);
  add('Backlog.md', backlog);
  return { peers, missing };
}

function install(): string | null {
  if (existsSync(join(folder, 'node_modules/backlog.md'))) return null;
  try {
    const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'];
    execFileSync('npm', args, { cwd: folder, stdio: 'pipe', shell: process.platform === 'win32' });
    return null;
  } catch {
    return 'npm could not install it';
  }
}

const resolveIn = (place: string) => createRequire(join(place, 'package.json')).resolve;

function programOf(name: string): string {
  const manifest = join(folder, 'node_modules', name, 'package.json');
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> };
  return join(dirname(manifest), Object.values(bin)[0] ?? '');
}

function filesystem(): Peer {
  const manifest = resolveIn(repository)('@modelcontextprotocol/server-filesystem/package.json');
  return {
    name: 'server-filesystem',
    remark: 'server-filesystem searches names of files only',
    command: process.execPath,
    args: (vault) => [join(dirname(manifest), 'dist/index.js'), vault],
    list: (ask, vault) => ask('list_directory', { path: join(vault, tasks) }),
    read: (ask, vault, { path }) => ask('read_text_file', { path: join(vault, path) }),
    search: (ask, vault, words) => ask('search_files', { path: vault, pattern: `**/*${words}*` }),
    searches: 'names',
    edit: (ask, vault, { path }, round) =>
      ask('edit_file', {
        path: join(vault, path),
        edits: [{ oldText: priority(round), newText: priority(round + 1) }],
      }),
  };
}

/** Notes are made to begin with `low`, and each round turns it to the other one. */
const priority = (round: number): string => `priority: ${round % 2 === 0 ? 'low' : 'high'}`;

function mcpvault(): Peer {
  const program = programOf('@bitbonsai/mcpvault');
  return {
    name: 'mcpvault',
    command: process.execPath,
    args: (vault) => [program, vault],
    list: (ask) => ask('list_directory', { path: tasks }),
    read: (ask, _, { path }) => ask('read_note', { path }),
    search: (ask, _, words) => ask('search_notes', { query: words, limit: 20 }),
    searches: 'text',
    edit: (ask, _, { path }, round) =>
      ask('update_frontmatter', { path, frontmatter: { priority: round % 2 === 0 ? 'high' : 'low' } }),
  };
}

function obsidianMcp(): Peer {
  const program = programOf('obsidian-mcp');
  const vault = 'bench';
  return {
    name: 'obsidian-mcp',
    remark: 'obsidian-mcp has no tool that lists a folder',
    command: process.execPath,
    args: (place) => [program, 'serve', '--vault', `${vault}=${place}`],
    prepare: async (place) => {
      await mkdir(join(place, '.obsidian'), { recursive: true });
    },
    read: (ask, _, { path }) => ask('obsidian_read_note', { vault, path }),
    search: (ask, _, words) => ask('obsidian_search_vault', { vault, query: words }),
    searches: 'text',
    edit: (ask, _, { path }, round) =>
      ask('obsidian_edit_note', { vault, path, operation: 'append', content: `\nround ${round}` }),
  };
}

function backlog(): Peer {
  const binary = `backlog.md-${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const manifest = resolveIn(folder)(`${binary}/package.json`);
  const program = join(dirname(manifest), process.platform === 'win32' ? 'backlog.exe' : 'backlog');
  const number = ({ id }: Sample): string => `task-${Number(id.slice(2))}`;
  return {
    name: 'Backlog.md',
    remark: 'Backlog.md has the tasks of the project only, in its own form',
    command: program,
    args: (vault) => ['mcp', 'start', '--cwd', vault],
    prepare: toBacklog,
    list: (ask) => ask('task_list', { limit: 100 }),
    read: (ask, _, note) => ask('task_view', { id: number(note) }),
    search: (ask, _, words) => ask('task_search', { query: words, limit: 20 }),
    searches: 'text',
    edit: (ask, _, note, round) =>
      ask('task_edit', { id: number(note), priority: round % 2 === 0 ? 'high' : 'low' }),
  };
}

async function toBacklog(vault: string): Promise<void> {
  const place = join(vault, 'backlog/tasks');
  await mkdir(place, { recursive: true });
  const config = [
    'project_name: "Bench"',
    'default_status: "To Do"',
    'statuses: ["To Do", "In Progress", "Done"]',
    'date_format: yyyy-mm-dd',
    'remote_operations: false',
    'auto_commit: false',
    'check_active_branches: false',
    'filesystem_only: true',
    'task_prefix: "task"',
  ];
  await writeFile(join(vault, 'backlog/config.yml'), `${config.join('\n')}\n`);
  for (const name of await readdir(join(vault, tasks))) {
    const text = await readFile(join(vault, tasks, name), 'utf8');
    const [, number = '0', title = ''] = /^T-0*(\d+) (.*)\.md$/.exec(name) ?? [];
    const body = text.slice(text.indexOf('\n---\n', 4) + 5).trim();
    const head = `id: TASK-${number}\ntitle: ${title}\nstatus: To Do\nassignee: []\ncreated_date: '2026-06-01 10:00'\nlabels: []\ndependencies: []\npriority: low`;
    await writeFile(
      join(place, `task-${number} - ${title.replaceAll(' ', '-')}.md`),
      `---\n${head}\n---\n\n## Description\n\n<!-- SECTION:DESCRIPTION:BEGIN -->\n${body}\n<!-- SECTION:DESCRIPTION:END -->\n`,
    );
  }
}
