import type { GoogleGenAI } from '@google/genai';
import { noList } from '../failures';
import { type Format, isObject, type Target } from '../format';
import { reads, readsWhole } from '../reading';
import type { Transport } from '../transport';
import { createReading, type GeminiChunk } from './from-stream';
import { toRequest } from './to-request';

/** The address may end with a version. */
function partsOf(baseUrl: string): { root: string; version: string } {
  const [, root = baseUrl, version = 'v1beta'] = /^(.*?)(?:\/(v1(?:beta|alpha)?))?$/.exec(baseUrl) ?? [];
  return { root, version };
}

async function clientFor(target: Target, transport: Transport): Promise<GoogleGenAI> {
  const { GoogleGenAI: Client } = await import('@google/genai');
  const { root, version } = partsOf(target.baseUrl);
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
    const body = {
      model: request.model,
      contents: contents as never,
      // The rest goes into the body as it is: the SDK would leave out what it does not know.
      config: { abortSignal: transport.signal, httpOptions: { extraBody: { contents, ...rest } } },
    };
    // A whole answer is a stream of one.
    if (!target.streams)
      return readsWhole([(await client.models.generateContent(body)) as GeminiChunk], createReading());
    return reads(await client.models.generateContentStream(body), createReading());
  },
  /** Not through the SDK, which takes any JSON for an empty list. */
  async models(target, transport) {
    const { root, version } = partsOf(target.baseUrl);
    const ids: string[] = [];
    let token = '';
    do {
      const query = new URLSearchParams({ pageSize: '1000', ...(token !== '' && { pageToken: token }) });
      const headers = new Headers(target.key === null ? {} : { 'x-goog-api-key': target.key });
      const response = await transport.fetch(`${root}/${version}/models?${query}`, { headers });
      const page: unknown = await response.json();
      if (!isObject(page) || !Array.isArray(page.models)) throw noList();
      for (const { name, supportedGenerationMethods: methods } of page.models.filter(isObject))
        if (!Array.isArray(methods) || methods.includes('generateContent'))
          ids.push(String(name).replace(/^models\//, ''));
      token = typeof page.nextPageToken === 'string' ? page.nextPageToken : '';
    } while (token !== '');
    return ids.sort();
  },
};
