import { z } from 'zod';
import type { ResultPart } from '../../contract/tools';
import { compileSchema } from '../foundation';
import type { McpCallResult } from './door';

type Json = z.infer<ReturnType<typeof z.json>>;

const deepest = 64;
/** Values in one answer that are worth looking at one by one: each look at more of them would hold up everybody. */
const mostValues = 20_000;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What a server answered to `tools/call`, kept whatever its form: a part that is not known stays as data. A structured
 * answer that breaks the tool's own promise is left out and said so; the rest of the answer is kept.
 */
export function readCallResult(
  raw: unknown,
  outputSchema: Readonly<Record<string, unknown>> | null,
): McpCallResult {
  if (!isObject(raw)) return { isError: false, parts: [unknownPart(raw)], structured: undefined };
  const isError = raw.isError === true;
  const content = Array.isArray(raw.content)
    ? raw.content
    : raw.content === undefined
      ? 'toolResult' in raw
        ? [raw.toolResult]
        : []
      : [raw.content];
  const parts = content.map(readPart);
  const { structuredContent } = raw;
  const isMany = hasMany(structuredContent);
  const structured = structuredContent === undefined || isMany ? undefined : bounded(structuredContent);
  const broken = isError || outputSchema === null ? [] : brokenPromise(structuredContent, outputSchema);
  const meta =
    isObject(raw._meta) && !hasMany(raw._meta) ? { meta: bounded(raw._meta) as Record<string, unknown> } : {};
  if (broken.length > 0)
    return { isError, parts: [...parts, mismatch(broken)], structured: undefined, ...meta };
  if (isMany && !parts.some((part) => part.kind === 'text' && isSameText(part.text, structuredContent)))
    parts.push(asText(structuredContent));
  return { isError, parts, structured, ...meta };
}

function brokenPromise(value: unknown, schema: Readonly<Record<string, unknown>>): string[] {
  if (value === undefined) return ['there is none'];
  const compiled = compileSchema(schema);
  return compiled.kind === 'usable' ? compiled.check(value) : [];
}

const mismatch = (issues: readonly string[]): ResultPart => ({
  kind: 'text',
  text: `(The structured result is not what the tool promises and was left out: ${issues.slice(0, 5).join('; ')}.)`,
});

const Text = z.object({ type: z.literal('text'), text: z.string() });
const Media = z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() });
const Link = z.object({ type: z.literal('resource_link'), uri: z.string(), name: z.string().catch('') });
const Resource = z.object({
  type: z.literal('resource'),
  resource: z.object({
    uri: z.string(),
    mimeType: z.string().nullish(),
    text: z.string().optional(),
    blob: z.string().optional(),
  }),
});

/** A part in any form; what is not known stays as data. */
export function readPart(raw: unknown): ResultPart {
  const type = isObject(raw) ? raw.type : undefined;
  if (type === 'text') {
    const { success, data } = Text.safeParse(raw);
    if (success) return { kind: 'text', text: data.text };
  } else if (type === 'image' || type === 'audio') {
    const { success, data } = Media.safeParse(raw);
    if (success) return { kind: data.type, mediaType: data.mimeType, base64: data.data };
  } else if (type === 'resource_link') {
    const { success, data } = Link.safeParse(raw);
    if (success) return { kind: 'link', uri: data.uri, name: data.name || data.uri };
  } else if (type === 'resource') {
    const { success, data } = Resource.safeParse(raw);
    if (success) return readResource(data.resource) ?? unknownPart(raw);
  }
  return unknownPart(raw);
}

function readResource(resource: z.infer<typeof Resource>['resource']): ResultPart | null {
  const { uri, text, blob } = resource;
  const mediaType = resource.mimeType ?? null;
  if (text !== undefined) return { kind: 'resource', uri, mediaType, text };
  if (blob === undefined || mediaType === null) return null;
  if (mediaType.startsWith('image/')) return { kind: 'image', mediaType, base64: blob };
  if (mediaType.startsWith('audio/')) return { kind: 'audio', mediaType, base64: blob };
  return null;
}

const unknownPart = (raw: unknown): ResultPart =>
  hasMany(raw) ? asText(raw) : { kind: 'unknown', value: bounded(raw) };

/** Kept whole, but as one text. */
const asText = (value: unknown): ResultPart => ({ kind: 'text', text: JSON.stringify(value) });

const isSameText = (text: string, value: unknown) =>
  text.replace(/\s+/g, '') === JSON.stringify(value).replace(/\s+/g, '');

function hasMany(value: unknown): boolean {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inside = Object.values(next);
    count += inside.length;
    if (count > mostValues) return true;
    for (const one of inside) open.push(one);
  }
  return false;
}

/** As JSON, cut where it is nested so deep that the programs after us would fail on it. */
function bounded(value: unknown, depth = 0): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object') return null;
  if (depth >= deepest) return '…';
  if (Array.isArray(value)) return value.map((item) => bounded(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, bounded(item, depth + 1)]));
}
