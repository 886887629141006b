import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseShell } from 'shell-quote';
import type { Recognised, ServerDraft } from '../../contract/mcp';
import { readInstallLink } from './install-link';
import { readEntry } from './server-config';

/** Reads what a person pasted: a shell command, JSON as other programs keep it, an address, or a link that offers a server. Runs nothing. */
export function recognise(text: string): Recognised {
  const input = text.trim();
  if (input === '') return { kind: 'empty' };
  if (/^[{[]/.test(input) || /^"(?:[^"\\]|\\.)*"\s*:/.test(input)) {
    try {
      return recogniseJson(input);
    } catch {
      return unrecognised('This JSON is nested too deeply.');
    }
  }
  const link = readInstallLink(input, withInputs);
  if (link?.kind === 'server') return { kind: 'link', servers: [link.draft] };
  if (link) return unrecognised(link.hint);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(input)) return recogniseUrl(input);
  return recogniseCommand(input);
}

function recogniseUrl(input: string): Recognised {
  let url: URL;
  try {
    url = new URL(input);
  } catch {
    return unrecognised('This address is not complete.');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return unrecognised('Only http and https addresses can be servers.');
  return { kind: 'url', servers: [{ name: nameOfUrl(url), url: input }] };
}

/** A drive, a share or a relative path with backslashes: there a backslash hides nothing. */
const isWindows = (text: string) => /(?:^|[\s"'=])(?:[A-Za-z]:\\|\\\\[\w.-]|\.{1,2}\\\w|%\w+%\\)/.test(text);

function recogniseCommand(input: string): Recognised {
  const lines = input.replace(/\\\r?\n/g, ' ').replace(/^\s*\$\s+/, '');
  if (/\r?\n/.test(lines)) return unrecognised('Give one command, on one line.');
  const parsed = parseShell(lines, (name) => `\${${name}}`, isWindows(lines) ? { escape: '^' } : {});
  const words: string[] = [];
  for (const part of parsed) {
    if (typeof part === 'string') words.push(part);
    else if ('pattern' in part) words.push(part.pattern);
    else if ('op' in part)
      return unrecognised(
        `Shell operators such as “${part.op}” are not run. Give the one command that starts the server.`,
      );
    else return unrecognised('Comments are not part of a command.');
  }
  const env: Record<string, string> = {};
  let first = 0;
  for (; first < words.length; first++) {
    const assignment = /^([A-Za-z_]\w*)=(.*)$/s.exec(words[first] ?? '');
    if (!assignment?.[1]) break;
    env[assignment[1]] = assignment[2] ?? '';
  }
  const [command, ...args] = words.slice(first);
  if (command === undefined || command === '')
    return unrecognised('There is no command after the variables.');
  const server: ServerDraft = {
    name: nameOfCommand(command, args),
    command,
    ...(args.length > 0 && { args }),
    ...(first > 0 && { env }),
  };
  return { kind: 'command', servers: [server] };
}

function recogniseJson(input: string): Recognised {
  // A pasted piece of a file often lacks its outer braces.
  const text = input.startsWith('"') ? `{${input.replace(/,\s*$/, '')}}` : input;
  const errors: unknown[] = [];
  const value: unknown = parseJsonc(text, errors as never, { allowTrailingComma: true });
  if (errors.length > 0) return unrecognised('This JSON is not complete yet.');
  const found = entriesOf(value);
  if (found.length === 0)
    return unrecognised('No server was found in this JSON: it needs "mcpServers", "servers" or "command".');
  const servers: ServerDraft[] = [];
  for (const [name, raw] of found) {
    const read = readEntry(name, withInputs(withWords(withoutText(raw))));
    if (read.kind === 'wrong') return unrecognised(`${name}: ${read.message}`);
    servers.push(read.draft);
  }
  return { kind: 'json', servers: uniqueNames(servers) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const looksLikeServer = (value: Record<string, unknown>) =>
  ['command', 'url', 'serverUrl', 'httpUrl'].some((key) => key in value);

function entriesOf(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.filter(isObject).flatMap(entriesOf);
  if (!isObject(value)) return [];
  if (looksLikeServer(value)) return [[nameOfEntry(value), value]];
  const nested = [value.mcpServers, value.servers, value.context_servers];
  if (isObject(value.mcp)) {
    const { servers, mcpServers } = value.mcp;
    const isMap = Object.values(value.mcp).every((item) => isObject(item) && looksLikeServer(item));
    nested.push(servers, mcpServers, isMap ? value.mcp : undefined);
  }
  for (const map of nested) {
    if (Array.isArray(map)) return map.filter(isObject).map((raw) => [nameOfEntry(raw), raw]);
    if (isObject(map)) return Object.entries(map);
  }
  const entries = Object.entries(value);
  return entries.every(([, item]) => isObject(item) && looksLikeServer(item)) ? entries : [];
}

/** TARS's fork keeps what was pasted, as it was pasted. */
function withoutText(raw: unknown): unknown {
  if (!isObject(raw) || typeof raw.configInput !== 'string') return raw;
  const { configInput, name, enabled } = raw;
  const read = recognise(configInput);
  const server = 'servers' in read ? read.servers[0] : undefined;
  if (!server) return raw;
  return { ...server, ...(typeof name === 'string' && { name }), ...(enabled === false && { enabled }) };
}

/** Some write the whole line as the command. A path may hold blanks, and stays one word. */
function withWords(raw: unknown): unknown {
  if (!isObject(raw) || typeof raw.command !== 'string' || raw.args !== undefined) return raw;
  const line = raw.command.trim();
  const isPath = /^(?:[A-Za-z]:[\\/]|[\\/~.]|\$\{)/.test(line);
  if (isPath || !/\s/.test(line)) return raw;
  const read = recogniseCommand(line);
  const server = 'servers' in read ? read.servers[0] : undefined;
  if (!server) return raw;
  const { command, args, env } = server;
  const own = isObject(raw.env) ? raw.env : {};
  return { ...raw, command, ...(args && { args }), ...(env && { env: { ...env, ...own } }) };
}

/** VS Code asks for `${input:x}` when starting; here it is a secret of that name. */
function withInputs(raw: unknown): unknown {
  if (typeof raw === 'string')
    return raw
      .replace(/\$\{input:([\w.-]+)\}/g, (_all, name: string) => `\${secret:${name}}`)
      .replaceAll(`\${workspaceFolder}`, `\${vault}`);
  if (Array.isArray(raw)) return raw.map(withInputs);
  if (isObject(raw))
    return Object.fromEntries(Object.entries(raw).map(([key, item]) => [key, withInputs(item)]));
  return raw;
}

function nameOfEntry(raw: Record<string, unknown>): string {
  if (typeof raw.name === 'string' && raw.name.trim() !== '') return raw.name.trim().slice(0, 128);
  const url = raw.url ?? raw.serverUrl ?? raw.httpUrl;
  if (typeof url === 'string' && URL.canParse(url)) return nameOfUrl(new URL(url));
  const args = Array.isArray(raw.args) ? raw.args.filter((item) => typeof item === 'string') : [];
  return typeof raw.command === 'string' ? nameOfCommand(raw.command, args) : 'server';
}

function nameOfUrl(url: URL): string {
  const host = url.hostname.replace(/^(www|mcp|api)\./, '');
  const label = host.split('.')[0] ?? host;
  return /^[\d.[\]:]+$/.test(host) || label === '' ? host || 'server' : label;
}

const runners = new Set([
  'npx',
  'bunx',
  'uvx',
  'pnpx',
  'pipx',
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'deno',
  'uv',
  'node',
  'python',
  'python3',
  'docker',
  'podman',
]);
const runnerWords = new Set(['exec', 'dlx', 'run', 'tool', 'x', 'start', '-m']);

/** `npx -y @scope/server-memory@1.2` is called `memory`. */
function nameOfCommand(command: string, args: readonly string[]): string {
  const program = lastSegment(command).replace(/\.(exe|cmd|bat)$/i, '');
  const candidate = runners.has(program)
    ? (args.find((arg) => !arg.startsWith('-') && !runnerWords.has(arg)) ?? program)
    : program;
  const name = tellingSegment(candidate)
    .replace(/(?<=.)@[^@]*$/, '')
    .replace(/^(mcp-server-|server-|mcp-)(?=.)/i, '')
    .replace(/(?<=.)(-mcp-server|-mcp|-server)$/i, '');
  return name.slice(0, 128) || 'server';
}

const sayNothing = /^(index|main|server|cli|app|start|run|dist|build|out|lib|src|bin)$/i;

/** `/apps/garden/dist/index.js` is told by `garden`. */
function tellingSegment(path: string): string {
  const segments = path.split(/[\\/]/).filter(Boolean);
  const file = segments.pop()?.replace(/\.(mjs|cjs|js|ts|py)$/i, '') ?? path;
  return (
    [...segments, file].findLast((segment) => /^\w[\w@.-]*$|^@/.test(segment) && !sayNothing.test(segment)) ??
    file
  );
}

const lastSegment = (path: string) => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;

function uniqueNames(servers: readonly ServerDraft[]): ServerDraft[] {
  const taken = new Set<string>();
  return servers.map((server) => {
    const name = freeName(server.name, taken);
    taken.add(name);
    return { ...server, name };
  });
}

/** The name itself, or with the first number that is free. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

const unrecognised = (hint: string): Recognised => ({ kind: 'unrecognised', hint });
