import { asText, kindOf, resultText } from '../attachments';
import { callIds } from '../call-ids';
import { type JsonObject, withParameters } from '../format';
import type { Attachment, ModelRequest, NeutralMessage } from '../provider';
import { toolSchema } from '../tool-schema';
import type { OllamaNative } from './from-stream';

type AssistantMessage = Extract<NeutralMessage, { role: 'assistant' }>;

export function toRequest(request: ModelRequest): JsonObject {
  const options = {
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.maxTokens !== undefined && { num_predict: request.maxTokens }),
  };
  const body: JsonObject = {
    model: request.model,
    messages: toMessages(request.messages),
    stream: true,
    ...(request.tools.length > 0 && {
      tools: request.tools.map((tool) => ({
        type: 'function',
        function: {
          name: tool.name,
          description: tool.description,
          parameters: toolSchema(tool, { inlineDefinitions: false }),
        },
      })),
    }),
    ...(Object.keys(options).length > 0 && { options }),
    ...thinkField(request),
  };
  return withParameters(body, request.parameters);
}

/** gpt-oss takes a level; other models think or don't. */
function thinkField({ model, reasoningEffort: effort }: ModelRequest): JsonObject {
  if (effort === undefined) return {};
  if (effort === 'none') return { think: false };
  return { think: model.includes('gpt-oss') ? effort : true };
}

function toMessages(neutral: readonly NeutralMessage[]): JsonObject[] {
  const idFor = callIds(neutral, (message) => nativeOf(message)?.callIds ?? []);
  const convert = (message: NeutralMessage): JsonObject[] => {
    switch (message.role) {
      case 'system':
        return [{ role: 'system', content: message.text }];
      case 'user':
        return [{ role: 'user', ...contentOf(message.text, message.attachments) }];
      case 'assistant':
        return message.text === '' && message.toolCalls.length === 0
          ? []
          : [assistantMessage(message, idFor)];
      case 'tool':
        return [
          {
            role: 'tool',
            tool_name: message.name,
            tool_call_id: idFor(message.callId),
            ...contentOf(resultText(message), message.images),
          },
        ];
    }
  };
  return neutral.flatMap(convert);
}

function contentOf(text: string, attachments: readonly Attachment[]): JsonObject {
  const images = attachments.filter((attachment) => kindOf(attachment) === 'image');
  const others = attachments.filter((attachment) => kindOf(attachment) !== 'image');
  return {
    content: [text, ...others.map(asText)].join('\n\n'),
    ...(images.length > 0 && { images: images.map(({ base64 }) => base64) }),
  };
}

function assistantMessage(message: AssistantMessage, idFor: (id: string) => string): JsonObject {
  const thinking = nativeOf(message)?.thinking;
  return {
    role: 'assistant',
    content: message.text,
    ...(thinking && { thinking }),
    ...(message.toolCalls.length > 0 && {
      tool_calls: message.toolCalls.map((call) => ({
        id: idFor(call.id),
        function: { name: call.name, arguments: call.arguments },
      })),
    }),
  };
}

function nativeOf(message: AssistantMessage): OllamaNative | null {
  return message.native?.format === 'ollama-chat' ? (message.native.value as OllamaNative) : null;
}
