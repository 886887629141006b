import { parse as parseShell } from 'shell-quote';
import type { ServerDraft } from '../../../contract/mcp';
import { type LeftOut, nothingAround, readForeignEntry } from './foreign-entry';
import { nameOfCommand } from './server-names';

export interface Taken {
  readonly draft: ServerDraft;
  readonly leftOut: readonly LeftOut[];
}

export type CommandRead =
  | { readonly kind: 'servers'; readonly servers: readonly Taken[] }
  | { readonly kind: 'wrong'; readonly hint: string };

const wrong = (hint: string): CommandRead => ({ kind: 'wrong', hint });

/** A command line: the one that starts a server, or one that makes another program add it. */
export function readCommand(input: string): CommandRead {
  const lines = withQuotedProgram(
    withPlainQuotes(input)
      .replace(/\\\r?\n/g, ' ')
      .replace(/^\s*\$\s+/, ''),
  );
  if (/\r?\n/.test(lines)) return wrong('Give one command, on one line.');
  if (isAddress(lines)) return wrong('An address begins with https:// or http://.');
  if (isSentence(lines)) return wrong('This reads like a sentence. Give a command, an address or JSON.');
  const windows = wordsOf(lines, isWindows(lines));
  if (typeof windows === 'string') return wrong(windows);
  const [first = '', ...more] = windows;
  if (more.length === 0 && first !== lines && isLine(first)) return readCommand(first);
  // Inside quotes a backslash before a quote hides it on Windows, too; and only there JSON stands.
  const posix = isWindows(lines) ? wordsOf(lines, false) : windows;
  return (
    (typeof posix === 'string' ? null : (readAddMcp(posix) ?? readAddJson(posix))) ??
    readMcpAdd(windows) ??
    readProgram(windows)
  );
}

