import type { ResultPart } from '../../../contract/tools';
import type { Conversation, NotePart, ToolResult } from '../../../markdown';
import type { EarlierResult } from '../../tools';

/** The results in a note that a later call may reuse: those that went well and stand there whole. */
export function earlierResults(conversation: Conversation): EarlierResult[] {
  const earlier: EarlierResult[] = [];
  const add = (server: string, tool: string, args: Readonly<Record<string, unknown>>, result: ToolResult) => {
    const reusable = earlierResult(server, tool, args, result);
    if (reusable) earlier.push(reusable);
  };
  for (const turn of conversation.turns) {
    for (const part of turn.parts) {
      if (part.kind !== 'call') continue;
      const { call } = part;
      add(call.server, call.tool, call.arguments, call.result);
    }
  }
  for (const block of conversation.blocks) {
    if (block.result && block.arguments) {
      add(block.server, block.tool, block.arguments, block.result.value);
    }
  }
  return earlier;
}

export function earlierResult(
  serverName: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  result: ToolResult,
): EarlierResult | null {
  const at = result.at === null ? Number.NaN : Date.parse(result.at);
  if (result.state !== 'ok' || result.truncated || Number.isNaN(at)) return null;
  const parts: ResultPart[] = [];
  for (const part of result.parts) {
    const asResult = resultPart(part);
    if (!asResult) return null;
    parts.push(asResult);
  }
  const { definition } = result;
  const outcome = {
    callId: 'earlier',
    status: 'ok',
    parts,
    ms: 0,
    at,
    cached: true,
    truncated: false,
    definition,
  } as const;
  return { serverName, tool, arguments: args, definition, at, outcome };
}

function resultPart(part: NotePart): ResultPart | null {
  switch (part.kind) {
    case 'text':
    case 'link':
      return part;
    case 'json':
      return { kind: 'json', value: part.value as Extract<ResultPart, { kind: 'json' }>['value'] };
    case 'resource':
      return { ...part, mediaType: null };
    case 'picture':
    case 'file':
      return null;
  }
}
