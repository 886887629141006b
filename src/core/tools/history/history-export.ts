import { setImmediate } from 'node:timers/promises';
import type { HistoryEntry, HistoryFilter } from '../../../contract/history';
import type { Cursor } from './history-query';

const pageSize = 500;
const columns = [
  ...['at', 'by', 'serverName', 'tool', 'path', 'status', 'ms', 'resultBytes', 'cached', 'approval'],
  ...['arguments', 'error', 'serverId', 'callId'],
] as const satisfies readonly (keyof HistoryEntry)[];

/** A file of calls, newest first, piece by piece; between the pieces others have their turn. */
export async function* exportHistory(
  find: (filter: HistoryFilter, after: Cursor | null, limit: number) => HistoryEntry[],
  filter: HistoryFilter,
  format: 'json' | 'csv',
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield format === 'json' ? '[' : `\uFEFF${columns.join(',')}\r\n`;
  let after: Cursor | null = null;
  for (;;) {
    const page = find(filter, after, pageSize);
    const isFirst = after === null;
    if (format === 'csv') yield page.map(line).join('');
    else if (page.length > 0) yield (isFirst ? '\n' : ',\n') + page.map(object).join(',\n');
    after = page.at(-1) ?? null;
    if (page.length < pageSize || after === null) break;
    await setImmediate();
    signal.throwIfAborted();
  }
  if (format === 'json') yield '\n]\n';
}

function object({ id: _, at, arguments: args, ...rest }: HistoryEntry): string {
  return JSON.stringify({ at: new Date(at).toISOString(), ...rest, arguments: asJson(args) });
}

/** Arguments are cut at a length, so they may not be whole JSON. */
function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function line(entry: HistoryEntry): string {
  const values = { ...entry, at: new Date(entry.at).toISOString() };
  return `${columns.map((column) => cell(values[column])).join(',')}\r\n`;
}

/** What begins like a formula would be one for a spreadsheet. */
function cell(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
