import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type LogLevel, OAuthConfig, ServerDraft, type ServerLevel } from '../../../contract/mcp';

/** One server as its file describes it, before variables are filled in. */
export interface ServerConfig {
  readonly id: string;
  readonly level: ServerLevel;
  readonly draft: ServerDraft;
  /** Which vault’s folder decides what it is: its own, or one that its words name. Left out: none does. */
  readonly vault?: string | null;
}

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);

/** What is found in the files of this and other programs; keys that mean the same are read as one. */
const Entry = z.looseObject({
  id: z.string().min(1).max(128).optional(),
  command: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
  args: z.array(text).optional(),
  env: z.record(z.string(), text).nullish(),
  environment: z.record(z.string(), text).optional(),
  cwd: z.string().nullish(),
  url: z.string().optional(),
  serverUrl: z.string().optional(),
  httpUrl: z.string().optional(),
  headers: z.record(z.string(), text).nullish(),
  transport: z.string().optional(),
  type: z.string().optional(),
  enabled: z.boolean().optional(),
  disabled: z.boolean().optional(),
  autostart: z.boolean().optional(),
  timeout: ServerDraft.shape.timeout,
  initTimeout: ServerDraft.shape.initTimeout,
  longRunning: ServerDraft.shape.longRunning,
  concurrency: ServerDraft.shape.concurrency,
  monitoring: ServerDraft.shape.monitoring,
  checkInterval: ServerDraft.shape.checkInterval,
  restarts: ServerDraft.shape.restarts,
  toolTimeouts: ServerDraft.shape.toolTimeouts,
  disabledTools: ServerDraft.shape.disabledTools,
  approval: ServerDraft.shape.approval,
  flow: ServerDraft.shape.flow,
  roots: ServerDraft.shape.roots,
  logLevel: ServerDraft.shape.logLevel.catch(undefined),
  oauth: z.union([OAuthConfig, z.literal(false)]).optional(),
  sandbox: ServerDraft.shape.sandbox,
});

const transports: Readonly<Record<string, 'stdio' | 'http' | 'sse' | 'auto'>> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamablehttp: 'http',
  streamable_http: 'http',
  sse: 'sse',
  auto: 'auto',
  remote: 'auto',
};

export type ReadEntry =
  | { readonly kind: 'ok'; readonly id: string | null; readonly draft: ServerDraft }
  | { readonly kind: 'wrong'; readonly message: string };

/** Each of them is looked at and shown before anybody is asked. */
const mostWords = 250;
/** Linux starts no program with a longer one. */
const longestWord = 128 * 1024;

/** What it says too much of to be looked at; null: nothing. */
function tooLong(raw: unknown): string | null {
  if (typeof raw !== 'object' || raw === null) return null;
  for (const [key, value] of Object.entries(raw)) {
    const words = typeof value === 'object' && value !== null ? Object.entries(value) : [['', value]];
    if (lists.has(key) && words.length > mostWords) return `"${key}" has more than ${mostWords} items.`;
    const isLong = words.flat().some((word) => typeof word === 'string' && word.length > longestWord);
    if (isLong) return `"${key.slice(0, 40)}" is longer than any program takes.`;
  }
  return null;
}

const lists: ReadonlySet<string> = new Set(['command', 'args', 'env', 'environment', 'headers', 'roots']);

/** By this name cards and models know what the app itself answers. */
const isAppName = (name: string) => name.trim().normalize('NFKC').toLowerCase() === 'interlinear';

