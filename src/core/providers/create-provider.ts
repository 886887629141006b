import type { ProviderConfig, WireFormat } from '../../contract/providers';
import type { Settings } from '../../contract/settings';
import type { Clock, Log } from '../foundation';
import { usualMaxTokens } from './anthropic/thinking';
import { baseUrlFor } from './base-url';
import { contextWindowOf } from './context-windows';
import type { Format, Target } from './format';
import { formats } from './formats';
import type { OllamaFacts } from './ollama/facts';
import { fitOf } from './ollama/fit';
import { checkParameters, costlyOf } from './parameters';
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
  /** What the vendor made of a key, whenever that is known. */
  readonly onKey?: (providerId: string, key: string, verdict: 'taken' | 'refused') => void;
}

/** Fields that are there but undefined must not hide what is configured. */
function definedOnly(request: ModelRequest): ModelRequest {
  return Object.fromEntries(
    Object.entries(request).filter(([, value]) => value !== undefined),
  ) as unknown as ModelRequest;
}

/** A provider made from its configuration; `requester` also lists models. Long, since it is one list of what becomes what. */
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
    streams: config.stream ?? true,
    fit,
  };
  const requesterOf = (spoken: Format) =>
    createRequester({
      format: spoken,
      target,
      providerId: config.id,
      label: vendor.label,
      fetch: parts.fetch,
      clock: parts.clock,
      idleTimeout: parts.idleTimeout,
      onKey: (verdict) => key !== null && parts.onKey?.(config.id, key, verdict),
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

  const requester = requesterOf(format);
  const search = searchOf(vendor, formatName, config);
  const searching = search.format === formatName ? requester : requesterOf(formats[search.format]);

  const provider: Provider = {
    id: config.id,
    vendor: vendor.id,
    label: vendor.label,
    model: config.model,
    accepts: {
      images: ollama?.capabilities?.includes('vision') ?? vendor.quirks.images.test(config.model),
      pdf: vendor.quirks.pdf && formatName !== 'ollama-chat' && formatName !== 'demo',
    },
    usual: {
      maxTokens:
        config.maxTokens ?? (formatName === 'anthropic-messages' ? usualMaxTokens(config.model) : null),
      reasoning: config.reasoningEffort ?? null,
    },
    costly: (parameters) => costlyOf(formatName, parameters),
    checkParameters: (parameters) => checkParameters(formatName, parameters, config.parameters ?? {}),
    search: { can: search.can, isOn: config.webSearch ?? false, format: search.format },
    stream(request, signal) {
      const whole = {
        temperature: config.temperature,
        maxTokens: config.maxTokens,
        reasoningEffort: config.reasoningEffort,
        webSearch: config.webSearch,
        ...definedOnly(request),
        parameters: { ...config.parameters, ...request.parameters },
      };
      checkParameters(
        whole.webSearch ? search.format : formatName,
        request.parameters ?? {},
        config.parameters ?? {},
      );
      return (whole.webSearch ? searching : requester).stream(whole, signal);
    },
    takesTools: ollama?.capabilities?.includes('tools') ?? true,
    contextWindow:
      (fit?.isKnown ? fit.limit : null) ?? ollama?.most ?? contextWindowOf(vendor.id, config.model),
    cost(usage) {
      const price = priceOf(vendor.id, config.model, parts.ownPrices());
      return price && costOf(usage, price);
    },
  };
  return { provider, requester, target };
}

/**
 * OpenAI, Azure and xAI search in the Responses API only. Where nobody insists on another format, a question that wants the search
 * is asked there.
 */
function searchOf(
  vendor: VendorRow,
  format: WireFormat,
  config: ProviderConfig,
): { can: Provider['search']['can']; format: WireFormat } {
  const hasTwo = vendor.formats.includes('openai-responses') && vendor.quirks.webSearch === null;
  if (!vendor.webSearch) return { can: 'never', format };
  if (format === 'openai-chat' && vendor.quirks.webSearch === null)
    return hasTwo && config.format === undefined
      ? { can: 'always', format: 'openai-responses' }
      : { can: 'never', format };
  const isAlone = format === 'gemini-generateContent' && /gemini-[12]/.test(config.model);
  return { can: isAlone ? 'without-tools' : 'always', format };
}
