import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'jsonc-parser';
import type { ServerDraft } from '../../../contract/mcp';
import { expandHome } from '../../../files';
import { isReference, jsoncFault } from '../../foundation';
import type { Contribution } from '../../trust';
import { keysAsked } from './keys-asked';
import { sandboxOf } from './sandbox-of';
import { hashOf, readEntry } from './server-config';
import { targetOf } from './shown-target';
import { isOpen } from './shown-values';

/** A server of a vault's file as a person is asked for it: all that decides what it can do, and where its program lies. */
export function serverContribution(name: string, raw: unknown, root: string): Contribution {
  const entry = readEntry(name, raw);
  if (entry.kind === 'wrong') return { kind: 'server', name, lines: [], fingerprint: `server ${name}` };
  const { command, args, env, cwd, url, headers, transport, roots, oauth, approval, flow } = entry.draft;
  const { disabledTools, sandbox } = entry.draft;
  const isOff = entry.draft.enabled === false;
  const facts = { roots, oauth, approval, flow, disabledTools };
  const lines = [
    ...(isOff ? ['off'] : []),
    targetOf(entry.draft),
    ...(command === undefined ? [] : placesOf(command, args ?? [], cwd, root)),
    ...Object.entries(env ?? {}).map(([key, value]) => `env: ${key}=${visible(key, value)}`),
    ...Object.entries(headers ?? {}).map(([key, value]) => `header: ${key}: ${hidden(value)}`),
    ...(transport === undefined ? [] : [`transport: ${transport}`]),
    ...(sandbox === undefined ? [] : linesOf(entry.draft)),
    ...Object.entries(facts).flatMap(([key, value]) =>
      value === undefined ? [] : [`${key}: ${JSON.stringify(value, withoutSecrets)}`],
    ),
  ];
  const launch = {
    command,
    args,
    env,
    cwd,
    url,
    headers,
    transport,
    ...facts,
    sandbox,
    ...(isOff && { isOff }),
  };
  const keys = keysAsked(entry.draft);
  const fingerprint = `server ${hashOf([name, launch])}`;
  return { kind: 'server', name, lines, ...(keys.length > 0 && { keys }), fingerprint };
}

/** So many servers of a vault's file are used: each is checked, asked for and shown. */
export const mostServers = 100;

/** The servers of a vault's file; the file itself where it cannot be read. */
export function serverContributions(text: string, root: string): Contribution[] {
  const file: unknown = jsoncFault(text, { allowTrailingComma: true }) ? null : parse(text);
  const entries = isObject(file) && isObject(file.mcpServers) ? Object.entries(file.mcpServers) : [];
  if (entries.length === 0)
    return [{ kind: 'server', name: 'mcp.json', lines: [], fingerprint: 'server file' }];
  return entries.slice(0, mostServers).map(([name, raw]) => serverContribution(name, raw, root));
}

/** The limits that hold, from where its start has them; a server without a program has none. */
function linesOf(draft: ServerDraft): string[] {
  if (draft.sandbox === false) return ['sandbox: off. It may do whatever you may'];
  const limits = sandboxOf({ level: 'vault', draft });
  if (limits === null) return [];
  const line = (verb: string, list: readonly string[]) => `sandbox: ${verb} ${list.join(', ') || 'nothing'}`;
  const { read, write, hosts } = limits;
  // What may be written can be read.
  return [line('reads', [...new Set([...read, ...write])]), line('writes', write), line('reaches', hosts)];
}

const mostFiles = 10;

/** The folder it runs in, and what of its command line are files there: `node tool.mjs` alone tells of no program. */
function placesOf(command: string, args: readonly string[], cwd: string | undefined, root: string): string[] {
  const full = (text: string) => expandHome(text.replaceAll(`\${vault}`, root));
  const cwdText = full(cwd ?? '');
  // What only the start can fill in is shown as it is written.
  if (cwdText.includes(`\${`)) return [`cwd: ${cwd}`];
  const folder = resolve(root, cwdText);
  const files = [command, ...args]
    .map((word) => ({ word, path: resolve(folder, full(word)) }))
    .filter(({ word, path }) => path !== word && isFile(path))
    .map(({ path }) => path);
  return [`cwd: ${folder}`, ...files.slice(0, mostFiles).map((path) => `file: ${path}`)];
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const hidden = (value: string) => (isReference(value) ? value : '•••');
const visible = (key: string, value: string) => (isOpen('env', key, value) ? value : hidden(value));
const withoutSecrets = (key: string, value: unknown) =>
  typeof value === 'string' && /(secret|privateKey)$/i.test(key) ? hidden(value) : value;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
