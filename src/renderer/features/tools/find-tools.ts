import { toolFinder } from '../../../contract/find-tools';
import type { ToolEntry } from '../../../contract/tools';

/** Finds among these tools; without words all are found. The recently used come first among equals. */
export function findAmong(tools: readonly ToolEntry[]): (query: string) => readonly ToolEntry[] {
  const byUse = [...tools].sort((a, b) => (b.lastUsed ?? 0) - (a.lastUsed ?? 0));
  const find = toolFinder(byUse);
  return (query) => (query.trim() === '' ? byUse : find(query));
}
