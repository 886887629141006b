import type { ProviderConfig } from '../../contract/providers';
import type { Settings } from '../../contract/settings';
import type { Clock, Log } from '../foundation';
import { baseUrlFor } from './base-url';
import { contextWindowOf } from './context-windows';
import type { Target } from './format';
import { formats } from './formats';
import type { OllamaFacts } from './ollama/facts';
import { fitOf } from './ollama/fit';
import { costOf, priceOf } from './prices';
import type { ModelRequest, Provider } from './provider';
import { createRequester, type Requester } from './requester';
import type { Fetch } from './transport';
import type { VendorRow } from './vendors';

export interface ProviderParts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Milliseconds without a byte. */
  readonly idleTimeout: () => number;
  readonly ownPrices: () => Settings['prices'];
}

/** Fields that are there but undefined must not hide what is configured. */
function definedOnly(request: ModelRequest): ModelRequest {
  return Object.fromEntries(
    Object.entries(request).filter(([, value]) => value !== undefined),
  ) as unknown as ModelRequest;
}

/** A provider made from its configuration; `requester` also lists models. */
export function createProvider(
  config: ProviderConfig,
  vendor: VendorRow,
  key: string | null,
  parts: ProviderParts,
  ollama: OllamaFacts | null = null,
): { provider: Provider; requester: Requester; target: Target } {
  const formatName = config.format ?? vendor.formats[0] ?? 'openai-chat';
  const format = formats[formatName];
  const baseUrl = baseUrlFor(vendor, formatName, config.baseUrl, parts.environment);
  const fit = ollama && fitOf(config, baseUrl, ollama);
  const target: Target = {
    vendor,
    model: config.model,
    baseUrl,
    key,
    apiVersion: config.apiVersion?.trim() || null,
    fit,
  };
  const requester = createRequester({
    format,
    target,
    providerId: config.id,
    label: vendor.label,
    fetch: parts.fetch,
    clock: parts.clock,
    idleTimeout: parts.idleTimeout,
    onFailure: ({ failure, error }, attempt) =>
      parts.log.warn('provider request failed', {
        providerId: config.id,
        vendor: vendor.id,
        model: config.model,
        failure,
        status: error.details.status,
        attempt,
      }),
  });

  const provider: Provider = {
    id: config.id,
    vendor: vendor.id,
    label: vendor.label,
    model: config.model,
    accepts: {
      images: ollama?.capabilities?.includes('vision') ?? vendor.quirks.images.test(config.model),
      pdf: vendor.quirks.pdf && formatName !== 'ollama-chat' && formatName !== 'demo',
    },
    stream: (request, signal) =>
      requester.stream(
        {
          temperature: config.temperature,
          maxTokens: config.maxTokens,
          reasoningEffort: config.reasoningEffort,
          webSearch: config.webSearch,
          ...definedOnly(request),
          parameters: { ...config.parameters, ...request.parameters },
        },
        signal,
      ),
    takesTools: ollama?.capabilities?.includes('tools') ?? true,
    contextWindow: fit?.limit ?? ollama?.most ?? contextWindowOf(vendor.id, config.model),
    cost(usage) {
      const price = priceOf(vendor.id, config.model, parts.ownPrices());
      return price && costOf(usage, price);
    },
  };
  return { provider, requester, target };
}
