import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import type { NotTaken, Recognised, ServerDraft } from '../../../contract/mcp';
import { argumentsMost, boundedValue, YamlBeyond } from '../../../markdown';
import {
  type Around,
  type ForeignEntry,
  isObject,
  type LeftOut,
  nothingAround,
  readForeignEntry,
} from './foreign-entry';
import { isLine, readCommand, type Taken } from './import-command';
import { readInstallLink } from './install-link';
import { freeName, nameOfEntry, nameOfUrl } from './server-names';

/** Reads what a person pasted: a shell command, a file as other programs keep it, an address, or a link that offers a server. Runs nothing. */
export function recognise(text: string): Recognised {
  const input = withoutFence(text.trim());
  if (input === '') return { kind: 'empty' };
  const format = formatOf(input);
  if (format) return recogniseFile(input, format);
  const link = readInstallLink(input);
  if (link?.kind === 'server') return { kind: 'link', ...withOwnNames([link]) };
  if (link) return unrecognised(link.hint);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(input)) return recogniseUrl(input);
  const command = readCommand(input);
  return command.kind === 'wrong'
    ? unrecognised(command.hint)
    : { kind: 'command', ...withOwnNames(command.servers) };
}

/** As it is copied from a page or a chat. */
const withoutFence = (text: string) =>
  (/^(`{3,100}(?!`)|~{3,100}(?!~))[^\n`]*\n(.*?)\n?\1$/s.exec(text)?.[2] ?? text).trim();

export type Format = 'json' | 'toml' | 'yaml';
const formatNames: Readonly<Record<Format, string>> = { json: 'JSON', toml: 'TOML', yaml: 'YAML' };

function formatOf(input: string): Format | null {
  const tomlTable = /^[ \t]*\[{1,2}[\w."' -]+\]{1,2}[ \t]*(?:#.*)?$/m;
  if (/^[{[]/.test(input) || /^"(?:[^"\\]|\\.)*"\s*:/.test(input))
    return input.startsWith('[') && input.includes('\n') && tomlTable.test(input.split('\n')[0] ?? '')
      ? 'toml'
      : 'json';
  if (/^\/[/*]/.test(input) && input.includes('{')) return 'json';
  if (!input.includes('\n')) return null;
  if (tomlTable.test(input)) return 'toml';
  return /^(?:- )?[\w"'-]+:(?:[ \t].*)?$/m.test(input) ? 'yaml' : null;
}

function recogniseFile(input: string, format: Format): Recognised {
  const result = readConfigText(input, format, nothingAround);
  if (result.kind === 'wrong') return unrecognised(result.hint);
  if (result.servers.length > 0) {
    const { servers, skipped } = withOwnNames(result.servers);
    return { kind: format, servers, skipped: [...skipped, ...result.skipped, ...result.ofAll] };
  }
  const [first] = result.skipped;
  return unrecognised(
    first
      ? `${first.server}: ${first.reason}`
      : `No server was found in this ${formatNames[format]}: it needs "mcpServers", "servers" or "command".`,
  );
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
  return { kind: 'url', servers: [{ name: nameOfUrl(url), url: input }], skipped: [] };
}

export type ConfigRead =
  | {
      readonly kind: 'read';
      readonly servers: readonly (Taken & { readonly project: string | null })[];
      /** Whole entries that make no sense here; each costs itself only. */
      readonly skipped: readonly NotTaken[];
      /** What the file says of all its servers at once, and is said of none here. */
      readonly ofAll: readonly NotTaken[];
    }
  | { readonly kind: 'wrong'; readonly hint: string };

/** The servers in another program's file. */
export function readConfigText(text: string, format: Format, around: Around): ConfigRead {
  const value = parsed(text, format);
  if (value === broken) {
    const single = format === 'json' && /(?<!\\)(?:\\\\)*\\(?!["\\/bfnrtu])/.test(text);
    return {
      kind: 'wrong',
      hint: single
        ? 'In JSON a backslash is written twice: C:\\\\Users.'
        : `This ${formatNames[format]} is not complete yet.`,
    };
  }
  if (value instanceof YamlBeyond)
    return { kind: 'wrong', hint: `This YAML can’t be read. ${value.message}` };
  try {
    const defaults = new Map([...around.defaults, ...defaultsIn(value)]);
    const servers: (Taken & { project: string | null })[] = [];
    const skipped: NotTaken[] = [];
    for (const { name, raw, project } of entriesOf(value)) {
      const entry = readWritten(name, raw, { ...around, defaults, project });
      if (entry.kind === 'ok') servers.push({ draft: entry.draft, leftOut: entry.leftOut, project });
      else skipped.push({ server: name, what: null, reason: entry.message });
    }
    return { kind: 'read', servers, skipped, ofAll: limitsIn(value) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { kind: 'wrong', hint: `This ${formatNames[format]} is nested too deeply.` };
  }
}

const broken = Symbol('broken');

function parsed(text: string, format: Format): unknown {
  try {
    if (format === 'toml') return parseToml(text);
    if (format === 'yaml') return boundedValue(text, argumentsMost);
    // A pasted piece of a file often lacks its outer braces.
    const whole = text.startsWith('"') ? `{${text.replace(/,\s*$/, '')}}` : text;
    const errors: unknown[] = [];
    const value: unknown = parseJsonc(whole, errors as never, { allowTrailingComma: true });
    return errors.length > 0 ? broken : value;
  } catch (error) {
    return error instanceof YamlBeyond ? error : broken;
  }
}

/** What VS Code would put into the box when it asks. */
function defaultsIn(value: unknown): [string, string][] {
  const inputs = isObject(value) ? (value.inputs ?? (isObject(value.mcp) ? value.mcp.inputs : null)) : null;
  return (Array.isArray(inputs) ? inputs : []).flatMap((input): [string, string][] =>
    isObject(input) && typeof input.id === 'string' && typeof input.default === 'string'
      ? [[input.id, input.default]]
      : [],
  );
}

/** The limits that TARS's fork keeps beside its servers. */
function limitsIn(value: unknown): NotTaken[] {
  if (!isObject(value)) return [];
  return ['mcpGlobalTimeout', 'mcpConcurrentLimit', 'mcpSessionLimit']
    .filter((key) => value[key] !== undefined && value[key] !== null)
    .map((what) => ({
      server: 'TARS',
      what,
      reason: 'It is a limit for all servers. Set it under Settings → Tools & limits.',
    }));
}

interface Entry {
  readonly name: string;
  readonly raw: unknown;
  readonly project: string | null;
}

const looksLikeServer = (value: Record<string, unknown>) =>
  ['command', 'url', 'serverUrl', 'httpUrl', 'cmd', 'uri'].some((key) => key in value);

function entriesOf(value: unknown): Entry[] {
  if (Array.isArray(value)) return value.filter(isObject).flatMap(entriesOf);
  if (!isObject(value)) return [];
  const entry = (name: string, raw: unknown): Entry => ({ name, raw, project: null });
  if (looksLikeServer(value)) return [entry(nameOf(value), value)];
  const maps = [value.mcpServers, value.servers, value.context_servers, value.mcp_servers, value.extensions];
  if (isObject(value.mcp)) {
    const { servers, mcpServers } = value.mcp;
    maps.push(servers, mcpServers);
    if (!isObject(servers) && !isObject(mcpServers) && Object.values(value.mcp).some(isServer))
      maps.push(value.mcp);
  }
  const all = maps.flatMap((map) => {
    if (Array.isArray(map)) return map.filter(isObject).map((raw) => entry(nameOf(raw), raw));
    return isObject(map) ? Object.entries(map).map(([name, raw]) => entry(name, raw)) : [];
  });
  // Claude Code also keeps servers for one folder only.
  const projects = isObject(value.projects) ? Object.entries(value.projects) : [];
  for (const [project, own] of projects)
    if (isObject(own) && isObject(own.mcpServers))
      for (const [name, raw] of Object.entries(own.mcpServers)) all.push({ name, raw, project });
  if (all.length > 0 || maps.some((map) => map !== undefined)) return all;
  const entries = Object.entries(value);
  return entries.every(([, item]) => isServer(item)) ? entries.map(([name, raw]) => entry(name, raw)) : [];
}

const isServer = (value: unknown) => isObject(value) && looksLikeServer(value);

/** An entry, also where it is or holds something as a person once pasted it. */
function readWritten(name: string, raw: unknown, around: Around): ForeignEntry {
  const { entry, leftOut } = withWords(withoutText(raw));
  const result = readForeignEntry(name, entry, around);
  return { ...result, leftOut: [...leftOut, ...result.leftOut] };
}

interface Written {
  readonly entry: unknown;
  readonly leftOut: readonly LeftOut[];
}

/** TARS's fork keeps what was pasted, as it was pasted. */
function withoutText(raw: unknown): Written {
  if (!isObject(raw) || typeof raw.configInput !== 'string') return { entry: raw, leftOut: [] };
  const { configInput, name, enabled } = raw;
  const result = recognise(configInput);
  const server = 'servers' in result ? result.servers[0] : undefined;
  if (!server || !('skipped' in result)) return { entry: raw, leftOut: [] };
  const leftOut = result.skipped.flatMap(({ server: of, what, reason }) =>
    of === server.name && what !== null ? [{ what, reason }] : [],
  );
  const entry = {
    ...server,
    ...(typeof name === 'string' && { name }),
    ...(enabled === false && { enabled }),
  };
  return { entry, leftOut };
}

/** Some write the whole line as the command. */
function withWords({ entry: raw, leftOut }: Written): Written {
  const isWhole =
    isObject(raw) && (raw.args === undefined || (Array.isArray(raw.args) && raw.args.length === 0));
  if (!isWhole || typeof raw.command !== 'string' || !isLine(raw.command)) return { entry: raw, leftOut };
  const result = readCommand(raw.command.trim());
  const server = result.kind === 'servers' ? result.servers[0]?.draft : undefined;
  if (!server) return { entry: raw, leftOut };
  const { command, args, env } = server;
  const own = isObject(raw.env) ? raw.env : {};
  return {
    entry: { ...raw, command, ...(args && { args }), ...(env && { env: { ...env, ...own } }) },
    leftOut,
  };
}

const nameOf = (raw: Record<string, unknown>): string =>
  nameOfEntry(withWords({ entry: raw, leftOut: [] }).entry as Record<string, unknown>);

/** Under names of their own, and what of each is left out. */
export function withOwnNames(entries: readonly Taken[]): { servers: ServerDraft[]; skipped: NotTaken[] } {
  const names = new Set<string>();
  const servers: ServerDraft[] = [];
  const skipped: NotTaken[] = [];
  for (const { draft, leftOut } of entries) {
    const name = freeName(draft.name, names);
    names.add(name);
    servers.push({ ...draft, name });
    skipped.push(...leftOut.map(({ what, reason }) => ({ server: name, what, reason })));
  }
  return { servers, skipped };
}

const unrecognised = (hint: string): Recognised => ({ kind: 'unrecognised', hint });
