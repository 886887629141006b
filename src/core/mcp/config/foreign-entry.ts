import { sep } from 'node:path';
import { own } from '../../foundation';
import { type ReadEntry, readEntry } from './server-config';

/** A part of what another program says of a server that has no place here, and why. */
export interface LeftOut {
  readonly what: string;
  readonly reason: string;
}

/** What is known of the file besides its text. */
export interface Around {
  /** Its times are seconds; null: it has to be told from the entry. */
  readonly seconds: boolean | null;
  /** `$NAME` is a variable, as Gemini CLI has it. */
  readonly dollars: boolean;
  /** What VS Code's `${input:x}` stands for when nobody says otherwise. */
  readonly defaults: ReadonlyMap<string, string>;
  /** The folder that Claude Code keeps the server for. */
  readonly project: string | null;
}

export const nothingAround: Around = { seconds: null, dollars: false, defaults: new Map(), project: null };

export type ForeignEntry = ReadEntry & { readonly leftOut: readonly LeftOut[] };

type Raw = Record<string, unknown>;

export const isObject = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An entry of another program's file in our words. What cannot be said here is named, never dropped without a word. */
export function readForeignEntry(name: string, input: unknown, around: Around): ForeignEntry {
  if (!isObject(input)) return { ...readEntry(name, input), leftOut: [] };
  const leftOut: LeftOut[] = [];
  const wrong = (message: string): ForeignEntry => ({ kind: 'wrong', message, leftOut });
  if (typeof input.type === 'string' && isBuiltIn(input))
    return wrong('It is a part of the other app itself.');
  if (
    input.source === 'extension' ||
    (isObject(input.settings) && !('command' in input) && !('url' in input))
  )
    return wrong('It comes from an extension of the other app, which says how to start it.');
  const raw = withTimes(inOurWords(input, around), around.seconds ?? isSeconds(input), leftOut);
  for (const [key, value] of Object.entries(raw)) {
    if (ownKeys.has(key)) continue;
    delete raw[key];
    if (!decoration.has(key) && !saysNothing(value)) leftOut.push({ what: key, reason: reasonOf(key) });
  }
  const filled = withVariables(raw, around, leftOut);
  return { ...readEntry(name, filled), leftOut };
}

/** What `readEntry` reads. */
const ownKeys = new Set([
  ...[
    'id',
    'command',
    'args',
    'env',
    'environment',
    'cwd',
    'url',
    'serverUrl',
    'httpUrl',
    'headers',
    'transport',
  ],
  ...['type', 'enabled', 'disabled', 'autostart', 'timeout', 'initTimeout', 'longRunning', 'concurrency'],
  ...[
    'monitoring',
    'checkInterval',
    'restarts',
    'toolTimeouts',
    'disabledTools',
    'approval',
    'roots',
    'logLevel',
  ],
  ...['oauth', 'sandbox'],
]);

/** Names, pictures and book-keeping: nothing that steers the server. */
const decoration = new Set([
  ...['name', 'description', 'display_name', 'displayName', 'title', 'icon', 'version', 'gallery', 'bundled'],
  ...['source', 'isActive', 'tags', 'provider', 'providerUrl', 'logoUrl', '$schema', 'schema', 'configInput'],
]);

const reasons: Readonly<Record<string, string>> = {
  envFile: 'Files with variables are not read. Write its variables into “Environment”.',
  headersHelper: 'No program is run to make headers. Write them into “Headers”.',
  dev: 'Servers are not watched and debugged here.',
};
const permission = 'What runs without asking, you say here.';
const choice = 'Only tools to be left out can be named; do so in the list of its tools.';
const permissions = /^(flow|autoApprove|alwaysAllow|trust|always_?allow|autoApprove\w+|\w*approval_mode)$/i;
const choices = /^(includeTools|enabled_tools|enabledTools|available_tools|allowedTools|tools)$/;

function reasonOf(key: string): string {
  if (permissions.test(key)) return permission;
  if (choices.test(key)) return choice;
  return own(reasons, key) ?? 'There is nothing like it here.';
}

const saysNothing = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === false ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Goose's own, which are no MCP servers. */
const isBuiltIn = ({ type, command, cmd, url, uri }: Raw) =>
  /^(builtin|platform|frontend|inline_python)$/.test(String(type)) &&
  [command, cmd, url, uri].every((place) => place === undefined);

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

