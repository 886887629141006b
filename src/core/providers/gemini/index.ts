import type { GoogleGenAI } from '@google/genai';
import type { Format, Target } from '../format';
import { reads } from '../reading';
import type { Transport } from '../transport';
import { createReading } from './from-stream';
import { toRequest } from './to-request';

async function clientFor(target: Target, transport: Transport): Promise<GoogleGenAI> {
  const { GoogleGenAI: Client } = await import('@google/genai');
  const [, root = target.baseUrl, version = 'v1beta'] =
    /^(.*?)(?:\/(v1(?:beta|alpha)?))?$/.exec(target.baseUrl) ?? [];
  return new Client({
    vertexai: false,
    apiKey: target.key ?? 'none',
    httpOptions: { baseUrl: root, apiVersion: version, fetch: transport.fetch },
  });
}

export const gemini: Format = {
  async open(target, request, transport) {
    const client = await clientFor(target, transport);
    const { contents, ...rest } = toRequest(request);
    const chunks = await client.models.generateContentStream({
      model: request.model,
      contents: contents as never,
      // The rest goes into the body as it is: the SDK would leave out what it does not know.
      config: { abortSignal: transport.signal, httpOptions: { extraBody: { contents, ...rest } } },
    });
    return reads(chunks, createReading());
  },
  async models(target, transport) {
    const client = await clientFor(target, transport);
    const ids: string[] = [];
    for await (const model of await client.models.list({
      config: { pageSize: 1000, abortSignal: transport.signal },
    })) {
      const generates = model.supportedActions?.includes('generateContent') ?? true;
      if (model.name && generates) ids.push(model.name.replace(/^models\//, ''));
    }
    return ids.sort();
  },
};
