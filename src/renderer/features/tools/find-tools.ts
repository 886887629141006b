import type { ToolEntry, ToolUse } from '../../../contract/tools';
import { toolFinder } from '../../../search/find-tools';

/** Finds among these tools; without words all are found. The recently used come first among equals. */
export function findAmong(
  tools: readonly ToolEntry[],
  lastUsed: readonly ToolUse[],
): (query: string) => readonly ToolEntry[] {
  const times = new Map(lastUsed.map(({ serverId, name, at }) => [`${serverId}/${name}`, at]));
  const timeOf = ({ serverId, name }: ToolEntry) => times.get(`${serverId}/${name}`) ?? 0;
  const byUse = [...tools].sort((a, b) => timeOf(b) - timeOf(a));
  const find = toolFinder(byUse);
  return (query) => (query.trim() === '' ? byUse : find(query));
}