/** The names that Codex, Goose, Gemini CLI and Zed have for what we have, too. */
function inOurWords(entry: Raw, { project }: Around): Raw {
  const { cmd, uri, envs, env_keys, env_vars, excludeTools, disabled_tools, ...raw } = entry;
  const { http_headers, env_http_headers, bearer_token_env_var, sandbox, sandboxEnabled, ...rest } = raw;
  const out: Raw = rest;
  const limits = limitsIn(sandbox, sandboxEnabled);
  if (limits !== undefined) out.sandbox = limits;
  if (cmd !== undefined) out.command ??= cmd;
  if (uri !== undefined) out.url ??= uri;
  // Zed's older form.
  if (isObject(out.command)) {
    const { path, args, env, ...other } = out.command;
    Object.assign(
      out,
      { command: path, ...(args !== undefined && { args }), ...(env != null && { env }) },
      other,
    );
  }
  const env: Raw = {};
  for (const key of textsOf(env_vars)) env[key] = `\${${key}}`;
  for (const item of Array.isArray(env_vars) ? env_vars : [])
    if (isObject(item) && typeof item.name === 'string') env[item.name] = `\${${item.name}}`;
  // Goose keeps them in its own key store.
  for (const key of textsOf(env_keys)) env[key] = `\${secret:${key}}`;
  if (isObject(envs)) Object.assign(env, envs);
  const own = out.env ?? out.environment;
  if (Object.keys(env).length > 0) out.env = { ...env, ...(isObject(own) && own) };
  const headers: Raw = isObject(http_headers) ? { ...http_headers } : {};
  if (isObject(env_http_headers))
    for (const [key, value] of Object.entries(env_http_headers)) headers[key] = `\${${String(value)}}`;
  if (typeof bearer_token_env_var === 'string') headers.Authorization = `Bearer \${${bearer_token_env_var}}`;
  if (Object.keys(headers).length > 0)
    out.headers = { ...headers, ...(isObject(out.headers) && out.headers) };
  const disabled = [excludeTools, disabled_tools].find(Array.isArray);
  if (disabled) out.disabledTools ??= disabled;
  // Claude Code starts it in the project's folder.
  const words = [out.command, ...textsOf(out.args)];
  const isRelative = words.some((word) => typeof word === 'string' && /^\.{1,2}(?:[\\/]|$)/.test(word));
  if (project !== null && isRelative) out.cwd ??= project;
  return out;
}

/** Ours, or VS Code's, which names what may be written and reached; what it closes to reading is closed here anyway. */
function limitsIn(sandbox: unknown, isEnabled: unknown): unknown {
  if (!isObject(sandbox)) return isEnabled === true ? {} : sandbox;
  const { filesystem, network } = sandbox;
  if (!isObject(filesystem) && !isObject(network)) return sandbox;
  if (isEnabled === false) return undefined;
  const write = isObject(filesystem) ? textsOf(filesystem.allowWrite) : [];
  const hosts = isObject(network) ? textsOf(network.allowedDomains) : [];
  return { write: write.map((path) => (path === '.' ? `\${vault}` : path)), hosts };
}

/** Times in milliseconds. A number that could be either is not guessed. */
function withTimes(raw: Raw, seconds: boolean, leftOut: LeftOut[]): Raw {
  const { startup_timeout_sec, startup_timeout_ms, tool_timeout_sec, ...out } = raw;
  const ms = (value: unknown) => (typeof value === 'number' ? Math.round(value * 1_000) : undefined);
  const start = ms(startup_timeout_sec) ?? startup_timeout_ms;
  if (start !== undefined) out.initTimeout ??= start;
  if (tool_timeout_sec !== undefined) out.timeout ??= ms(tool_timeout_sec);
  const { timeout } = raw;
  if (typeof timeout !== 'number') return out;
  // opencode's is for the first list of tools, not for a call.
  if ((raw.type === 'local' || raw.type === 'remote') && raw.initTimeout === undefined) {
    delete out.timeout;
    out.initTimeout = timeout;
  } else if (seconds) out.timeout = ms(timeout);
  else if (timeout < 1_000) {
    delete out.timeout;
    const reason = 'It is not said whether these are seconds or milliseconds. Set it on the server’s page.';
    leftOut.push({ what: `timeout: ${timeout}`, reason });
  }
  return out;
}

/** Cline, Roo and Goose count in seconds, and are told by keys that nobody else has. */
const isSeconds = (raw: Raw) =>
  Number(raw.timeout) <= 3_600 && ['autoApprove', 'alwaysAllow', 'cmd', 'uri'].some((key) => key in raw);

const ofVsCode = new Set([
  ...['workspaceFolderBasename', 'file', 'fileBasename', 'fileDirname', 'relativeFile', 'lineNumber', 'cwd'],
  ...['selectedText', 'execPath', 'defaultBuildTask', 'extensionPath'],
]);

/** What other programs fill in: into our words where we have some; what nobody would fill in here is named. */
function withVariables(raw: unknown, around: Around, leftOut: LeftOut[]): unknown {
  const names = new Set(leftOut.map(({ what }) => what));
  const unknown = (whole: string) => {
    if (!names.has(whole))
      leftOut.push({
        what: whole,
        reason: 'It is not filled in here and stands as it is. Write what it means.',
      });
    names.add(whole);
    return whole;
  };
  const one = (whole: string, inside: string): string => {
    const [kind = '', name = ''] = inside.split(/:(.*)/s);
    if (inside === 'workspaceFolder' || inside === 'workspaceRoot') return `\${vault}`;
    if (inside === 'CLAUDE_PROJECT_DIR') return around.project ?? `\${vault}`;
    if (inside === 'pathSeparator' || inside === '/') return sep;
    if (kind === 'input' && /^[\w.-]+$/.test(name)) {
      const usual = around.defaults.get(name) ?? '';
      return usual === '' || usual.includes('}') ? `\${secret:${name}}` : `\${secret:${name}:-${usual}}`;
    }
    if (kind === 'env' || kind === 'secret' || /^[A-Za-z_]\w*:-/.test(inside)) return whole;
    return /^[A-Za-z_]\w*$/.test(inside) && !ofVsCode.has(inside) ? whole : unknown(whole);
  };
  const text = (value: string): string => {
    const filled = value
      .replace(/\$\{([^{}]*)\}/g, one)
      .replace(/(?<!\$)\{(file|input|cmd):[^{}]*\}/g, unknown);
    return around.dollars ? filled.replace(/\$([A-Za-z_]\w*)/g, `\${$1}`) : filled;
  };
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(walk);
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item)]));
    return value;
  };
  return walk(raw);
}
