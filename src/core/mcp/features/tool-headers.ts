import type { RejectedTool } from '../../../contract/rejected-tools';
import { own } from '../../foundation';

type Fault = RejectedTool['reason'];

/** A parameter that a server wants to see as a header, too (`x-mcp-header`, revision 2026-07-28). */
export interface ToolHeader {
  readonly header: string;
  readonly path: readonly string[];
}

const keyword = 'x-mcp-header';
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const types = new Set(['string', 'integer', 'boolean']);
const deepest = 64;

/** The declarations of a schema, or why the tool must not be used. */
export function toolHeaders(schema: unknown): readonly ToolHeader[] | Fault {
  const headers: ToolHeader[] = [];
  function visit(node: unknown, path: readonly string[], reachable: boolean, depth: number): Fault | null {
    if (typeof node !== 'object' || node === null || depth > deepest) return null;
    if (Array.isArray(node)) return first(node, (item) => visit(item, path, false, depth + 1));
    if (keyword in node) {
      const wrong = addHeader(node as Record<string, unknown>, path, reachable);
      if (wrong !== null) return wrong;
    }
    return first(Object.entries(node), ([key, child]) => {
      if (key !== 'properties' || typeof child !== 'object' || child === null)
        return dataKeywords.has(key) ? null : visit(child, path, false, depth + 1);
      return first(Object.entries(child), ([name, property]) =>
        visit(property, [...path, name], reachable, depth + 1),
      );
    });
  }

  function addHeader(
    node: Record<string, unknown>,
    path: readonly string[],
    reachable: boolean,
  ): Fault | null {
    const at = path.join('.') || 'schema';
    const header = node[keyword];
    if (!reachable || path.length === 0) return { code: 'header-place', at };
    if (typeof header !== 'string' || !token.test(header)) return { code: 'header-name', at };
    if (typeof node.type !== 'string' || !types.has(node.type)) return { code: 'header-type', at };
    if (headers.some((other) => other.header.toLowerCase() === header.toLowerCase()))
      return { code: 'header-twice', at, header };
    headers.push({ header, path });
    return null;
  }

  const fault = visit(schema, [], true, 0);
  return fault ?? headers;
}

/** Their values are data, not schemas. */
const dataKeywords = new Set(['default', 'const', 'enum', 'examples']);

export function headersFor(
  declarations: readonly ToolHeader[],
  args: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { header, path } of declarations) {
    const value = path.reduce<unknown>(
      (at, name) =>
        typeof at === 'object' && at !== null ? own(at as Record<string, unknown>, name) : undefined,
      args,
    );
    const text = asText(value);
    if (text !== null) headers[`Mcp-Param-${header}`] = encoded(text);
  }
  return headers;
}

function asText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  const isWhole = typeof value === 'number' && Number.isFinite(value);
  return isWhole && (!Number.isInteger(value) || Number.isSafeInteger(value)) ? String(value) : null;
}

/** What a header cannot carry as it is goes in Base64 between marks. */
function encoded(text: string): string {
  const plain = /^[\t\x20-\x7e]+$/.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text);
  return plain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

function first<T>(items: readonly T[], look: (item: T) => Fault | null): Fault | null {
  for (const item of items) {
    const inner = look(item);
    if (inner !== null) return inner;
  }
  return null;
}
