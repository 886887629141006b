import { argumentsFault } from '../../../contract/json';
import { compileSchema } from '../../foundation';
import type { CatalogTool } from '../../mcp';
import { invalidArguments } from './failures';

export type Arguments = Readonly<Record<string, unknown>>;

/** The one form in which arguments are checked, shown, kept and sent: what JSON makes of them. */
export function asSent(tool: string, args: Arguments): Arguments {
  const fault = argumentsFault(args);
  if (fault !== null) throw invalidArguments(tool, [`their JSON ${fault}`]);
  return JSON.parse(JSON.stringify(args)) as Arguments;
}

/** Throws `tool.invalid-arguments` where the tool's schema has something against them; what we cannot check, the server checks. */
export function throwUnlessValid(tool: CatalogTool, args: Arguments): void {
  const schema = compileSchema(tool.inputSchema);
  const issues = schema.kind === 'usable' ? schema.check(args) : [];
  if (issues.length > 0) throw invalidArguments(tool.name, issues);
}
