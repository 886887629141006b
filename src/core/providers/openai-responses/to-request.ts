import { asText, dataUrl, kindOf, resultText } from '../attachments';
import { callIds } from '../call-ids';
import { type JsonObject, withParameters } from '../format';
import type { Attachment, ModelRequest, NeutralMessage } from '../provider';
import { toolSchema } from '../tool-schema';
import type { VendorRow } from '../vendors';
import type { ResponsesNative } from './from-stream';

type AssistantMessage = Extract<NeutralMessage, { role: 'assistant' }>;

/** Models that reason; asking others for encrypted reasoning is an error. */
const reasons = /^(openai\/)?(gpt-([5-9]|oss)|o\d|codex)|^grok/;

export function toRequest(request: ModelRequest, vendor: VendorRow): JsonObject {
  const tools: JsonObject[] = request.tools.map((tool) => ({
    type: 'function',
    name: tool.name,
    description: tool.description,
    parameters: toolSchema(tool, { inlineDefinitions: false }),
    strict: false,
  }));
  if (request.webSearch) tools.push({ type: 'web_search' });
  const effort = request.reasoningEffort;
  const body: JsonObject = {
    model: request.model,
    input: toInput(request, vendor),
    stream: true,
    // Nothing is kept at the provider, so reasoning has to travel, encrypted.
    store: false,
    ...((reasons.test(request.model) || (effort && effort !== 'none')) && {
      include: ['reasoning.encrypted_content'],
    }),
    ...(tools.length > 0 && { tools, tool_choice: request.toolChoice ?? 'auto' }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.maxTokens !== undefined && { max_output_tokens: request.maxTokens }),
    ...(effort && { reasoning: effort === 'none' ? { effort } : { effort, summary: 'auto' } }),
  };
  return withParameters(body, request.parameters);
}

function toInput(request: ModelRequest, vendor: VendorRow): JsonObject[] {
  const idFor = callIds(request.messages, (message) =>
    (nativeOf(message)?.items ?? [])
      .filter((item) => item.type === 'function_call')
      .map((item) => String(item.call_id)),
  );
  const convert = (message: NeutralMessage): JsonObject[] => {
    switch (message.role) {
      case 'system':
        return [{ role: 'system', content: message.text }];
      case 'user':
        return [
          { role: 'user', content: userContent(message.text, message.attachments, request.model, vendor) },
        ];
      case 'assistant':
        return assistantItems(message, idFor);
      case 'tool':
        return [
          {
            type: 'function_call_output',
            call_id: idFor(message.callId),
            output:
              message.images.length === 0
                ? resultText(message)
                : userContent(resultText(message), message.images, request.model, vendor),
          },
        ];
    }
  };
  return request.messages.flatMap(convert);
}

function userContent(
  text: string,
  attachments: readonly Attachment[],
  model: string,
  { quirks }: VendorRow,
): JsonObject[] {
  const parts = attachments.map((attachment): JsonObject => {
    const kind = kindOf(attachment);
    if (kind === 'image' && quirks.images.test(model))
      return { type: 'input_image', image_url: dataUrl(attachment), detail: 'auto' };
    if (kind === 'pdf' && quirks.pdf)
      return { type: 'input_file', filename: attachment.name, file_data: dataUrl(attachment) };
    return { type: 'input_text', text: asText(attachment) };
  });
  return [...(text === '' && parts.length > 0 ? [] : [{ type: 'input_text', text }]), ...parts];
}

function assistantItems(message: AssistantMessage, idFor: (id: string) => string): JsonObject[] {
  const native = nativeOf(message);
  // A reasoning item without its encrypted content would be looked up at the provider, which keeps nothing.
  if (native) return native.items.filter((item) => item.type !== 'reasoning' || item.encrypted_content);
  return [
    ...(message.text === '' ? [] : [{ role: 'assistant', content: message.text }]),
    ...message.toolCalls.map((call) => ({
      type: 'function_call',
      call_id: idFor(call.id),
      name: call.name,
      arguments: JSON.stringify(call.arguments),
    })),
  ];
}

function nativeOf(message: AssistantMessage): ResponsesNative | null {
  return message.native?.format === 'openai-responses' ? (message.native.value as ResponsesNative) : null;
}
