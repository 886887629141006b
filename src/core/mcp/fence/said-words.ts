import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { cutTo } from '../../foundation';

/** Characters: of one, and of all of its sort in one message. An address may hold what it leads to, or a signature. */
export const mostSaid = {
  sort: { one: 256, inAll: 4_000_000 },
  name: { one: 4_096, inAll: 4_000_000 },
  address: { one: 65_536, inAll: 8_000_000 },
  words: { one: 10_000, inAll: 4_000_000 },
};

const keys: Record<keyof typeof mostSaid, readonly string[]> = {
  sort: ['mimeType', 'type', 'logger', 'level'],
  name: ['name', 'title'],
  address: ['uri'],
  words: ['message', 'statusMessage', 'description'],
};
const kinds = new Map(
  Object.entries(keys).flatMap(([kind, all]) =>
    all.map((key) => [key, kind as keyof typeof mostSaid] as const),
  ),
);

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
  const used = { sort: 0, name: 0, address: 0, words: 0 };

  function short(text: string, kind: keyof typeof mostSaid): string {
    const { one, inAll } = mostSaid[kind];
    const cut = cutTo(text, Math.min(one, Math.max(0, inAll - used[kind])));
    used[kind] += cut.length;
    return cut;
  }

  function walk(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const items = value.map(walk);
      return items.some((item, index) => item !== value[index]) ? items : value;
    }
    const changes: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      const kind = kinds.get(key);
      const cut =
        typeof item !== 'string' ? (apart.has(key) ? item : walk(item)) : kind ? short(item, kind) : item;
      if (cut !== item) changes[key] = cut;
    }
    return Object.keys(changes).length === 0 ? value : { ...value, ...changes };
  }

  if ('method' in message)
    return message.params === undefined
      ? message
      : ({ ...message, params: walk(message.params) } as JSONRPCMessage);
  if ('error' in message) return { ...message, error: walk(message.error) } as JSONRPCMessage;
  return { ...message, result: walk(message.result) } as JSONRPCMessage;
}
