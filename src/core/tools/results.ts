import type { ResultPart } from '../../contract/tools';
import { inert, inertValue } from '../foundation';
import type { McpCallResult } from '../mcp';

/** What a server answered, made inert; structured content that the text only repeats is kept once. */
export function resultParts(result: McpCallResult): ResultPart[] {
  const parts = result.parts.map(inertPart);
  if (result.structured === undefined || result.structured === null) return parts;
  const structured = inertValue(result.structured);
  const json = JSON.stringify(structured);
  const others = parts.filter((part) => !(part.kind === 'text' && sameJson(part.text, json)));
  return [...others, { kind: 'json', value: structured as Extract<ResultPart, { kind: 'json' }>['value'] }];
}

/** Bytes of text that the parts would take in a note or a request; pictures and sounds are files and do not count. */
export function textBytes(parts: readonly ResultPart[]): number {
  return parts.reduce((sum, part) => sum + Buffer.byteLength(partText(part)), 0);
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

function inertPart(part: ResultPart): ResultPart {
  switch (part.kind) {
    case 'text':
      return { ...part, text: inert(part.text) };
    case 'resource':
      return { ...part, uri: inert(part.uri), text: inert(part.text) };
    case 'link':
      return { ...part, uri: inert(part.uri), name: inert(part.name) };
    case 'json':
    case 'unknown':
      return { ...part, value: inertValue(part.value) };
    case 'image':
    case 'audio':
      return part;
  }
}

function sameJson(text: string, json: string): boolean {
  if (!/^\s*[[{"\d\-tfn]/.test(text)) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === json;
  } catch {
    return false;
  }
}
