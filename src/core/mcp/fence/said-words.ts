import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { cutTo } from '../../foundation';

/** Characters: of what names something, of what is said by the way, of all of these in one message. */
export const mostSaid = { name: 4_096, words: 10_000, inAll: 4_000_000 };

const limits = new Map([
  ...['name', 'title', 'uri', 'mimeType', 'type', 'logger', 'level'].map(
    (key) => [key, mostSaid.name] as const,
  ),
  ...['message', 'statusMessage', 'description'].map((key) => [key, mostSaid.words] as const),
]);

/** Data of whoever reads it, where a name is any name; and what is measured, cut or refused where it is read. */
const apart = new Set([
  'structuredContent',
  'toolResult',
  '_meta',
  'arguments',
  'input',
  'inputSchema',
  'outputSchema',
  'requestedSchema',
  'icons',
  'tools',
  'prompts',
  'resources',
  'resourceTemplates',
]);

/**
 * A message whose names, addresses and words by the way are as long as anybody reads: a longer one is cut, and says so. Before
 * it nothing was done with them, and nothing after it has to ask how long they are.
 */
export function withShortWords(message: JSONRPCMessage): JSONRPCMessage {
  let left = mostSaid.inAll;

  function short(text: string, most: number): string {
    const kept = cutTo(text, Math.min(most, left));
    left = Math.max(0, left - kept.length);
    return kept;
  }

  function walk(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const items = value.map(walk);
      return items.some((item, index) => item !== value[index]) ? items : value;
    }
    const changed: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      const most = limits.get(key);
      const kept =
        typeof item !== 'string' ? (apart.has(key) ? item : walk(item)) : most ? short(item, most) : item;
      if (kept !== item) changed[key] = kept;
    }
    return Object.keys(changed).length === 0 ? value : { ...value, ...changed };
  }

  if ('method' in message)
    return message.params === undefined
      ? message
      : ({ ...message, params: walk(message.params) } as JSONRPCMessage);
  if ('error' in message) return { ...message, error: walk(message.error) } as JSONRPCMessage;
  return { ...message, result: walk(message.result) } as JSONRPCMessage;
}
