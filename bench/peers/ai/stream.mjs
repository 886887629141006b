// The Vercel AI SDK as its documentation shows it, for provider-stream.bench.ts.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { streamText } from 'ai';

globalThis.AI_SDK_LOG_WARNINGS = false;

export async function readText(kind, url, onText) {
  const model =
    kind === 'chat'
      ? createOpenAI({ apiKey: 'none', baseURL: `${url}/v1` }).chat('m')
      : createAnthropic({ apiKey: 'none', baseURL: `${url}/v1` })('m');
  const { fullStream } = streamText({ model, prompt: 'Go.', maxRetries: 0, maxOutputTokens: 100_000 });
  for await (const part of fullStream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') onText(part.text);
  }
}
