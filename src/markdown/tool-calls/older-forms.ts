import type { NotePart, ToolResult } from '../model';
import { isMapping, readToolBody } from './body';
import { type Item, type ReadCallout, unfinished } from './callout';

/** As the plugin writes them, each once; a person's words behind such a name are no fact. */
const factLine =
  /^(Server ID: *\S+|Duration: *\d+ ?ms|Tokens: *\d+|Cached: *(?:yes|no)(?: \(\d[\w .]*old\))?|Executed: *\d{4}-\S+|Results:) *$/;
const detailsLine = /^Duration: \d+ ?ms(?:, (?:Type: \w+|Tokens: \d+|\d+ tokens|Cached(?: \([^)]*\))?))* *$/;

/** The first line of each name, among those that stand above `end`. */
function factsAbove(items: readonly Item[], end: number): Item[] {
  const names = new Set<string>();
  return items.slice(0, end).filter((item) => {
    const name = item.kind === 'line' && factLine.test(item.text) ? item.text.split(':', 1)[0] : undefined;
    if (name === undefined || names.has(name)) return false;
    names.add(name);
    return true;
  });
}

/** `> [!tool] Tool Call (Server: tool)`: a call and its `Results:` fence, as an older plugin wrote them. */
export function readOlderCall(title: string, items: readonly Item[]): ReadCallout | null {
  const names = /^Tool Call \((.*):([^:]*)\)/.exec(title.slice(0, 500));
  const fences = items.filter((item) => item.kind === 'fence');
  const [block] = fences;
  const text = block?.lines.join('\n') ?? '';
  const body = block && readToolBody(text);
  if (!names || !body) return null;
  const line = (name: string): string | null => {
    const item = items.find((one) => one.kind === 'line' && one.text.startsWith(`${name}:`));
    return item?.kind === 'line' ? item.text.slice(name.length + 1).trim() : null;
  };
  const after = items.findIndex((item) => item.kind === 'line' && item.text.startsWith('Results:'));
  const results = after === -1 ? undefined : items.slice(after).find((item) => item.kind === 'fence');
  const others = fences.filter((fence) => fence !== block && fence !== results);
  const facts = factsAbove(items, after === -1 ? items.length : after + 1);
  if (block === results || others.some(({ lines }) => lines.some((one) => one.startsWith('tool:'))))
    return null;
  return {
    form: 'tars-call',
    call: {
      server: block.info || (names[1] ?? ''),
      tool: body.tool || (names[2] ?? '').replace(/^ +/, ''),
      arguments: body.arguments ?? {},
      error: body.error,
      body: text,
      closedAt: block.closedAt,
    },
    result: {
      ...unfinished,
      state: results ? 'ok' : 'interrupted',
      ms: readMs(line('Duration')),
      at: line('Executed'),
      cached: line('Cached')?.startsWith('yes') ?? false,
      parts: results ? readParts(results.lines.join('\n')) : [],
    },
    read: [block, ...facts, ...(results ? [results] : [])],
    items,
  };
}

/** `> [!tool]- Tool Result (245ms)`: only the result of the block above. */
export function readOlderResult(title: string, items: readonly Item[]): ReadCallout | null {
  const result = items.find((item) => item.kind === 'fence');
  if (!result) return null;
  const above = items.slice(0, items.indexOf(result));
  const details = above.find((item) => item.kind === 'line' && detailsLine.test(item.text));
  const toolResult: ToolResult = {
    ...unfinished,
    state: 'ok',
    ms: readMs(/\((\d+)ms\)/.exec(title.slice(0, 500))?.[1] ?? null),
    cached: details?.kind === 'line' && details.text.includes('Cached'),
    parts: readParts(result.lines.join('\n')),
  };
  const read = details ? [details, result] : [result];
  return { form: 'tars-result', call: null, result: toolResult, read, items };
}

function readMs(text: string | null): number | null {
  const ms = Number.parseInt(text ?? '', 10);
  return Number.isFinite(ms) ? ms : null;
}

/** The list of content parts as the protocol has them; anything else is text. */
function readParts(text: string): NotePart[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [{ kind: 'text', text }];
  }
  const parts = Array.isArray(value) ? value.map(readPart) : [];
  return parts.length > 0 && parts.every((part) => part !== null) ? parts : [{ kind: 'json', value }];
}

function readPart(part: unknown): NotePart | null {
  if (!isMapping(part)) return null;
  const { type, text, uri, name, resource, mimeType } = part;
  if (type === 'text' && typeof text === 'string') return { kind: 'text', text };
  if (type === 'resource' && isMapping(resource) && typeof resource.uri === 'string') {
    return {
      kind: 'resource',
      uri: resource.uri,
      text: typeof resource.text === 'string' ? resource.text : '',
    };
  }
  if (type === 'resource_link' && typeof uri === 'string') {
    return { kind: 'link', uri, name: typeof name === 'string' ? name : uri };
  }
  if (type === 'image' || type === 'audio') return { kind: 'text', text: `[${type}: ${String(mimeType)}]` };
  return null;
}
