import { estimateTokenCount } from 'tokenx';
import type { ProviderConfig } from '../../../contract/providers';
import { StreamFault } from '../failures';
import type { JsonObject } from '../format';
import type { OllamaFacts, OllamaFit } from './facts';

/** What a machine that runs models can mostly afford; a person may say more or less. */
const usualLimit = 32_768;
const smallest = 4_096;
const pictureTokens = 768;

/**
 * `num_ctx` of the parameters is the person's last word. Else the size set for the provider, else the Modelfile's, else the usual
 * one or what it is loaded with; never more than the model was trained for. Null where it does not run on a machine of ours.
 */
export function fitOf(
  config: Pick<ProviderConfig, 'model' | 'parameters' | 'contextSize'>,
  baseUrl: string,
  { most, modelfile, loaded }: OllamaFacts,
): OllamaFit | null {
  if (/[:-]cloud$/.test(config.model) || /^https:\/\/ollama\.com\b/.test(baseUrl)) return null;
  const chosen = numCtxIn(config.parameters) ?? config.contextSize ?? modelfile;
  const size = chosen ?? Math.max(usualLimit, loaded ?? 0);
  const limit = most === null ? size : Math.min(size, most);
  const isKnown = chosen !== null || most !== null;
  return { limit, atLeast: Math.min(limit, Math.max(modelfile ?? 0, loaded ?? 0)), isKnown };
}

function numCtxIn(parameters: ProviderConfig['parameters']): number | null {
  const options = parameters?.options;
  const set =
    typeof options === 'object' && options !== null && 'num_ctx' in options ? options.num_ctx : null;
  return typeof set === 'number' ? set : null;
}

/**
 * The body with room for itself and an answer. Ollama takes 4,096 tokens unless told otherwise, and cuts off the beginning of
 * what is longer without a word: so it is told, and what can't fit is not sent.
 */
export function fitted(body: JsonObject, fit: OllamaFit): JsonObject {
  const options = body.options as { num_ctx?: number; num_predict?: number } | undefined;
  const answer = options?.num_predict ?? Math.min(4_096, Math.floor(fit.limit / 4));
  const weight = weightOf(body);
  if (weight > fit.limit)
    throw new StreamFault(
      'context-overflow',
      `About ${weight.toLocaleString('en')} tokens are to be sent, and it is given ${fit.limit.toLocaleString('en')} at most: see “Context size” of this provider in the settings.`,
      'us',
    );
  let size = Math.max(smallest, fit.atLeast);
  while (size < weight * 1.1 + answer) size *= 2;
  return {
    // Newer versions then refuse what is still too long instead of cutting it.
    truncate: false,
    ...body,
    options: { num_ctx: Math.min(size, fit.limit), ...options },
  };
}

function weightOf(body: JsonObject): number {
  let pictures = 0;
  const text = JSON.stringify({ messages: body.messages, tools: body.tools }, (key, value) => {
    if (key !== 'images' || !Array.isArray(value)) return value;
    pictures += value.length;
    return undefined;
  });
  return estimateTokenCount(text) + pictures * pictureTokens;
}
