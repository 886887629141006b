import { StreamFault } from '../failures';
import { isObject, type JsonObject } from '../format';
import type { FinishReason, ModelEvent } from '../provider';
import type { Reading } from '../reading';
import { sourceIn } from '../sources';
import { createToolCalls } from '../tool-calls';
import { fromGeminiUsage, type GeminiUsage } from '../usage';

export interface GeminiChunk {
  readonly candidates?: readonly {
    readonly index?: number;
    readonly content?: { readonly parts?: readonly JsonObject[] };
    readonly finishReason?: string;
    readonly groundingMetadata?: { readonly groundingChunks?: readonly unknown[] };
  }[];
  readonly promptFeedback?: { readonly blockReason?: string };
  readonly usageMetadata?: GeminiUsage;
}

/** The parts of the answer with their signatures, which have to go back exactly. */
export interface GeminiNative {
  readonly parts: readonly JsonObject[];
}

export function createReading(): Reading<GeminiChunk> {
  const parts: JsonObject[] = [];
  const calls = createToolCalls();
  let usage: GeminiUsage | null = null;
  let finish: string | null = null;
  let blocked = false;

  function take(chunk: GeminiChunk): readonly ModelEvent[] {
    const first: readonly ModelEvent[] =
      chunk.usageMetadata && !usage
        ? [{ kind: 'usage-so-far', usage: fromGeminiUsage(chunk.usageMetadata) }]
        : [];
    if (chunk.usageMetadata) usage = chunk.usageMetadata;
    if (chunk.promptFeedback?.blockReason) blocked = true;
    const candidate = chunk.candidates?.find(({ index }) => (index ?? 0) === 0);
    if (!candidate) return first;
    if (candidate.finishReason) finish = candidate.finishReason;
    return [
      ...first,
      ...(candidate.groundingMetadata?.groundingChunks ?? []).flatMap(sourceIn),
      ...(candidate.content?.parts ?? []).flatMap(takePart),
    ];
  }

  function takePart(part: JsonObject): readonly ModelEvent[] {
    keep(parts, part);
    if (isObject(part.functionCall)) {
      const { id, name, args } = part.functionCall;
      const ownId = typeof id === 'string' ? id : null;
      // A call comes whole; the number makes sure that each is one of its own.
      return calls.add({ index: calls.size, id: ownId, name: String(name), arguments: args ?? {} });
    }
    if (typeof part.text !== 'string' || part.text === '') return [];
    return [{ kind: part.thought === true ? 'reasoning' : 'text', text: part.text }];
  }

  function end(): readonly ModelEvent[] {
    if (finish === null && !blocked)
      throw new StreamFault('incomplete', 'The stream ended without a finish reason.');
    const complete = calls.finish();
    const native: GeminiNative = { parts };
    return [
      ...complete,
      { kind: 'native', state: { format: 'gemini-generateContent', value: native } },
      ...(usage ? [{ kind: 'usage', usage: fromGeminiUsage(usage) } as const] : []),
      { kind: 'finish', reason: blocked ? 'content-filter' : reasonOf(finish, complete.length > 0) },
    ];
  }

  return { take, end };
}

/** Pieces of one text become one part; a signature stays on the part that it came with. */
function keep(parts: JsonObject[], part: JsonObject): void {
  const last = parts.at(-1);
  const plain = typeof part.text === 'string' && part.thoughtSignature === undefined;
  if (plain && part.text === '') return;
  const joins =
    plain &&
    last !== undefined &&
    typeof last.text === 'string' &&
    last.thoughtSignature === undefined &&
    last.thought === part.thought;
  if (joins) last.text = `${last.text}${part.text}`;
  else parts.push({ ...part });
}

function reasonOf(finish: string | null, hasCalls: boolean): FinishReason {
  switch (finish) {
    case 'STOP':
      return hasCalls ? 'tool-calls' : 'stop';
    case 'MAX_TOKENS':
      return 'length';
    case 'SAFETY':
    case 'RECITATION':
    case 'BLOCKLIST':
    case 'PROHIBITED_CONTENT':
    case 'SPII':
    case 'IMAGE_SAFETY':
      return 'content-filter';
    default:
      return hasCalls ? 'tool-calls' : 'unknown';
  }
}
