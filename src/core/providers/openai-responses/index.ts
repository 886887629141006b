import type OpenAI from 'openai';
import { type Format, unstreamed } from '../format';
import { openaiClient, openaiModels } from '../openai-client';
import { reads, readsWhole } from '../reading';
import { createReading } from './from-stream';
import { eventsOf } from './from-whole';
import { toRequest } from './to-request';

type Body = OpenAI.Responses.ResponseCreateParamsStreaming;
type WholeBody = OpenAI.Responses.ResponseCreateParamsNonStreaming;

export const openaiResponses: Format = {
  async open(target, request, transport) {
    const client = await openaiClient(target, transport, 'responses');
    const body = toRequest(request, target.vendor);
    const { signal } = transport;
    if (!target.streams) {
      const whole = await client.responses.create(unstreamed(body) as unknown as WholeBody, { signal });
      return readsWhole(eventsOf(whole), createReading());
    }
    const events = await client.responses.create(body as unknown as Body, { signal });
    return reads(events, createReading());
  },
  models: openaiModels,
};