/** A whole line in one word. A path may hold blanks, and stays one. */
export const isLine = (word: string) =>
  /\s/.test(word.trim()) && !/^(?:[A-Za-z]:[\\/]|[\\/~.]|\$\{)/.test(word.trim());

/** A drive, a share or a relative path with backslashes: there a backslash hides nothing. */
const isWindows = (text: string) => /(?:^|[\s"'=])(?:[A-Za-z]:\\|\\\\[\w.-]|\.{1,2}\\\w|%\w+%\\)/.test(text);

/** As a page that was set by a printer has them. */
const withPlainQuotes = (line: string) =>
  line.replace(/(?<![^\s=])“([^“”]*)”(?!\S)/g, '"$1"').replace(/(?<![^\s=])‘([^‘’]*)’(?!\S)/g, "'$1'");

/** A host with a port or a path: no program is called so. */
const isAddress = (line: string) =>
  /^(?:(?:localhost|\d+(?:\.\d+){3}|[\w-]+(?:\.[\w-]+)+):\d+(?:\/\S*)?|(?:localhost|[\w-]+(?:\.[\w-]+)+)\/\S*)$/.test(
    line.trim(),
  );

/** Windows' own programs lie below folders with blanks, and are copied from there without quotes. */
const withQuotedProgram = (line: string) =>
  line.replace(/^[A-Za-z]:\\(?:(?! [A-Za-z]:| [-/])[^"'])*?\.(?:exe|cmd|bat|com)(?=\s|$)/i, (program) =>
    /\s/.test(program) ? `"${program}"` : program,
  );

const runners =
  /^(?:npx|npm|pnpm|yarn|bunx?|node|deno|uvx?|pipx|python3?|py|docker|podman|wsl|cmd|dotnet|java|ruby|go|cargo)$/i;

/** Words alone: a command mostly has an option, a path, a number or a version. */
function isSentence(line: string): boolean {
  const words = line.trim().split(/\s+/);
  const plain = words.every((word) => /^\p{L}[\p{L}’']*[,.;:!?…]?$/u.test(word));
  return words.length >= 4 && plain && !runners.test(words[0] ?? '');
}

/** Its words, or why it has none. */
function wordsOf(line: string, windows: boolean): string[] | string {
  const words: string[] = [];
  const parts = shellParts(line, windows);
  if (parts === null) return 'A variable in this command is not complete.';
  for (const part of parts) {
    if (typeof part === 'string') words.push(part);
    else if ('pattern' in part) words.push(part.pattern);
    else if ('op' in part)
      return `Shell operators such as “${part.op}” are not run. Give the one command that starts the server.`;
    else return 'Comments are not part of a command.';
  }
  return words;
}

/** Null where a brace after `$` is not closed. */
function shellParts(line: string, windows: boolean): ReturnType<typeof parseShell> | null {
  try {
    return parseShell(line, (name) => `\${${name}}`, windows ? { escape: '^' } : {});
  } catch {
    return null;
  }
}

function readProgram(words: readonly string[]): CommandRead {
  const env: Record<string, string> = {};
  const start = words[0] === 'env' && /^[A-Za-z_]\w*=/.test(words[1] ?? '') ? 1 : 0;
  let first = start;
  for (; first < words.length; first++) {
    const assignment = /^([A-Za-z_]\w*)=(.*)$/s.exec(words[first] ?? '');
    if (!assignment?.[1]) break;
    env[assignment[1]] = assignment[2] ?? '';
  }
  const [command, ...args] = words.slice(first);
  if (command === undefined || command === '') return wrong('There is no command after the variables.');
  const draft: ServerDraft = {
    name: nameOfCommand(command, args),
    command,
    ...(args.length > 0 && { args }),
    ...(first > start && { env }),
  };
  return { kind: 'servers', servers: [{ draft, leftOut: [] }] };
}

const programOf = (word = '') => (word.split(/[\\/]/).pop() ?? '').replace(/\.(exe|cmd|bat)$/i, '');

/** `code --add-mcp '{"name": …}'`. */
function readAddMcp(words: readonly string[]): CommandRead | null {
  if (!/^(code|code-insiders|codium|cursor|windsurf)$/.test(programOf(words[0]))) return null;
  const servers: Taken[] = [];
  for (const [at, word] of words.entries()) {
    const [, json = words[at + 1] ?? ''] = /^--add-mcp(?:=(.*))?$/s.exec(word) ?? [null, null];
    if (json === null) continue;
    const value = readJson(null, json);
    if (value.kind === 'wrong') return value;
    servers.push(...value.servers);
  }
  return servers.length > 0 ? { kind: 'servers', servers } : null;
}

function readJson(name: string | null, json: string): CommandRead {
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch {
    return wrong('The JSON in this command is not complete.');
  }
  const own = (raw as { name?: unknown } | null)?.name;
  const serverName = name ?? (typeof own === 'string' ? own.trim() : '');
  const entry = readForeignEntry(serverName === '' ? 'server' : serverName, raw, nothingAround);
  if (entry.kind === 'wrong') return wrong(`${serverName}: ${entry.message}`);
  return { kind: 'servers', servers: [{ draft: entry.draft, leftOut: entry.leftOut }] };
}

const long: Readonly<Record<string, string>> = {
  ...{ '-s': '--scope', '-t': '--transport', '-e': '--env', '-H': '--header' },
};
/** Where the other program would keep it: the form has its own question for that. */
const silent = new Set(['--scope', '--description']);
const withoutValue = new Set(['--trust', '--client-secret']);

const isAgent = (word = '') => /^(claude|codex|gemini)$/.test(programOf(word));

/** `claude mcp add-json name '{…}'`. */
function readAddJson([program, mcp, verb, ...more]: readonly string[]): CommandRead | null {
  if (!isAgent(program) || mcp !== 'mcp' || verb !== 'add-json') return null;
  const [name = '', json = ''] = plainWords(more);
  return name === '' ? wrong('The name of the server is missing.') : readJson(name, json);
}

/** `claude mcp add …`, and the same of Codex and Gemini CLI. */
function readMcpAdd(words: readonly string[]): CommandRead | null {
  const [program, mcp, verb] = words;
  if (!isAgent(program) || mcp !== 'mcp') return null;
  if (verb !== 'add') return null;
  const options = readOptions(words.slice(3));
  const [name = '', target = '', ...args] = options.rest;
  const url = options.one.get('--url') ?? (/^https?:\/\//i.test(target) ? target : undefined);
  if (name === '' || (target === '' && url === undefined))
    return wrong('The name of the server, or what starts it, is missing.');
  const env = Object.fromEntries(options.env.map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
  const headers = Object.fromEntries(options.headers.map((pair) => pair.split(/:\s*(.*)/s).slice(0, 2)));
  const transport = options.one.get('--transport');
  const timeout = Number(options.one.get('--timeout') ?? Number.NaN);
  const bearer = options.one.get('--bearer-token-env-var');
  const excluded = options.one.get('--exclude-tools');
  const entry = readForeignEntry(
    name,
    {
      ...(url === undefined ? { command: target, ...(args.length > 0 && { args }) } : { url }),
      ...(Object.keys(env).length > 0 && { env }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(url !== undefined && transport !== undefined && { type: transport }),
      ...(timeout > 0 && { timeout }),
      ...(bearer !== undefined && { bearer_token_env_var: bearer }),
      ...(excluded !== undefined && { excludeTools: excluded.split(',') }),
    },
    nothingAround,
  );
  if (entry.kind === 'wrong') return wrong(`${name}: ${entry.message}`);
  const lost = url === undefined ? [] : [...(options.env.length > 0 ? ['--env'] : []), ...args];
  const leftOut = [
    ...entry.leftOut,
    ...[...options.unknown, ...lost].map((what) => ({ what, reason: noSuch })),
  ];
  return { kind: 'servers', servers: [{ draft: entry.draft, leftOut }] };
}

const noSuch = 'There is nothing like it here.';
const flagsWithValue = new Set([
  '--transport',
  '--url',
  '--timeout',
  '--bearer-token-env-var',
  '--exclude-tools',
]);

/** `--env` and `--header` may be followed by several pairs; behind `--` stands only the program. */
function readOptions(words: readonly string[]) {
  const result = {
    ...{ rest: [] as string[], env: [] as string[], headers: [] as string[], unknown: [] as string[] },
    one: new Map<string, string>(),
  };
  const isPair = { '--env': /^[A-Za-z_]\w*=/, '--header': /^[\w-]+:(?!\/\/)/ };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    // From the program on, everything is its own.
    if (word === '--') return { ...result, rest: [...result.rest, ...words.slice(at + 1)] };
    if (!word.startsWith('-') || (result.rest.length > 1 && !isUrl(result.rest[1]))) {
      result.rest.push(word);
      continue;
    }
    const [, flag = '', inlineValue] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [
      null,
      long[word] ?? word,
      undefined,
    ];
    if (flag === '--env' || flag === '--header') {
      const pairs = flag === '--env' ? result.env : result.headers;
      if (inlineValue !== undefined) pairs.push(inlineValue);
      while (inlineValue === undefined && isPair[flag].test(words[at + 1] ?? ''))
        pairs.push(words[++at] ?? '');
      continue;
    }
    const value = inlineValue ?? (withoutValue.has(flag) ? '' : (words[++at] ?? ''));
    if (flagsWithValue.has(flag)) result.one.set(flag, value);
    else if (!silent.has(flag)) result.unknown.push(flag);
  }
  return result;
}

const isUrl = (word = '') => /^https?:\/\//i.test(word);
const plainWords = (words: readonly string[]) =>
  words.filter((word, at) => !word.startsWith('-') && !/^(?:-s|--scope)$/.test(words[at - 1] ?? ''));
