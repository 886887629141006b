import type { WireFormat } from '../../contract/providers';
import { anthropic } from './anthropic';
import { demo } from './demo';
import type { Format } from './format';
import { gemini } from './gemini';
import { ollama } from './ollama';
import { openaiChat } from './openai-chat';
import { openaiResponses } from './openai-responses';

export const formats: Readonly<Record<WireFormat, Format>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'anthropic-messages': anthropic,
  'gemini-generateContent': gemini,
  'ollama-chat': ollama,
  demo,
};
