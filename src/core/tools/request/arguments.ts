import { argumentsFault } from '../../../contract/json';
import type { SchemaChecks } from '../../foundation';
import type { CatalogTool } from '../../mcp';
import { invalidArguments } from './failures';

export type Arguments = Readonly<Record<string, unknown>>;

/** The one form in which arguments are checked, shown, kept and sent: what JSON makes of them. */
export function asSent(tool: string, args: Arguments): Arguments {
  const fault = argumentsFault(args);
  if (fault !== null) throw invalidArguments(tool, [`their JSON ${fault}`]);
  return JSON.parse(JSON.stringify(args)) as Arguments;
}

/** Rejects with `tool.invalid-arguments` where the tool's schema has something against them; what we cannot check, the server checks. */
export type CheckArguments = (tool: CatalogTool, args: Arguments) => Promise<void>;

export const createCheckArguments =
  (schemas: Pick<SchemaChecks, 'check'>): CheckArguments =>
  async (tool, args) => {
    const verdict = await schemas.check(tool.inputSchema, args, tool.serverId);
    if (verdict.kind === 'misfit') throw invalidArguments(tool.name, [...verdict.issues]);
  };

/** With the keys of its objects in order. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
