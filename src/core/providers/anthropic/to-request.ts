import { asText, kindOf } from '../attachments';
import { callIds } from '../call-ids';
import { type JsonObject, withParameters } from '../format';
import type { Attachment, ModelRequest, NeutralMessage } from '../provider';
import { toolSchema } from '../tool-schema';
import type { AnthropicNative } from './from-stream';
import { thinkingFields } from './thinking';

type AssistantMessage = Extract<NeutralMessage, { role: 'assistant' }>;

export function toRequest(request: ModelRequest): JsonObject {
  const system = request.messages.filter((message) => message.role === 'system').map(({ text }) => text);
  const tools: JsonObject[] = request.tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    input_schema: toolSchema(tool, { inlineDefinitions: false }),
  }));
  if (request.webSearch) tools.push({ type: 'web_search_20250305', name: 'web_search', max_uses: 5 });
  const last = tools.at(-1);
  if (last) Object.assign(last, remembered);
  const thinking = thinkingFields(request, canThink(request.messages));
  const body: JsonObject = {
    model: request.model,
    ...(system.length > 0 && { system: [{ type: 'text', text: system.join('\n\n'), ...remembered }] }),
    messages: withBreakpoints(toMessages(request.messages)),
    stream: true,
    ...(tools.length > 0 && { tools, tool_choice: { type: request.toolChoice ? 'any' : 'auto' } }),
    ...thinking,
    // With thinking on only the default temperature is accepted.
    ...(request.temperature !== undefined && !thinking.thinking && { temperature: request.temperature }),
  };
  return withParameters(body, request.parameters);
}

/** Up to here the provider remembers what came, so that the next request pays a tenth for it. Four such places are allowed. */
const remembered = { cache_control: { type: 'ephemeral' } };

/**
 * After the tools and after the system's words, both set where they are made; then after the question and after what was said last,
 * which every request of a tool loop and the next question go on from.
 */
function withBreakpoints(messages: readonly AnthropicMessage[]): AnthropicMessage[] {
  const isQuestion = ({ role, content }: AnthropicMessage) =>
    role === 'user' && content.some((block) => block.type !== 'tool_result');
  const places = new Set([
    messages.findLastIndex(isQuestion),
    messages.findLastIndex(({ role }) => role === 'user'),
  ]);
  return messages.map((message, at) =>
    places.has(at)
      ? {
          ...message,
          content: message.content.map((block, index) =>
            index === message.content.length - 1 ? { ...block, ...remembered } : block,
          ),
        }
      : message,
  );
}

/** A tool loop that began without thinking blocks can't go on with thinking. */
function canThink(messages: readonly NeutralMessage[]): boolean {
  const lastUser = messages.findLastIndex((message) => message.role === 'user');
  return messages
    .slice(lastUser + 1)
    .every(
      (message) =>
        message.role !== 'assistant' ||
        message.toolCalls.length === 0 ||
        nativeOf(message)?.content.some((block) => /thinking/.test(String(block.type))),
    );
}

interface AnthropicMessage {
  readonly role: 'user' | 'assistant';
  readonly content: JsonObject[];
}

function toMessages(neutral: readonly NeutralMessage[]): AnthropicMessage[] {
  const idFor = callIds(neutral, (message) =>
    (nativeOf(message)?.content ?? [])
      .filter((block) => block.type === 'tool_use')
      .map((block) => String(block.id)),
  );
  const messages: AnthropicMessage[] = [];
  /** Turns alternate, and all results of a turn stand in one message, before anything else in it. */
  const add = (role: 'user' | 'assistant', content: JsonObject[]) => {
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) messages.push({ role, content });
  };
  for (const message of neutral) {
    if (message.role === 'user')
      add('user', [...message.attachments.map(attachmentBlock), ...text(message.text)]);
    if (message.role === 'assistant') add('assistant', assistantContent(message, idFor));
    if (message.role === 'tool') add('user', [toolResult(message, idFor)]);
  }
  return messages;
}

function assistantContent(message: AssistantMessage, idFor: (id: string) => string): JsonObject[] {
  const native = nativeOf(message);
  // Empty text blocks come in answers but are refused in requests.
  if (native)
    return native.content.filter((block) => block.type !== 'text' || String(block.text).trim() !== '');
  return [
    ...text(message.text),
    ...message.toolCalls.map((call) => ({
      type: 'tool_use',
      id: idFor(call.id),
      name: call.name,
      input: call.arguments,
    })),
  ];
}

function toolResult(
  message: Extract<NeutralMessage, { role: 'tool' }>,
  idFor: (id: string) => string,
): JsonObject {
  return {
    type: 'tool_result',
    tool_use_id: idFor(message.callId),
    content: [...text(message.text), ...message.images.map(attachmentBlock)],
    ...(message.isError && { is_error: true }),
  };
}

function attachmentBlock(attachment: Attachment): JsonObject {
  const source = { type: 'base64', media_type: attachment.mediaType, data: attachment.base64 };
  const kind = kindOf(attachment);
  if (kind === 'image') return { type: 'image', source };
  if (kind === 'pdf') return { type: 'document', source, title: attachment.name };
  return { type: 'text', text: asText(attachment) };
}

function text(value: string): JsonObject[] {
  return value.trim() === '' ? [] : [{ type: 'text', text: value }];
}

function nativeOf(message: AssistantMessage): AnthropicNative | null {
  return message.native?.format === 'anthropic-messages' ? (message.native.value as AnthropicNative) : null;
}
