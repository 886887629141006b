import { parse } from 'jsonc-parser';
import { redactText } from '../foundation';
import type { BroughtThing } from '../settings';
import { isReference } from './environment';
import { hashOf, readEntry } from './server-config';
import { targetOf } from './server-picture';

/** A server of a vault's file as a person is asked for it: all that decides what it can do. */
export function broughtServer(name: string, raw: unknown): BroughtThing {
  const read = readEntry(name, raw);
  if (read.kind === 'wrong') return { kind: 'server', name, lines: [], fingerprint: `server ${name}` };
  const { command, args, env, cwd, url, headers, transport, roots, oauth, approval, disabledTools } =
    read.draft;
  const said = { roots, oauth, approval, disabledTools };
  const lines = [
    targetOf(read.draft),
    ...(cwd === undefined ? [] : [`cwd: ${cwd}`]),
    ...Object.entries(env ?? {}).map(([key, value]) => `env: ${key}=${shown(key, value)}`),
    ...Object.entries(headers ?? {}).map(([key, value]) => `header: ${key}: ${hidden(value)}`),
    ...(transport === undefined ? [] : [`transport: ${transport}`]),
    ...Object.entries(said).flatMap(([key, value]) =>
      value === undefined ? [] : [`${key}: ${JSON.stringify(value, withoutSecrets)}`],
    ),
  ];
  const launched = { command, args, env, cwd, url, headers, transport, ...said };
  return { kind: 'server', name, lines, fingerprint: `server ${hashOf([name, launched])}` };
}

/** The servers of a vault's file; the file itself where it cannot be read. */
export function broughtServers(text: string): BroughtThing[] {
  let file: unknown;
  try {
    file = parse(text);
  } catch {
    file = null;
  }
  const listed = isObject(file) && isObject(file.mcpServers) ? Object.entries(file.mcpServers) : [];
  if (listed.length === 0)
    return [{ kind: 'server', name: 'mcp.json', lines: [], fingerprint: 'server file' }];
  return listed.map(([name, raw]) => broughtServer(name, raw));
}

const secretName = /(key|token|secret|passw|auth|credential|cookie)/i;
const hidden = (value: string) => (isReference(value) ? value : '•••');
const shown = (key: string, value: string) => (secretName.test(key) ? hidden(value) : redactText(value));
const withoutSecrets = (key: string, value: unknown) =>
  typeof value === 'string' && /(secret|privateKey)$/i.test(key) ? hidden(value) : value;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
