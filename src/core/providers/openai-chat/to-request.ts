import { asText, dataUrl, kindOf, resultText } from '../attachments';
import { callIds } from '../call-ids';
import { isObject, type JsonObject, withParameters } from '../format';
import type { Attachment, ModelRequest, NeutralMessage } from '../provider';
import type { Quirks } from '../quirks';
import { toolSchema } from '../tool-schema';
import { effortFields } from './effort';
import type { ChatNative } from './from-stream';

type AssistantMessage = Extract<NeutralMessage, { role: 'assistant' }>;

export function toRequest(request: ModelRequest, quirks: Quirks): JsonObject {
  const tools = request.tools.map((tool) => ({
    type: 'function',
    function: {
      name: tool.name,
      description: tool.description,
      parameters: toolSchema(tool, { inlineDefinitions: quirks.inlineDefinitions }),
    },
  }));
  const body: JsonObject = {
    model: request.model,
    messages: quirks.cacheMarks?.test(request.model)
      ? withCacheMarks(toMessages(request, quirks))
      : toMessages(request, quirks),
    stream: true,
    ...(quirks.streamOptions && { stream_options: { include_usage: true } }),
    ...quirks.always,
    ...(tools.length > 0 && { tools, tool_choice: request.toolChoice ?? 'auto' }),
    ...(tools.length > 0 && quirks.toolStream && { tool_stream: true }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.maxTokens !== undefined && { [quirks.maxTokensField]: request.maxTokens }),
    ...effortFields(request, quirks),
    ...(request.webSearch && quirks.webSearch),
  };
  return withParameters(body, request.parameters);
}

/** After the system's words, which the tools stand before, after the question, and after what was said last. */
function withCacheMarks(messages: readonly JsonObject[]): JsonObject[] {
  const last = (...roles: string[]) => messages.findLastIndex(({ role }) => roles.includes(String(role)));
  const places = new Set([last('system'), last('user'), last('user', 'tool')]);
  return messages.map((message, at) => (places.has(at) ? marked(message) : message));
}

/** Only a part of text can bear a mark. */
function marked(message: JsonObject): JsonObject {
  const { content } = message;
  const parts: unknown[] = typeof content === 'string' ? [{ type: 'text', text: content }] : [];
  if (Array.isArray(content)) parts.push(...content);
  const at = parts.findLastIndex((part) => isObject(part) && part.type === 'text' && part.text !== '');
  if (at === -1) return message;
  const cache_control = { type: 'ephemeral' };
  return {
    ...message,
    content: parts.map((part, index) => (index === at && isObject(part) ? { ...part, cache_control } : part)),
  };
}

function toMessages(request: ModelRequest, quirks: Quirks): JsonObject[] {
  const idFor = callIds(request.messages, (message) => nativeOf(message)?.callIds ?? [], quirks.anyCallId);
  const messages: JsonObject[] = [];
  /** Images of tool results: a tool message takes text only, so they follow the last result of the turn. */
  let pictures: Attachment[] = [];
  const showPictures = () => {
    if (pictures.length > 0)
      messages.push(userMessage('Pictures from the tool results:', pictures, request, quirks));
    pictures = [];
  };

  for (const message of request.messages) {
    if (message.role !== 'tool') showPictures();
    switch (message.role) {
      case 'system':
        messages.push({ role: 'system', content: message.text });
        break;
      case 'user':
        messages.push(userMessage(message.text, message.attachments, request, quirks));
        break;
      case 'assistant':
        if (message.text !== '' || message.toolCalls.length > 0)
          messages.push(assistantMessage(message, idFor, request.model, quirks));
        break;
      case 'tool':
        messages.push({ role: 'tool', tool_call_id: idFor(message.callId), content: resultText(message) });
        pictures.push(...message.images);
        break;
    }
  }
  showPictures();
  return messages;
}

function userMessage(
  text: string,
  attachments: readonly Attachment[],
  request: ModelRequest,
  quirks: Quirks,
): JsonObject {
  if (attachments.length === 0) return { role: 'user', content: text };
  const parts = attachments.map((attachment): JsonObject => {
    const kind = kindOf(attachment);
    if (kind === 'image' && quirks.images.test(request.model))
      return { type: 'image_url', image_url: { url: dataUrl(attachment) } };
    if (kind === 'pdf' && quirks.pdf)
      return { type: 'file', file: { filename: attachment.name, file_data: dataUrl(attachment) } };
    return { type: 'text', text: asText(attachment) };
  });
  return { role: 'user', content: [...(text === '' ? [] : [{ type: 'text', text }]), ...parts] };
}

function assistantMessage(
  message: AssistantMessage,
  idFor: (id: string) => string,
  model: string,
  quirks: Quirks,
): JsonObject {
  const calls = message.toolCalls.map((call) => ({
    id: idFor(call.id),
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
  return {
    role: 'assistant',
    content: message.text === '' && calls.length > 0 ? null : message.text,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...reasoningFields(nativeOf(message), calls.length > 0, model, quirks),
  };
}

function reasoningFields(
  native: ChatNative | null,
  hasCalls: boolean,
  model: string,
  quirks: Quirks,
): JsonObject {
  if (quirks.stripReasoning?.test(model)) return {};
  switch (quirks.returnReasoning) {
    case 'never':
      return {};
    case 'reasoning_details':
      return native && native.reasoningDetails.length > 0
        ? { reasoning_details: native.reasoningDetails }
        : {};
    case 'as-received':
      return native?.reasoning && native.reasoningField ? { [native.reasoningField]: native.reasoning } : {};
    case 'reasoning_content':
      if (native?.reasoning) return { reasoning_content: native.reasoning };
      return quirks.backfillReasoning && hasCalls ? { reasoning_content: '' } : {};
  }
}

function nativeOf(message: AssistantMessage): ChatNative | null {
  return message.native?.format === 'openai-chat' ? (message.native.value as ChatNative) : null;
}
