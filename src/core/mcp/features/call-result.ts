import { z } from 'zod';
import type { ResultPart } from '../../../contract/tools';
import type { SchemaChecks } from '../../foundation';
import { isBase64 } from '../fence/base64';

export interface McpCallResult {
  readonly isError: boolean;
  readonly parts: readonly ResultPart[];
  readonly structured: unknown;
  /** What the server adds for whoever shows the result; left out: nothing. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** By a schema of the server that answered. */
export type CheckOutput = (
  schema: Readonly<Record<string, unknown>>,
  value: unknown,
) => ReturnType<SchemaChecks['check']>;

type Json = z.infer<ReturnType<typeof z.json>>;

const deepest = 64;
/** Values in one answer that are worth looking at one by one: each look at more of them would hold up everybody. */
const mostValues = 20_000;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What a server answered to `tools/call`. Throws `MalformedResult` where the protocol says that it should be
 * otherwise; where the tool's own output schema does, as `broken` says, it is an error that says so first.
 */
export function readCallResult(raw: unknown, broken: readonly string[]): McpCallResult {
  if (!isObject(raw)) throw new MalformedResult(['it is no object']);
  const { structuredContent } = raw;
  if (raw.isError !== undefined && raw.isError !== null && typeof raw.isError !== 'boolean')
    throw new MalformedResult(['“isError” is neither true nor false']);
  const parts = readContent(raw);
  // What it says all the same is not lost.
  if (broken.length > 0)
    return { isError: true, parts: [brokenText(broken), ...parts], structured: undefined };
  const isError = raw.isError === true;
  const isMany = hasMany(structuredContent);
  const structured = structuredContent === undefined || isMany ? undefined : bounded(structuredContent);
  const meta =
    isObject(raw._meta) && !hasMany(raw._meta) ? { meta: bounded(raw._meta) as Record<string, unknown> } : {};
  if (isMany && !parts.some((part) => part.kind === 'text' && isSameText(part.text, structuredContent)))
    parts.push(asText(structuredContent));
  return { isError, parts, structured, ...meta };
}

/** Not what the protocol or the tool says that an answer is. */
export class MalformedResult extends Error {
  override readonly name = 'MalformedResult';
  constructor(issues: readonly string[]) {
    super(`The result is not what the protocol says: ${inBrief(issues)}`);
  }
}

const mostIssues = 5;
const inBrief = (issues: readonly string[]) =>
  `${issues.slice(0, mostIssues).join('; ')}${issues.length > mostIssues ? '; …' : ''}.`;

const brokenText = (issues: readonly string[]): ResultPart => ({
  kind: 'text',
  text: `(The structured result is not what the tool promises: ${inBrief(issues)})`,
});

/** The oldest revision had one value of any form instead; who sends structured content may send nothing else. */
function readContent(raw: Readonly<Record<string, unknown>>): ResultPart[] {
  const { content, structuredContent } = raw;
  if (content === undefined || content === null) {
    if ('toolResult' in raw) return [unknownPart(raw.toolResult)];
    if (structuredContent === undefined || structuredContent === null)
      throw new MalformedResult(['it has no “content”']);
    return [];
  }
  if (!Array.isArray(content)) throw new MalformedResult(['“content” is no list']);
  const parts: ResultPart[] = [];
  const issues: string[] = [];
  for (const [index, item] of content.entries()) {
    const part = knownPart(item);
    if (typeof part === 'string') issues.push(`content ${index + 1} ${part}`);
    else parts.push(part);
    if (issues.length > mostIssues) break;
  }
  if (issues.length > 0) throw new MalformedResult(issues);
  return parts;
}

/** What of the structured result is not as the tool's own output schema says; nothing, where that could not be found out. */
export async function brokenPromise(
  raw: unknown,
  outputSchema: Readonly<Record<string, unknown>> | null,
  check: CheckOutput,
): Promise<readonly string[]> {
  if (outputSchema === null || !isObject(raw) || raw.isError === true) return [];
  if (raw.structuredContent === undefined) return ['there is none'];
  const verdict = await check(outputSchema, raw.structuredContent);
  return verdict.kind === 'misfit' ? verdict.issues : [];
}

const Text = z.object({ type: z.literal('text'), text: z.string() });
const Base64 = z.string().refine(isBase64);
const Media = z.object({
  type: z.enum(['image', 'audio']),
  data: Base64,
  mimeType: z.string(),
});
const Link = z.object({ type: z.literal('resource_link'), uri: z.string(), name: z.string() });
const Resource = z.object({
  type: z.literal('resource'),
  resource: z.object({
    uri: z.string(),
    mimeType: z.string().nullish(),
    text: z.string().optional(),
    blob: Base64.optional(),
  }),
});

/** Throws `MalformedResult`. */
export function readKnownPart(raw: unknown): ResultPart {
  const part = knownPart(raw);
  if (typeof part === 'string') throw new MalformedResult([`a part ${part}`]);
  return part;
}

/** What is wrong with it, where it is not as its own type has to be. */
function knownPart(raw: unknown): ResultPart | string {
  if (!isObject(raw)) return 'is no object';
  switch (raw.type) {
    case 'text': {
      const { success, data, error } = Text.safeParse(raw);
      return success ? { kind: 'text', text: data.text } : placeOf(error);
    }
    case 'image':
    case 'audio': {
      const { success, data, error } = Media.safeParse(raw);
      return success ? { kind: data.type, mediaType: data.mimeType, base64: data.data } : placeOf(error);
    }
    case 'resource_link': {
      const { success, data, error } = Link.safeParse(raw);
      return success ? { kind: 'link', uri: data.uri, name: data.name || data.uri } : placeOf(error);
    }
    case 'resource': {
      const { success, data, error } = Resource.safeParse(raw);
      if (!success) return placeOf(error);
      const { text, blob } = data.resource;
      if (text === undefined && blob === undefined) return '(resource) has neither a text nor data';
      return readResource(data.resource) ?? unknownPart(raw);
    }
    default:
      // A newer revision may know it.
      return typeof raw.type === 'string' ? unknownPart(raw) : 'has no type';
  }
}

const placeOf = ({ issues: [issue] }: z.ZodError) =>
  issue ? `has a missing or wrong “${issue.path.join('.')}”` : 'cannot be read';

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

const isSameText = (text: string, value: unknown) => sameButForBlanks(text, JSON.stringify(value));

const blank = /\s/;

/** One by one: a list of all blanks of a long text would not fit into the memory. */
function sameButForBlanks(one: string, other: string): boolean {
  const next = (text: string, from: number) => {
    let at = from;
    while (at < text.length && text.charCodeAt(at) <= 0x20 && blank.test(text[at] ?? '')) at++;
    return at;
  };
  let at = next(one, 0);
  let opposite = next(other, 0);
  while (at < one.length && opposite < other.length) {
    if (one.charCodeAt(at) !== other.charCodeAt(opposite)) return false;
    at = next(one, at + 1);
    opposite = next(other, opposite + 1);
  }
  return at >= one.length && opposite >= other.length;
}

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
