import type { JsonObject } from '../format';
import type { ModelRequest } from '../provider';

const budgets = { low: 1_024, medium: 8_192, high: 24_576 } as const;

/** Version 2.5 thinks by a budget of tokens, later ones by level. Older models refuse the whole group. */
export function thinkingConfig(model: string, effort: ModelRequest['reasoningEffort']): JsonObject | null {
  if (!/gemini-(2\.5|[3-9])/.test(model) || /image|tts|live|audio/.test(model)) return null;
  const config = { includeThoughts: true };
  if (effort === undefined) return config;
  if (!model.includes('gemini-2.5')) return { ...config, thinkingLevel: effort === 'none' ? 'low' : effort };
  // The pro model can't be kept from thinking.
  if (effort === 'none') return { thinkingBudget: model.includes('pro') ? 128 : 0 };
  return { ...config, thinkingBudget: budgets[effort] };
}