/** Reads one entry of a `mcpServers` map, ours or another program's. */
export function readEntry(name: string, raw: unknown): ReadEntry {
  if (name.trim() === '' || name.length > 128)
    return { kind: 'wrong', message: 'A server needs a name of at most 128 characters.' };
  if (isAppName(name))
    return { kind: 'wrong', message: `The name “${name}” belongs to the app itself. Rename this server.` };
  const long = tooLong(raw);
  if (long !== null) return { kind: 'wrong', message: long };
  const parsed = Entry.safeParse(raw);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'entry'}: ${message}`);
    return { kind: 'wrong', message: issues.slice(0, 3).join(' · ') };
  }
  const entry = parsed.data;
  const words = typeof entry.command === 'string' ? [entry.command] : (entry.command ?? []);
  const [command, ...leadingArgs] = words;
  const args = [...leadingArgs, ...(entry.args ?? [])];
  const url = entry.url ?? entry.serverUrl ?? entry.httpUrl;
  if (command === undefined && url === undefined)
    return { kind: 'wrong', message: 'It has neither "command" nor "url".' };
  if (command !== undefined && url !== undefined)
    return { kind: 'wrong', message: 'It has both "command" and "url"; only one of them can hold.' };
  if (command?.trim() === '') return { kind: 'wrong', message: '"command" is empty.' };
  const kind = entry.transport ?? entry.type ?? (entry.httpUrl === undefined ? undefined : 'http');
  const transport = kind === undefined ? undefined : transports[kind.toLowerCase()];
  if (kind !== undefined && transport === undefined)
    return { kind: 'wrong', message: `“${kind}” is not a known transport (auto, stdio, http, sse).` };
  const env = entry.env ?? entry.environment;
  const enabled = entry.enabled ?? (entry.disabled === undefined ? undefined : !entry.disabled);
  const { autostart, timeout, initTimeout, longRunning, concurrency, disabledTools, approval } = entry;
  const { flow, roots, logLevel, oauth, monitoring, checkInterval, restarts, toolTimeouts, sandbox } = entry;
  const draft: ServerDraft = {
    name,
    ...(command !== undefined && { command, ...(args.length > 0 && { args }), ...(env && { env }) }),
    ...(command !== undefined && entry.cwd && { cwd: entry.cwd }),
    ...(url !== undefined && { url, ...(entry.headers && { headers: entry.headers }) }),
    ...(url !== undefined && transport !== undefined && transport !== 'stdio' && { transport }),
    ...(enabled !== undefined && { enabled }),
    ...(autostart !== undefined && { autostart }),
    ...(timeout !== undefined && { timeout }),
    ...(initTimeout !== undefined && { initTimeout }),
    ...(longRunning !== undefined && { longRunning }),
    ...(concurrency !== undefined && { concurrency }),
    ...(monitoring !== undefined && { monitoring }),
    ...(checkInterval !== undefined && { checkInterval }),
    ...(restarts !== undefined && { restarts }),
    ...(toolTimeouts !== undefined && { toolTimeouts }),
    ...(disabledTools !== undefined && { disabledTools }),
    ...(approval !== undefined && { approval }),
    ...(flow !== undefined && { flow }),
    ...(roots !== undefined && { roots }),
    ...(logLevel !== undefined && { logLevel }),
    ...(url !== undefined && oauth && { oauth }),
    ...(command !== undefined && sandbox !== undefined && { sandbox }),
  };
  const id = entry.id === undefined || isAppName(entry.id) ? null : entry.id;
  return { kind: 'ok', id, draft };
}

export const transportOf = (draft: ServerDraft): 'stdio' | 'http' | 'sse' | 'auto' =>
  draft.command !== undefined ? 'stdio' : (draft.transport ?? 'auto');

/** What its file says; whether it is on is its state. */
export const isEnabled = ({ draft }: Pick<ServerConfig, 'draft'>): boolean => draft.enabled !== false;

export const logLevelOf = ({ logLevel }: ServerDraft): LogLevel => logLevel ?? 'info';

/** How long starting it may take. */
export const initTimeoutOf = ({ draft }: Pick<ServerConfig, 'draft'>): number => draft.initTimeout ?? 60_000;

/** For entries without an `id` of their own: stays the same from start to start. */
export const idFromName = (level: ServerLevel, name: string) =>
  `${level}-${createHash('sha256').update(`${level}\0${name}`).digest('hex').slice(0, 16)}`;

/** What a "yes, always" was said to: the command or address and all that steers it. */
export function originOf(config: Pick<ServerConfig, 'level' | 'draft' | 'vault'>): string {
  const { level, draft, vault } = config;
  if (vault === undefined) return wordsOf(draft);
  // The app's own program is the same one wherever its vault lies.
  return hashOf(level === 'bundled' ? { level, vault } : { words: wordsOf(draft), vault });
}

/** Of the command or address alone: in two folders the same words may run two programs. */
export function wordsOf(draft: ServerDraft): string {
  const { command, args, env, cwd, url, headers, transport, oauth, sandbox } = draft;
  return hashOf({ command, args, env, cwd, url, headers, transport, oauth, sandbox });
}

const salt = randomUUID();

/** Says of this run of the app whether an entry is the same; nobody can try secrets on it. */
export const revisionOf = ({ level, draft }: ServerConfig): string => hashOf([salt, level, draft]);

/** A hash that does not depend on the order of keys. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  return `{${Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`)
    .join(',')}}`;
}

/** An entry has its name beside it. */
export const withoutName = (draft: object) =>
  Object.fromEntries(Object.entries(draft).filter(([key, value]) => key !== 'name' && value !== undefined));
