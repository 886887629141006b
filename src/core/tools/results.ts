import type { ResultPart } from '../../contract/tools';
import { inertInTurns } from '../foundation';
import type { McpCallResult } from '../mcp';

/** What a server answered, made inert; structured content that the text only repeats is kept once. */
export async function resultParts(result: McpCallResult): Promise<ResultPart[]> {
  const parts: ResultPart[] = [];
  for (const part of result.parts) parts.push(await inertPart(part));
  if (result.structured === undefined || result.structured === null) return parts;
  const structured = await inertInTurns(result.structured);
  const json = JSON.stringify(structured);
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

const inertPart = async (part: ResultPart): Promise<ResultPart> =>
  part.kind === 'image' || part.kind === 'audio' ? part : inertInTurns(part);

function sameJson(text: string, json: string): boolean {
  if (!/^\s*[[{"\d\-tfn]/.test(text)) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === json;
  } catch {
    return false;
  }
}
