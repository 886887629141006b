import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { settingsFolder } from './walk';

const longest = 300;

/** What a folder brings along that is not used before the person trusts it: whole commands, not only their names. */
export function whatItBrings(root: string): string[] {
  const at = (name: string) => join(root, settingsFolder, name);
  const agents = namesIn(at('agents')).filter((name) => name.endsWith('.md'));
  return [
    ...servers(textOf(at('mcp.json'))),
    ...(textOf(at('hooks.json')) === null ? [] : ['hooks: hooks.json']),
    ...agents.map((name) => `agent: ${name.slice(0, -'.md'.length)}`),
  ].map(shortened);
}

function servers(text: string | null): string[] {
  if (text === null) return [];
  const file: unknown = parse(text);
  const listed = isObject(file) && isObject(file.mcpServers) ? Object.entries(file.mcpServers) : [];
  if (listed.length === 0) return ['servers: mcp.json'];
  return listed.map(([name, server]) => `server ${name}: ${isObject(server) ? launchOf(server) : '?'}`);
}

function launchOf({ command, args, url }: Record<string, unknown>): string {
  if (typeof url === 'string') return url;
  return [command, ...(Array.isArray(args) ? args : [])].filter((part) => typeof part === 'string').join(' ');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shortened = (line: string) => (line.length > longest ? `${line.slice(0, longest)}…` : line);

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path).sort();
  } catch {
    return [];
  }
}
