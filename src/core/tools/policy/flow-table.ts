import type { ToolFlow } from '../../../contract/flow';
import { own } from '../../foundation';
import type { Program } from '../../mcp';

/**
 * What well-known tools read and whether they send, as their programs are published. A row belongs to a program and not to a name;
 * what is not in it is unknown, which means both.
 *
 * - Notes and files are private, and untrusted as well: a clipping, a download, a note that came by a sync or that a model wrote down
 *   from a page is there beside what the person wrote.
 * - A question to a search service leaves the machine, and so does an address that is fetched.
 * - What names only a thing to be read (a repository, a number) is seen by the service that has it and by nobody else.
 */
export function tableFlow(program: Program, tool: string): ToolFlow | null {
  const flow = own(rowOf(program)?.tools, tool);
  return (typeof flow === 'function' ? flow(program) : flow) ?? null;
}

/** The arguments that say what a tool reads, where the others say only what is written or how much of it is wanted; null: any may. */
export const selectingArguments = (program: Program, tool: string): readonly string[] | null =>
  own(rowOf(program)?.selecting, tool)?.split(' ') ?? null;

/** What it answers is what it was asked to write, and no more of the place than a few lines around it. */
export const answersGiven = (program: Program, tool: string): boolean =>
  rowOf(program)?.answersGiven?.split(' ').includes(tool) ?? false;

function rowOf(program: Program): Row | undefined {
  const row = rows.get(program.id);
  return row && program.variables.every((name) => row.variables.includes(name)) ? row : undefined;
}

interface Row {
  /** Those that do not change what the program is. */
  readonly variables: readonly string[];
  readonly tools: Readonly<Record<string, ToolFlow | ((program: Program) => ToolFlow)>>;
  /** Of tools that take more than what says what they read. */
  readonly selecting?: Readonly<Record<string, string>>;
  /** Of tools that write. */
  readonly answersGiven?: string;
}

const nothing: ToolFlow = { reads: [], sends: false };
const ofPerson: ToolFlow = { reads: ['private'], sends: false };
const mixed: ToolFlow = { reads: ['private', 'untrusted'], sends: false };
const web: ToolFlow = { reads: ['untrusted'], sends: true };
const mixedAndSends: ToolFlow = { reads: ['private', 'untrusted'], sends: true };

const all = <T>(names: string, value: T): Record<string, T> =>
  Object.fromEntries(names.split(' ').map((name) => [name, value]));

/** What is written outside the vault may lie in a folder that others see. */
const writesFiles = ({ args }: Program): ToolFlow => {
  const isWithin = (folder: string) =>
    /^\$\{vault\}(?:[\\/]|$)/.test(folder) && !/[\\/]\.\.(?:[\\/]|$)/.test(folder);
  return args.length > 0 && args.every(isWithin) ? mixed : mixedAndSends;
};

const vault = [
  ...['analyze_project_state', 'batch_update', 'check_project', 'create_entity', 'get_entity'],
  ...['get_project_overview', 'list_files', 'manage_documents', 'read_docs', 'search_entities'],
  // Their names may come from anywhere.
  'list_workspaces',
  ...['update_doc', 'update_entity'],
].join(' ');

const rows: ReadonlyMap<string, Row> = new Map(
  Object.entries<Row>({
    bundled: {
      variables: [],
      tools: all(vault, mixed),
      selecting: {
        ...{ read_docs: 'workspace paths', update_doc: 'workspace path' },
        ...{ get_entity: 'workspace id ids', update_entity: 'workspace id' },
      },
      answersGiven: 'update_doc update_entity create_entity',
    },
    'npm:@modelcontextprotocol/server-filesystem': {
      variables: [],
      tools: {
        ...all('read_file read_text_file read_media_file read_multiple_files search_files', mixed),
        ...all('list_directory list_directory_with_sizes directory_tree get_file_info', mixed),
        ...all('write_file edit_file create_directory move_file', writesFiles),
        list_allowed_directories: ofPerson,
      },
      selecting: all('read_file read_text_file read_media_file write_file edit_file', 'path'),
      answersGiven: 'write_file edit_file',
    },
    'npm:@modelcontextprotocol/server-memory': {
      variables: ['MEMORY_FILE_PATH'],
      tools: {
        ...all('create_entities create_relations add_observations', mixed),
        ...all('delete_entities delete_observations delete_relations', mixed),
        ...all('read_graph search_nodes open_nodes', mixed),
      },
      // They answer what they were given.
      selecting: {
        ...all('create_entities create_relations add_observations', ''),
        ...all('delete_entities delete_observations delete_relations', ''),
      },
      answersGiven:
        'create_entities create_relations add_observations delete_entities delete_observations delete_relations',
    },
    'npm:@modelcontextprotocol/server-sequential-thinking': {
      variables: ['DISABLE_THOUGHT_LOGGING'],
      tools: { sequentialthinking: nothing },
    },
    'npm:@modelcontextprotocol/server-everything': {
      variables: [],
      tools: {
        ...all('echo add get-sum get-tiny-image getTinyImage', nothing),
        ...all('printEnv get-env', ofPerson),
      },
    },
    'pypi:mcp-server-time': {
      variables: [],
      tools: { ...all('get_current_time convert_time', nothing) },
    },
    'pypi:mcp-server-git': {
      variables: [],
      tools: {
        ...all('git_status git_diff git_diff_unstaged git_diff_staged git_log git_show git_branch', mixed),
        // Of the repository on this machine; it pushes nothing.
        ...all('git_add git_reset git_commit git_create_branch git_checkout git_init', mixed),
      },
      selecting: all('git_status git_add git_reset git_commit git_create_branch', 'repo_path'),
    },
    'pypi:mcp-server-fetch': { variables: [], tools: { fetch: web } },
    'npm:@modelcontextprotocol/server-github': {
      variables: ['GITHUB_PERSONAL_ACCESS_TOKEN'],
      tools: {
        ...all('get_file_contents get_issue get_pull_request get_pull_request_files', mixed),
        ...all('get_pull_request_status get_pull_request_comments get_pull_request_reviews', mixed),
        ...all('list_commits list_issues list_pull_requests', mixed),
      },
    },
    'npm:@modelcontextprotocol/server-brave-search': {
      variables: ['BRAVE_API_KEY'],
      tools: all('brave_web_search brave_local_search', web),
    },
    'npm:@brave/brave-search-mcp-server': {
      variables: ['BRAVE_API_KEY'],
      tools: all(
        'brave_web_search brave_local_search brave_news_search brave_video_search brave_image_search',
        web,
      ),
    },
    'npm:exa-mcp-server': {
      variables: ['EXA_API_KEY'],
      tools: all('web_search_exa company_research_exa crawling_exa get_code_context_exa', web),
    },
  }),
);
