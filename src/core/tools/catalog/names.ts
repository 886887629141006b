import { createHash } from 'node:crypto';

export interface NamedTool {
  readonly serverId: string;
  readonly serverName: string;
  readonly name: string;
}

const longest = 64;

/** `server__tool` in the letters that every provider takes: `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`. */
export function plainModelName(serverName: string, tool: string): string {
  const name = serverName === '' ? safe(tool) : `${safe(serverName)}__${safe(tool)}`;
  const begun = /^[a-zA-Z_]/.test(name) ? name : `_${name}`;
  return begun.length <= longest ? begun : withHash(begun, hashOf(serverName, tool), 8);
}

/** A name for each tool, in the tools' order. Names that would be equal get a hash each, so none depends on the order. */
export function modelNames(tools: readonly NamedTool[]): string[] {
  const names = tools.map((tool) => plainModelName(tool.serverName, tool.name));
  for (let digits = 8; digits <= 32; digits += 8) {
    const uses = new Map<string, number>();
    for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1);
    if (uses.size === names.length) break;
    for (const [index, tool] of tools.entries()) {
      if ((uses.get(names[index] ?? '') ?? 0) < 2) continue;
      names[index] = withHash(
        plainModelName(tool.serverName, tool.name),
        hashOf(tool.serverId, tool.name),
        digits,
      );
    }
  }
  return names;
}

function safe(text: string): string {
  return text.replace(/[^a-zA-Z0-9_-]+/g, '_');
}

function hashOf(server: string, tool: string): string {
  return createHash('sha256').update(`${server}\0${tool}`).digest('hex');
}

function withHash(name: string, hash: string, digits: number): string {
  return `${name.slice(0, longest - digits - 1)}_${hash.slice(0, digits)}`;
}
