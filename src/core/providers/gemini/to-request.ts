import { asText, kindOf } from '../attachments';
import { callIds } from '../call-ids';
import { isObject, type JsonObject, withParameters } from '../format';
import type { Attachment, ModelRequest, NeutralMessage } from '../provider';
import { toolSchema } from '../tool-schema';
import type { GeminiNative } from './from-stream';
import { thinkingConfig } from './thinking';

type AssistantMessage = Extract<NeutralMessage, { role: 'assistant' }>;

/** Google's documented stand-in for a signature of a call that another model made. */
const noSignature = 'skip_thought_signature_validator';

export function toRequest(request: ModelRequest): JsonObject {
  const system = request.messages.filter((message) => message.role === 'system').map(({ text }) => text);
  const functionDeclarations = request.tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    parametersJsonSchema: toolSchema(tool, { inlineDefinitions: false }),
  }));
  // Before version 3 the search and functions exclude each other.
  const searches =
    request.webSearch && (functionDeclarations.length === 0 || !/gemini-[12]/.test(request.model));
  const tools: JsonObject[] = [
    ...(functionDeclarations.length > 0 ? [{ functionDeclarations }] : []),
    ...(searches ? [{ googleSearch: {} }] : []),
  ];
  const thinking = thinkingConfig(request.model, request.reasoningEffort);
  const generationConfig = {
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.maxTokens !== undefined && { maxOutputTokens: request.maxTokens }),
    ...(thinking && { thinkingConfig: thinking }),
  };
  const body: JsonObject = {
    contents: toContents(request),
    ...(system.length > 0 && { systemInstruction: { role: 'user', parts: [{ text: system.join('\n\n') }] } }),
    ...(functionDeclarations.length > 0 && {
      toolConfig: { functionCallingConfig: { mode: request.toolChoice ? 'ANY' : 'AUTO' } },
    }),
    ...(tools.length > 0 && { tools }),
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
  };
  return withParameters(body, request.parameters);
}

function toContents(request: ModelRequest): JsonObject[] {
  const idFor = callIds(request.messages, (message) =>
    callParts(message).map((part) => String((part.functionCall as JsonObject).id ?? '')),
  );
  /** Calls that came without an id are answered without one, in their order. */
  const nameless = new Set(
    request.messages.flatMap((message) => {
      if (message.role !== 'assistant') return [];
      const parts = callParts(message);
      return message.toolCalls
        .filter((_call, at) => {
          const call = parts[at]?.functionCall;
          return isObject(call) && !call.id;
        })
        .map(({ id }) => id);
    }),
  );
  const contents: { role: 'user' | 'model'; parts: JsonObject[] }[] = [];
  let afterResult = false;
  for (const message of request.messages) {
    switch (message.role) {
      case 'system':
        continue;
      case 'user':
        contents.push({
          role: 'user',
          parts: [...text(message.text), ...message.attachments.map(attachmentPart)],
        });
        break;
      case 'assistant': {
        const parts = assistantParts(message, request.model, idFor);
        if (parts.length > 0) contents.push({ role: 'model', parts });
        break;
      }
      case 'tool': {
        const part = {
          functionResponse: {
            ...(!nameless.has(message.callId) && { id: idFor(message.callId) }),
            name: message.name,
            response: message.isError ? { error: message.text } : { result: message.text },
          },
        };
        const pictures = message.images.map(attachmentPart);
        // All results of a turn stand in one message: between calls and results nothing may come.
        const last = contents.at(-1);
        if (afterResult && last) last.parts.push(part, ...pictures);
        else contents.push({ role: 'user', parts: [part, ...pictures] });
        break;
      }
    }
    afterResult = message.role === 'tool';
  }
  return contents.filter(({ parts }) => parts.length > 0);
}

function assistantParts(
  message: AssistantMessage,
  model: string,
  idFor: (id: string) => string,
): JsonObject[] {
  const native = nativeOf(message);
  // Thoughts are for reading; only their signatures go back.
  if (native) return native.parts.filter((part) => part.thought !== true || part.thoughtSignature);
  const signed = !/gemini-[12]/.test(model);
  return [
    ...text(message.text),
    ...message.toolCalls.map((call, at) => ({
      functionCall: { id: idFor(call.id), name: call.name, args: call.arguments },
      ...(signed && at === 0 && { thoughtSignature: noSignature }),
    })),
  ];
}

function callParts(message: AssistantMessage): JsonObject[] {
  return (nativeOf(message)?.parts ?? []).filter((part) => isObject(part.functionCall));
}

function attachmentPart(attachment: Attachment): JsonObject {
  const kind = kindOf(attachment);
  return kind === 'image' || kind === 'pdf'
    ? { inlineData: { mimeType: attachment.mediaType, data: attachment.base64 } }
    : { text: asText(attachment) };
}

function text(value: string): JsonObject[] {
  return value === '' ? [] : [{ text: value }];
}

function nativeOf(message: AssistantMessage): GeminiNative | null {
  return message.native?.format === 'gemini-generateContent' ? (message.native.value as GeminiNative) : null;
}
