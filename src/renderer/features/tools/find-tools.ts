import type { ToolEntry } from '../../../contract/tools';
import { search } from '../../app/fuzzy';

/** Names that are like the query, best first; then descriptions that hold it. Without a query the recently used first. */
export function findTools(query: string, tools: readonly ToolEntry[]): ToolEntry[] {
  const byUse = [...tools].sort((a, b) => (b.lastUsed ?? 0) - (a.lastUsed ?? 0));
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return byUse;
  const named = search(wanted, byUse, (tool) => `${tool.serverName} ${tool.name}`).map(({ item }) => item);
  const described = byUse.filter(
    (tool) => !named.includes(tool) && `${tool.title} ${tool.description}`.toLowerCase().includes(wanted),
  );
  return [...named, ...described];
}
