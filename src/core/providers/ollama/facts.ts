import { z } from 'zod';
import { hasEmbeddingName } from '../../../contract/providers';
import type { Clock } from '../../foundation';
import type { Fetch } from '../transport';

/** What an Ollama tells of a model; null where it does not. */
export interface OllamaFacts {
  /** Tokens that it was trained for. */
  readonly most: number | null;
  /** `num_ctx` of its Modelfile. */
  readonly modelfile: number | null;
  /** Tokens that it is loaded with now. */
  readonly loaded: number | null;
  /** `completion`, `tools`, `vision`, `embedding`, … */
  readonly capabilities: readonly string[] | null;
}

/** Between what a model may be given and what it has now, which costs nothing. */
export interface OllamaFit {
  readonly limit: number;
  readonly atLeast: number;
  /** Whether somebody said so: a person, or the Ollama of its model. */
  readonly isKnown: boolean;
}

export interface OllamaModels {
  facts(baseUrl: string, model: string): Promise<OllamaFacts>;
}

/** Milliseconds. A server that does not answer must not hold up whoever asks. */
const timeoutMs = 1_000;
const staysGood = 30_000;

const Show = z.object({
  /** Lines of the Modelfile such as `num_ctx 8192`. */
  parameters: z.string().optional(),
  model_info: z.record(z.string(), z.unknown()).optional(),
  capabilities: z.array(z.string()).optional(),
});
const Running = z.object({
  models: z.array(z.object({ name: z.string(), context_length: z.number().optional() })),
});

/** Asked once for a while, not for every look at the meter. */
export function createOllamaModels({ fetch, clock }: { fetch: Fetch; clock: Clock }): OllamaModels {
  const cache = new Map<string, { readonly at: number; readonly facts: Promise<OllamaFacts> }>();
  return {
    facts(baseUrl, model) {
      const key = `${baseUrl} ${model}`;
      const before = cache.get(key);
      if (before && clock.now() - before.at < staysGood) return before.facts;
      const answer = ask(fetch, baseUrl, model);
      cache.set(key, { at: clock.now(), facts: answer });
      return answer;
    },
  };
}

async function ask(fetch: Fetch, address: string, model: string): Promise<OllamaFacts> {
  const baseUrl = address.replace(/\/(v1|api)$/, '');
  const signal = AbortSignal.timeout(timeoutMs);
  const [show, running] = await Promise.all([
    read(fetch, `${baseUrl}/api/show`, Show, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model }),
      signal,
    }),
    read(fetch, `${baseUrl}/api/ps`, Running, { signal }),
  ]);
  const most = Object.entries(show?.model_info ?? {}).find(([key]) => key.endsWith('.context_length'))?.[1];
  const modelfile = /^[ \t]*num_ctx\s+"?(\d+)/m.exec(show?.parameters ?? '')?.[1];
  const same = (name: string) => name === model || name === `${model}:latest`;
  return {
    most: typeof most === 'number' ? most : null,
    modelfile: modelfile === undefined ? null : Number(modelfile),
    loaded: running?.models.find(({ name }) => same(name))?.context_length ?? null,
    capabilities: show?.capabilities ?? null,
  };
}

async function read<T>(
  fetch: Fetch,
  url: string,
  schema: z.ZodType<T>,
  init: RequestInit,
): Promise<T | null> {
  try {
    const response = await fetch(url, init);
    return response.ok ? (schema.safeParse(await response.json()).data ?? null) : null;
  } catch {
    return null;
  }
}

/** By what it says of itself, or, in versions that say nothing, by the names such models have. */
export function speaks(name: string, capabilities: readonly string[] | null): boolean {
  return capabilities?.includes('completion') ?? !hasEmbeddingName(name);
}
