import type OpenAI from 'openai';
import type { Format } from '../format';
import { openaiClient, openaiModels } from '../openai-client';
import { reads } from '../reading';
import { createReading } from './from-stream';
import { toRequest } from './to-request';

type Body = OpenAI.ChatCompletionCreateParamsStreaming;

export const openaiChat: Format = {
  async open(target, request, transport) {
    const client = await openaiClient(target, transport, 'chat');
    const body = toRequest(request, target.vendor.quirks) as unknown as Body;
    const chunks = await client.chat.completions.create(body, { signal: transport.signal });
    return reads(chunks, createReading(transport.sawDone));
  },
  models: openaiModels,
};
