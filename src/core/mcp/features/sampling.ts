import {
  type CreateMessageRequestParams,
  type CreateMessageResultWithTools,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import type { AskAnswer, ServerAsk } from '../../../contract/asks';
import { jsonFault } from '../../../contract/json';
import { measured } from '../../foundation';

/** One message of what a server wants a model to answer. Results answer the calls of the message before. */
export interface SampleMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly images: readonly { readonly mediaType: string; readonly base64: string }[];
  readonly toolCalls: readonly SampleCall[];
  readonly toolResults: readonly { readonly id: string; readonly text: string; readonly isError: boolean }[];
}

export interface SampleCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What a server wants a model to answer. Its tools are its own: calls of them go back to it and nowhere else. */
export interface SampleRequest {
  readonly system: string;
  readonly messages: readonly SampleMessage[];
  readonly maxTokens: number;
  /** Names or parts of names of models, the best first. */
  readonly hints: readonly string[];
  /** What matters where no hint fits; 0 to 1. */
  readonly priorities: { readonly cost: number; readonly speed: number; readonly intelligence: number };
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: Readonly<Record<string, unknown>>;
  }[];
  readonly toolChoice: 'auto' | 'required' | 'none';
}

export interface SampleResult {
  readonly model: string;
  readonly text: string;
  readonly toolCalls: readonly SampleCall[];
  /** It reached `maxTokens`. */
  readonly cut: boolean;
}

/** A model that would answer, found before the person is asked, so that they see whose tokens it costs. */
export interface SamplingModel {
  readonly name: string;
  answer(request: SampleRequest, signal: AbortSignal): Promise<SampleResult>;
}

/** `characters`: of all that the model would read; pictures do not count. */
const most = { tokens: 8_192, rounds: 10, tools: 128, characters: 1_000_000 };

type SamplingAsk = Extract<ServerAsk['ask'], { kind: 'sampling' }>;
type Block = Extract<CreateMessageRequestParams['messages'][number]['content'], readonly unknown[]>[number];

/** Answers a sampling request of a server with a model, each time after the person has seen all that it would be sent. */
export async function answerSampling(
  params: CreateMessageRequestParams,
  parts: {
    ask(ask: SamplingAsk, signal: AbortSignal): Promise<AskAnswer>;
    selectModel(request: SampleRequest): Promise<SamplingModel>;
  },
  signal: AbortSignal,
): Promise<CreateMessageResultWithTools> {
  const request = readSampling(params);
  // Without a model the person is told so in the question, and can only refuse.
  const model = await parts.selectModel(request).catch(() => null);
  const { action } = await parts.ask(askOf(request, model?.name ?? null), signal);
  if (action !== 'accept') throw new ProtocolError(-1, 'The person did not allow it.');
  if (!model) throw new ProtocolError(-1, 'There is no model for this request.');
  const result = await model.answer(request, signal);
  if (request.toolChoice === 'required' && result.toolCalls.length === 0 && !result.cut)
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'The model did not call a tool.');
  return messageOf(result);
}

