import { setImmediate } from 'node:timers/promises';
import type { ResultPart } from '../../../contract/tools';
import { createInertWork, type InertWork, inert, inertInTurns } from '../../foundation';
import type { McpCallResult } from '../../mcp';

/** Characters after which others have their turn. */
const atOnce = 1_000_000;

/** What a server answered, made inert; structured content that the text only repeats is kept once. */
export async function resultParts(result: McpCallResult): Promise<ResultPart[]> {
  const work = createInertWork();
  const parts = await inertParts(result.parts, work);
  if (result.structured === undefined || result.structured === null) return parts;
  const structured = await inertInTurns(result.structured, work);
  const json = JSON.stringify(structured);
  if (json.length > atOnce) await setImmediate();
  const others = parts.filter((part) => !(part.kind === 'text' && sameJson(part.text, json)));
  return [...others, { kind: 'json', value: structured as Extract<ResultPart, { kind: 'json' }>['value'] }];
}

/** Bytes of text that the parts would take in a note or a request; pictures and sounds are files and do not count. */
export function textBytes(parts: readonly ResultPart[]): number {
  return parts.reduce((sum, part) => {
    const address = part.kind === 'resource' ? part.uri : '';
    return sum + Buffer.byteLength(address) + Buffer.byteLength(partText(part));
  }, 0);
}

/** A part as plain text; empty for what is no text. */
export function partText(part: ResultPart): string {
  switch (part.kind) {
    case 'text':
    case 'resource':
      return part.text;
    case 'json':
    case 'unknown':
      return JSON.stringify(part.value);
    case 'link':
      return `${part.name} ${part.uri}`;
    case 'image':
    case 'audio':
      return '';
  }
}

/** What a server says in parts of any kind, made inert. Bytes stay as they are. */
export async function inertParts(
  resultParts: readonly ResultPart[],
  work: InertWork = createInertWork(),
): Promise<ResultPart[]> {
  const parts: ResultPart[] = [];
  for (const part of resultParts)
    parts.push(
      part.kind === 'image' || part.kind === 'audio'
        ? { ...part, mediaType: inert(part.mediaType) }
        : await inertInTurns(part, work),
    );
  return parts;
}

function sameJson(text: string, json: string): boolean {
  if (!/^\s*[[{"\d\-tfn]/.test(text)) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === json;
  } catch {
    return false;
  }
}
