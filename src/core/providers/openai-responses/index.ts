import type OpenAI from 'openai';
import type { Format } from '../format';
import { openaiClient, openaiModels } from '../openai-client';
import { reads } from '../reading';
import { createReading } from './from-stream';
import { toRequest } from './to-request';

type Body = OpenAI.Responses.ResponseCreateParamsStreaming;

export const openaiResponses: Format = {
  async open(target, request, transport) {
    const client = await openaiClient(target, transport, 'responses');
    const body = toRequest(request, target.vendor) as unknown as Body;
    const events = await client.responses.create(body, { signal: transport.signal });
    return reads(events, createReading());
  },
  models: openaiModels,
};