/** Throws a protocol error where calls and results do not belong together, or where it goes on too long. */
export function readSampling(params: CreateMessageRequestParams): SampleRequest {
  const messages = params.messages.map(readMessage);
  const fault = imbalance(messages);
  if (fault !== null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, fault);
  const rounds = messages.filter(({ toolCalls }) => toolCalls.length > 0).length;
  if (rounds > most.rounds) throw new ProtocolError(-1, `More than ${most.rounds} rounds of tools.`);
  const unreadable = jsonFault(params);
  if (unreadable !== null)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The question ${unreadable}.`);
  const tools = params.tools ?? [];
  if (tools.length > most.tools) throw new ProtocolError(-1, `More than ${most.tools} tools.`);
  if (lengthOf(params) > most.characters)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `The question has more than ${most.characters.toLocaleString('en')} characters.`,
    );
  const { hints = [], costPriority, speedPriority, intelligencePriority } = params.modelPreferences ?? {};
  return {
    system: params.systemPrompt ?? '',
    messages,
    maxTokens: Math.min(params.maxTokens, most.tokens),
    hints: hints.flatMap(({ name }) => (name ? [name] : [])),
    priorities: {
      cost: costPriority ?? 0,
      speed: speedPriority ?? 0,
      intelligence: intelligencePriority ?? 0,
    },
    tools: tools.map(({ name, description = '', inputSchema }) => ({ name, description, inputSchema })),
    toolChoice: params.toolChoice?.mode ?? 'auto',
  };
}

/** Characters of all texts. */
function lengthOf(params: CreateMessageRequestParams): number {
  const size = measured(params);
  if (typeof size === 'string') return Number.POSITIVE_INFINITY;
  const bytesOf = (block: object): number =>
    'data' in block && typeof block.data === 'string' ? block.data.length : 0;
  const bytes = params.messages
    .flatMap(({ content }): Block[] => (Array.isArray(content) ? content : [content]))
    .flatMap((block): object[] => (block.type === 'tool_result' ? (block.content ?? []) : [block]))
    .reduce((sum, block) => sum + bytesOf(block), 0);
  return size.characters - bytes;
}

function readMessage({ role, content }: CreateMessageRequestParams['messages'][number]): SampleMessage {
  const blocks: readonly Block[] = Array.isArray(content) ? content : [content];
  const results = blocks.filter((block) => block.type === 'tool_result');
  if (results.length > 0 && (role !== 'user' || results.length < blocks.length))
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'Results of tools stand alone in their message.',
    );
  return {
    role,
    text: blocks.flatMap(textOf).join('\n'),
    images: blocks.flatMap((block) =>
      block.type === 'image' ? [{ mediaType: block.mimeType, base64: block.data }] : [],
    ),
    toolCalls: blocks.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, arguments: block.input }] : [],
    ),
    toolResults: results.map(({ toolUseId, content: parts = [], isError = false, structuredContent }) => ({
      id: toolUseId,
      text:
        parts.map((part) => (part.type === 'text' ? part.text : `(${part.type})`)).join('\n') ||
        (structuredContent === undefined ? '' : JSON.stringify(structuredContent)),
      isError,
    })),
  };
}

function textOf(block: Block): string[] {
  switch (block.type) {
    case 'text':
      return [block.text];
    case 'audio':
      return ['(audio)'];
    case 'image':
    case 'tool_use':
    case 'tool_result':
      return [];
  }
}

/** Each call is answered in the very next message, and nothing else is. */
function imbalance(messages: readonly SampleMessage[]): string | null {
  for (const [at, { role, toolCalls, toolResults }] of messages.entries()) {
    if (toolCalls.length > 0 && role !== 'assistant') return 'Only an assistant calls tools.';
    const ids = messages[at - 1]?.toolCalls.map(({ id }) => id) ?? [];
    const answered = toolResults.map(({ id }) => id);
    if (ids.length === 0 && answered.length === 0) continue;
    if (ids.length !== answered.length || ids.some((id) => !answered.includes(id)))
      return 'Calls of tools and their results do not match.';
  }
  if ((messages.at(-1)?.toolCalls.length ?? 0) > 0) return 'The last calls of tools have no results.';
  return null;
}

/** All of it in words, as the person is shown it. */
function askOf(request: SampleRequest, model: string | null): SamplingAsk {
  return {
    kind: 'sampling',
    system: request.system,
    messages: request.messages.map(({ role, text, images, toolCalls, toolResults }) => ({
      role,
      text: [
        text,
        ...images.map(({ mediaType }) => `(${mediaType})`),
        ...toolCalls.map(({ name, arguments: args }) => `→ ${name} ${JSON.stringify(args)}`),
        ...toolResults.map((result) => `${result.isError ? '✗' : '←'} ${result.text}`),
      ]
        .filter((line) => line !== '')
        .join('\n'),
    })),
    maxTokens: request.maxTokens,
    hints: [...request.hints],
    tools: request.tools.map((tool) => ({
      ...tool,
      inputSchema: tool.inputSchema as SamplingAsk['tools'][number]['inputSchema'],
    })),
    toolChoice: request.toolChoice,
    model,
  };
}

function messageOf({ model, text, toolCalls, cut }: SampleResult): CreateMessageResultWithTools {
  const content = { type: 'text' as const, text };
  const calls = toolCalls.map(({ id, name, arguments: input }) => ({
    type: 'tool_use' as const,
    id,
    name,
    input: { ...input },
  }));
  return {
    role: 'assistant',
    model,
    content: calls.length === 0 ? content : [...(text === '' ? [] : [content]), ...calls],
    stopReason: calls.length > 0 ? 'toolUse' : cut ? 'maxTokens' : 'endTurn',
  };
}
