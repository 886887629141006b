import type { TokenUsage } from '../../contract/chat';
import type { Price, PriceList } from '../../contract/providers';

type PricesByVendor = Readonly<Record<string, Readonly<Record<string, Price>>>>;

/** When these list prices were gathered. */
const pricesDate = '2026-11-21';

/** The longest name that a model's id starts with counts, so that dated versions share a row. */
const prices: PricesByVendor = {
  openai: {
    'gpt-6-astra': { input: 10, output: 50, cachedInput: 1 },
    'gpt-5.6-sol': { input: 5, output: 30, cachedInput: 0.5 },
    'gpt-5.6-terra': { input: 2, output: 12, cachedInput: 0.2 },
    'gpt-5.6-luna': { input: 0.2, output: 1.2, cachedInput: 0.02 },
    'gpt-5.5': { input: 5, output: 30, cachedInput: 0.5 },
    'gpt-5.4': { input: 2.5, output: 15 },
    'gpt-5.4-mini': { input: 0.75, output: 4.5 },
    'gpt-5.4-nano': { input: 0.2, output: 1.25 },
  },
  azure: { 'gpt-5.5': { input: 5, output: 30, cachedInput: 0.5 } },
  anthropic: {
    'claude-opus-5-5': { input: 4, output: 20, cachedInput: 0.2 },
    'claude-sonnet-5-5': { input: 2, output: 10, cachedInput: 0.1 },
    'claude-opus-5': { input: 5, output: 25, cachedInput: 0.5 },
    'claude-opus-4-8': { input: 5, output: 25, cachedInput: 0.5 },
    'claude-sonnet-5': { input: 2, output: 10, cachedInput: 0.2 },
    'claude-haiku-4-5': { input: 1, output: 5, cachedInput: 0.1 },
  },
  gemini: {
    'gemini-3.8-flash': { input: 0.75, output: 3.75, cachedInput: 0.075 },
    'gemini-3.7-flash': { input: 0.75, output: 3.75, cachedInput: 0.075 },
    'gemini-3.6-flash': { input: 1.5, output: 7.5 },
    'gemini-3.5-flash': { input: 1.5, output: 9 },
    'gemini-3.1-pro-preview': { input: 2, output: 12, cachedInput: 0.2 },
  },
  deepseek: {
    'deepseek-v4-flash': { input: 0.14, output: 0.28, cachedInput: 0.0028 },
    'deepseek-chat': { input: 0.14, output: 0.28, cachedInput: 0.0028 },
    'deepseek-v4-pro': { input: 0.435, output: 0.87 },
  },
  grok: {
    'grok-4.7': { input: 2, output: 6, cachedInput: 0.5 },
    'grok-4.5': { input: 2, output: 6 },
    'grok-4.3': { input: 1.25, output: 2.5 },
  },
  kimi: {
    'kimi-k3': { input: 3, output: 15, cachedInput: 0.3 },
    'kimi-k2.6': { input: 0.95, output: 4, cachedInput: 0.16 },
  },
  qwen: {
    'qwen3.7-max': { input: 1.65, output: 4.95, cachedInput: 0.33 },
    'qwen3.6-plus': { input: 0.5, output: 3 },
    'qwen3.5-flash': { input: 0.17, output: 1.72 },
    'qwen3-max': { input: 0.86, output: 3.44 },
  },
  siliconflow: {
    'deepseek-ai/DeepSeek-V4-Pro': { input: 1.74, output: 3.48 },
    'Pro/zai-org/GLM-5.1': { input: 1.4, output: 4.4 },
    'Qwen/Qwen3.6-35B-A3B': { input: 0.23, output: 1.86 },
  },
  zhipu: {
    'glm-5.2': { input: 1.4, output: 4.4, cachedInput: 0.26 },
    'glm-5.1': { input: 1.4, output: 4.4 },
    'glm-4.7-flash': { input: 0, output: 0 },
  },
  doubao: { 'doubao-seed-2-1-pro': { input: 0.89, output: 4.45, cachedInput: 0.18 } },
  qianfan: { 'ernie-5.0': { input: 0.84, output: 3.36 } },
  demo: { demo: { input: 0, output: 0 } },
};

/** `own` are a person's own prices, which hold over the list's. */
export function priceOf(vendor: string, model: string, own: PricesByVendor = {}): Price | null {
  const names = Object.entries({ ...prices[vendor], ...own[vendor] }).filter(
    ([name]) => model === name || /^[-@:]\d{4}/.test(startsWith(model, name)),
  );
  return names.sort(([a], [b]) => b.length - a.length)[0]?.[1] ?? null;
}

/** The list and a person's own prices together. */
export function priceList(own: PricesByVendor): PriceList {
  const vendors = new Set([...Object.keys(prices), ...Object.keys(own)]);
  vendors.delete('demo');
  return {
    date: pricesDate,
    prices: [...vendors].flatMap((vendor) =>
      Object.entries({ ...prices[vendor], ...own[vendor] }).map(([model, price]) => ({
        vendor,
        model,
        ...price,
        own: own[vendor]?.[model] !== undefined,
      })),
    ),
  };
}

/** What follows the name, or nothing that a version could be. */
function startsWith(model: string, name: string): string {
  return model.startsWith(name) ? model.slice(name.length) : '';
}

export function costOf(usage: TokenUsage, price: Price): number {
  const cached = usage.cachedInputTokens ?? 0;
  const cacheWrites = usage.cacheWriteTokens ?? 0;
  const fresh = Math.max(0, usage.inputTokens - cached - cacheWrites);
  const dollars =
    fresh * price.input +
    cached * (price.cachedInput ?? price.input) +
    cacheWrites * (price.cacheWrite ?? price.input * 1.25) +
    usage.outputTokens * price.output;
  return dollars / 1e6;
}
