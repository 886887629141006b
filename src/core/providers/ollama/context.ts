import { z } from 'zod';
import type { Clock } from '../../foundation';
import type { Fetch } from '../transport';

/** Tokens that an Ollama takes for a model, as far as it tells; null where it does not. */
export interface OllamaContexts {
  find(baseUrl: string, model: string, wanted: number | null): Promise<number | null>;
}

/** Milliseconds. A server that does not answer must not hold up whoever asks. */
const patience = 1_000;
const staysGood = 30_000;

const Show = z.object({
  /** Lines of the Modelfile such as `num_ctx 8192`. */
  parameters: z.string().optional(),
  model_info: z.record(z.string(), z.unknown()).optional(),
});
const Running = z.object({
  models: z.array(z.object({ name: z.string(), context_length: z.number().optional() })),
});

/**
 * What counts is `num_ctx` of the request, else of the Modelfile, else what the model is loaded with now, never more than it was
 * trained for. Ollama cuts longer conversations without a word.
 */
export function createOllamaContexts({ fetch, clock }: { fetch: Fetch; clock: Clock }): OllamaContexts {
  const known = new Map<string, { readonly at: number; readonly found: Promise<Facts> }>();

  function facts(baseUrl: string, model: string): Promise<Facts> {
    const key = `${baseUrl} ${model}`;
    const before = known.get(key);
    if (before && clock.now() - before.at < staysGood) return before.found;
    const found = ask(fetch, baseUrl, model);
    known.set(key, { at: clock.now(), found });
    return found;
  }

  return {
    async find(baseUrl, model, wanted) {
      const { most, modelfile, loaded } = await facts(baseUrl, model);
      const used = wanted ?? modelfile ?? loaded;
      return used !== null && most !== null ? Math.min(used, most) : used;
    },
  };
}

interface Facts {
  readonly most: number | null;
  readonly modelfile: number | null;
  readonly loaded: number | null;
}

async function ask(fetch: Fetch, address: string, model: string): Promise<Facts> {
  const baseUrl = address.replace(/\/(v1|api)$/, '');
  const signal = AbortSignal.timeout(patience);
  const read = async <T>(path: string, schema: z.ZodType<T>, init: RequestInit = {}): Promise<T | null> => {
    try {
      const response = await fetch(`${baseUrl}${path}`, { ...init, signal });
      return response.ok ? (schema.safeParse(await response.json()).data ?? null) : null;
    } catch {
      return null;
    }
  };
  const [show, running] = await Promise.all([
    read('/api/show', Show, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model }),
    }),
    read('/api/ps', Running),
  ]);
  const most = Object.entries(show?.model_info ?? {}).find(([key]) => key.endsWith('.context_length'))?.[1];
  const modelfile = /^\s*num_ctx\s+"?(\d+)/m.exec(show?.parameters ?? '')?.[1];
  const same = (name: string) => name === model || name === `${model}:latest`;
  return {
    most: typeof most === 'number' ? most : null,
    modelfile: modelfile === undefined ? null : Number(modelfile),
    loaded: running?.models.find(({ name }) => same(name))?.context_length ?? null,
  };
}
