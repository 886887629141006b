import type OpenAI from 'openai';
import { type Format, unstreamed } from '../format';
import { openaiClient, openaiModels } from '../openai-client';
import { reads, readsWhole } from '../reading';
import { createReading } from './from-stream';
import { chunksOf } from './from-whole';
import { toRequest } from './to-request';

type Body = OpenAI.ChatCompletionCreateParamsStreaming;
type WholeBody = OpenAI.ChatCompletionCreateParamsNonStreaming;

export const openaiChat: Format = {
  async open(target, request, transport) {
    const client = await openaiClient(target, transport, 'chat');
    const body = toRequest(request, target.vendor.quirks);
    const { signal } = transport;
    if (!target.streams) {
      const whole = await client.chat.completions.create(unstreamed(body) as unknown as WholeBody, {
        signal,
      });
      return readsWhole(
        chunksOf(whole),
        createReading(() => true),
      );
    }
    const chunks = await client.chat.completions.create(body as unknown as Body, { signal });
    return reads(chunks, createReading(transport.sawDone));
  },
  models: openaiModels,
};
